import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { until } from '../until.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const ARRIVAL_POLL_MS = 10

type Violation = { id: string; nodes: { html: string }[] }

/**
 * Fails with what axe finds wrong with the page as it stands, by all of its rules or by one. It is let in past the
 * policy by the debugger, once for each load of a page.
 */
export async function expectAccessible(page: Page, where: string, rule?: string): Promise<void> {
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) {
    const debug = await page.context().newCDPSession(page)
    await debug.send('Runtime.evaluate', { expression: AXE })
    await debug.detach()
  }
  const options = { resultTypes: ['violations'], ...(rule && { runOnly: [rule] }) }
  const found = (await page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[]
  const said = found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n    ')}`)
  assert.deepEqual(said, [], where)
}

/** Waits until nothing of the screen is being asked for. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await until('nothing is being loaded', async () => (await page.locator('[aria-busy=true]').count()) === 0)
}

/**
 * Opens a screen: from inside where the page is one of the dashboard already, as a link would, else by a load, which
 * costs several times as much. A form that stands there is left without a question.
 */
export async function openScreen(page: Page, path: string): Promise<void> {
  // The documentation is pages of its own.
  const isInside =
    (await page.evaluate(`document.querySelector('#root') !== null`)) && !path.startsWith('/docs')
  if (!isInside) return void (await page.goto(path))
  await page.evaluate(`(async () => {
    // The router leaves itself there for the tools of developers, once the texts are there, which may be after the page
    // has loaded. It says when the screen has taken the other's place.
    const router = () => globalThis.__TSR_ROUTER__
    const deadline = performance.now() + ${HANG_GUARD_MS}
    const isThere = ({ status, location, resolvedLocation }) =>
      status === 'idle' && resolvedLocation?.href === location.href
    async function arrive() {
      while (!router() || !isThere(router().state)) {
        if (performance.now() > deadline) throw new Error('waited in vain for ' + location.pathname)
        await new Promise((resolve) => setTimeout(resolve, ${ARRIVAL_POLL_MS}))
      }
    }
    // Navigating back before an earlier navigation has ended would show the screen as it was left.
    await arrive()
    await router().navigate({ href: ${JSON.stringify(path)}, ignoreBlocker: true })
    await arrive()
  })()`)
}

/** Fails when the page can be scrolled sideways. */
export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const wider = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.ok((wider as number) <= 1, `${where} is ${wider} px wider than its window`)
}

/** Fails when a fact, a value beside or below its name, is cut or runs out of its place. */
export async function expectWholeFacts(page: Page, where: string): Promise<void> {
  const cut = await page.evaluate(
    '[...document.querySelectorAll("dt, dd")].filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)',
  )
  assert.deepEqual(cut, [], where)
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
