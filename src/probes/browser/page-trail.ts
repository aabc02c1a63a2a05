import type { BrowserContext, Page } from 'playwright-core'
import type { PageTrail } from '../../core/monitors/browser/page-report.ts'
import { untilAborted } from '../../net/until-aborted.ts'

/** Lines of each kind that are kept. */
const MAX_LINES = 20
/** In UTF-16 units. */
const MAX_LINE = 300
const MAX_URL = 1_000
const MAX_TEXT = 4_096
const TEXT_MS = 1_000
const BAD_REQUEST = 400

/** Watches what goes wrong in a page: errors of its console, and requests that fail. */
export function watchPage(context: BrowserContext): { read(page: Page): Promise<PageTrail> } {
  const errors: string[] = []
  const requests: PageTrail['requests'] = []
  const complain = (text: string) => errors.length < MAX_LINES && errors.push(text.slice(0, MAX_LINE))
  const miss = (method: string, url: string, why: string) =>
    requests.length < MAX_LINES &&
    // A request that was answered with an error may be given up as well.
    !requests.some((one) => one.url === url.slice(0, MAX_URL)) &&
    requests.push({ method, url: url.slice(0, MAX_URL), why })
  context.on('console', (message) => message.type() === 'error' && complain(message.text()))
  context.on('weberror', (thrown) => complain(String(thrown.error().message)))
  context.on('requestfailed', (request) =>
    miss(request.method(), request.url(), request.failure()?.errorText ?? 'failed'),
  )
  context.on('response', (answer) => {
    if (answer.status() >= BAD_REQUEST)
      miss(answer.request().method(), answer.url(), `HTTP ${answer.status()}`)
  })
  return {
    async read(page) {
      // A page that hangs says nothing more.
      const reading = page
        .locator('body')
        .evaluate((body, max) => ((body as { innerText?: string }).innerText ?? '').slice(0, max), MAX_TEXT)
        .catch(() => '')
      const text = await untilAborted(reading, AbortSignal.timeout(TEXT_MS), '')
      return { url: page.url().slice(0, MAX_URL), errors, requests, text }
    },
  }
}
