import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { html: string }[] }

/** Fails with what axe finds wrong with the page as it stands. It is let in past the policy by the debugger. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Runtime.evaluate', { expression: AXE })
  const { violations: found } = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] })`,
  )) as { violations: Violation[] }
  await debug.detach()
  const said = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n    ')}`)
  assert.deepEqual(said, [], where)
}

/** Fails when the page can be scrolled sideways. */
export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const wider = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.ok((wider as number) <= 1, `${where} is ${wider} px wider than its window`)
}

/** Counts layout shifts from now on; the function returned gives their sum so far (web.dev/cls). */
export async function watchLayout(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.layoutShift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.layoutShift += entry.value
    }).observe({ type: 'layout-shift' })
  `)
  return () => page.evaluate('globalThis.layoutShift') as Promise<number>
}
