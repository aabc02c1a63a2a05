import type { Browser } from 'playwright-core'
import { renderStatusPage } from '../../src/pages/status-pages/status-page.ts'
import { largePage } from '../../test/support/status-pages/pages.ts'
import { servePages } from '../../test/support/status-pages/served-pages.ts'
import { startChromium } from '../support/chromium.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { alone, type Row } from '../support/table.ts'

const VISITS_PER_ROUND = 3
const SIZES = [50, 300]
/** Enough for whatever is drawn late to be drawn. */
const SETTLE_MS = 1_000

/** Rates in bits per second; the delay is that of every request, as Chromium applies it. */
const LINES = {
  'slow 3G of WebPageTest (400 kbit/s, 400 ms)': { bitsPerSecond: 400_000, latencyMs: 400 },
  'slow 3G of DevTools (400 kbit/s, 2 s)': { bitsPerSecond: 400_000, latencyMs: 2_000 },
}

/** When the largest part of a status page is drawn on a slow line, by Chromium's own figure (web.dev/lcp). */
export async function benchPaint(scope: Scope, options: Options): Promise<Row[]> {
  const browser = await startChromium(scope)
  const pages = new Map(
    SIZES.map((size) => {
      const model = largePage(size)
      const body = renderStatusPage(model, { language: 'en', base: '' })
      return [`/${size}`, { body, look: model.settings }]
    }),
  )
  const { url } = await servePages(scope, pages)
  const rows: Row[] = []
  for (const size of SIZES) {
    for (const [name, line] of Object.entries(LINES)) {
      progress(`paint: ${size} components, ${name}`)
      const visits: Visit[] = []
      for (let left = options.rounds * VISITS_PER_ROUND; left > 0; left--) {
        visits.push(await visit(browser, `${url}/${size}`, line))
      }
      const what = `Status page, ${size} components, ${name}`
      const row = (figure: string, unit: string, of: (visit: Visit) => number) =>
        alone(`${what}: ${figure}`, unit, visits.map(of))
      rows.push(row('largest contentful paint', 'ms', ({ largestMs }) => largestMs))
      rows.push(row('bytes of the page', 'B', ({ bytes }) => bytes))
      rows.push(row('requests that had ended by then', '', ({ requests }) => requests))
    }
  }
  return rows
}

type Visit = { largestMs: number; bytes: number; requests: number }

async function visit(
  browser: Browser,
  address: string,
  { bitsPerSecond, latencyMs }: (typeof LINES)[keyof typeof LINES],
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    const debug = await context.newCDPSession(page)
    const bytesPerSecond = bitsPerSecond / 8
    await debug.send('Network.enable')
    await debug.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    })
    await page.goto(address)
    await page.waitForTimeout(SETTLE_MS)
    return (await page.evaluate(`new Promise((resolve) => {
      new PerformanceObserver((list) => {
        const largestMs = list.getEntries().at(-1).startTime
        const [page] = performance.getEntriesByType('navigation')
        const others = performance.getEntriesByType('resource').filter((one) => one.responseEnd < largestMs)
        resolve({ largestMs, bytes: page.encodedBodySize, requests: 1 + others.length })
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })`)) as Visit
  } finally {
    await context.close()
  }
}
