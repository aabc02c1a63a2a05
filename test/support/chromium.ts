import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium as driver, type Page } from 'playwright-core'
import type { Scope } from './scope.ts'

const WIDE = { width: 1440, height: 900 }

/** A real browser out of an npm package; closed with the scope. */
export async function openChromium(scope: Scope): Promise<Browser> {
  const browser = await driver.launch({
    executablePath: await chromium.executablePath(),
    // The package's own arguments switch off the security that these tests are about. Root has no sandbox.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-software-rasterizer'],
  })
  scope.after(() => browser.close())
  return browser
}

/** A person at a browser of their own. What the page complains about on its console is kept in `complaints`. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  settings: { viewport?: { width: number; height: number }; colorScheme?: 'light' | 'dark' } = {},
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({ baseURL, viewport: WIDE, locale: 'en-GB', ...settings })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { context, page, complaints }
}
