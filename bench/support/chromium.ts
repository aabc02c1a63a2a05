import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../../test/support/browser/chromium-program.ts'
import type { Scope } from './scope.ts'

/** Only the tests install a browser. */
export async function startChromium(scope: Scope): Promise<Browser> {
  const { chromium } = await import('playwright-core').catch(() => {
    throw new Error('This benchmark needs a browser: run npm ci first.')
  })
  const executablePath = await chromiumProgram()
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
  scope.after(() => browser.close())
  return browser
}
