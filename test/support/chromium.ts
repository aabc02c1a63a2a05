import { after } from 'node:test'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium as driver, type Page } from 'playwright-core'
import type { Scope } from './scope.ts'

const WIDE = { width: 1440, height: 900 }

let started: Promise<Browser> | undefined

/** A real browser out of an npm package, one for the whole process; with the scope it forgets who was at it. */
export async function openChromium(scope: Scope): Promise<Browser> {
  started ??= start()
  const browser = await started
  scope.after(async () => {
    for (const context of browser.contexts()) await context.close()
  })
  return browser
}

after(async () => (await started)?.close())

async function start(): Promise<Browser> {
  return driver.launch({
    executablePath: await chromium.executablePath(),
    // The package's own arguments switch off the security that these tests are about. Root has no sandbox.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-software-rasterizer'],
  })
}

/** A person at a browser of their own. What the page complains about on its console is kept in `complaints`. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  locale = 'en-GB',
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({ baseURL, viewport: WIDE, locale })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { context, page, complaints }
}
