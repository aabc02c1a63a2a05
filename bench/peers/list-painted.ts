import type { Browser } from 'playwright-core'
import type { MonitorList } from './peer.ts'

const WINDOW = { width: 1440, height: 900 }

/**
 * From the navigation to the first frame that shows rows of the list, in milliseconds, in a browser that has nothing of
 * the page yet.
 */
export async function timeList(browser: Browser, list: MonitorList): Promise<number> {
  const context = await browser.newContext({ viewport: WINDOW, locale: 'en-GB', reducedMotion: 'reduce' })
  try {
    const { origin } = new URL(list.url)
    await context.addCookies(list.cookies.map((cookie) => ({ ...cookie, url: origin })))
    const page = await context.newPage()
    await page.addInitScript(watch(origin, list))
    await page.goto(list.url)
    return (await page.evaluate('globalThis.listPainted')) as number
  } finally {
    await context.close()
  }
}

function watch(origin: string, { localStorage, selector }: MonitorList): string {
  return `if (location.origin === ${JSON.stringify(origin)}) {
    Object.assign(localStorage, ${JSON.stringify(localStorage)})
    globalThis.listPainted = new Promise((resolve) => {
      const look = () => {
        if (!document.querySelector(${JSON.stringify(selector)})) return requestAnimationFrame(look)
        requestAnimationFrame(() => {
          // A task of its own comes after the frame was drawn.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(null)
        })
      }
      requestAnimationFrame(look)
    })
  }`
}
