import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { until } from './until.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { html: string }[] }

/**
 * Fails with what axe finds wrong with the page as it stands, by all of its rules or by one. It is let in past the
 * policy by the debugger.
 */
export async function expectAccessible(page: Page, where: string, rule?: string): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Runtime.evaluate', { expression: `globalThis.axe ?? (() => { ${AXE} })()` })
  await debug.detach()
  const options = { resultTypes: ['violations'], ...(rule && { runOnly: [rule] }) }
  const { violations: found } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: Violation[]
  }
  const said = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n    ')}`)
  assert.deepEqual(said, [], where)
}

/** Waits until nothing of the screen is being asked for. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await until('nothing is being loaded', async () => (await page.locator('[aria-busy=true]').count()) === 0)
}

/** Opens a screen: from inside where the page is one of the dashboard already, as a link would, else by a load. */
export async function openScreen(page: Page, path: string): Promise<void> {
  const isInside = (await page.locator('#root').count()) > 0
  if (isInside) await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  else await page.goto(path)
}

/** Fails when the page can be scrolled sideways. */
export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const wider = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.ok((wider as number) <= 1, `${where} is ${wider} px wider than its window`)
}

/** Notes layout shifts from now on (web.dev/cls); the function returned says what moved so far. */
export async function watchLayout(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(`
    globalThis.moved = []
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value, sources } of list.getEntries()) {
        if (hadRecentInput) continue
        // A figure that is aligned to the right begins elsewhere when it gets longer: that is no move.
        const what = sources.flatMap(({ node }) => node?.outerHTML?.slice(0, 150) ?? [])
        if (what.length > 0) moved.push(value.toFixed(4) + ': ' + what.join(' | '))
      }
    }).observe({ type: 'layout-shift' })
  `)
  return () => page.evaluate('moved') as Promise<string[]>
}
