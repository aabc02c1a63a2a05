import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type {
  FilledStep,
  PageFault,
  PageReport,
  PageStepReport,
  PageTask,
} from '../../core/monitors/browser/page-report.ts'
import { readRole } from '../../core/monitors/browser/page-step.ts'
import { startDeadline } from '../../net/deadline.ts'
import type { LoopWatch } from '../../net/loop-watch.ts'
import { untilAborted } from '../../net/until-aborted.ts'
import { watchPage } from './page-trail.ts'

const VIEWPORT = { width: 1_280, height: 800 }
const POLL_MS = 100
const CLOSING_MS = 3_000
const BAD_REQUEST = 400
/** In UTF-16 units. */
const MAX_MESSAGE = 300

/** Null: the step passes. */
type Outcome = PageFault | null
type Ended = { outcome: Outcome; status: number | null }

/** Opens a page in a context of its own and makes its steps. Never throws: what goes wrong with the browser is `crashed`. */
export async function lookAtPage(browser: Browser, task: PageTask, loop: LoopWatch): Promise<PageReport> {
  const startedAt = performance.now()
  const crash = new AbortController()
  const gone = () => crash.abort()
  const whole = startDeadline(task.limitMs, crash.signal, loop)
  const steps: PageStepReport[] = []
  const report = (end: PageReport['end'], fault: PageFault | null = null): PageReport => ({
    ...{
      end,
      fault,
      steps,
      trail: null,
      totalMs: Math.round(performance.now() - startedAt),
      isReusable: end !== 'crashed',
    },
  })
  let context: BrowserContext | null = null
  try {
    context = await openContext(browser, task)
    const watched = watchPage(context)
    const page = await context.newPage()
    page.on('crash', gone)
    browser.on('disconnected', gone)
    // A page that opens others goes on by itself.
    context.on('page', (other) => void (other !== page && other.close().catch(() => {})))
    for (const step of [opening(task), ...task.steps]) {
      const startMs = Math.round(performance.now() - startedAt)
      const ended = await withinTime(page, step, whole.signal, loop)
      steps.push({
        startMs,
        durationMs: Math.round(performance.now() - startedAt) - startMs,
        httpStatusCode: ended === 'stalled' ? null : ended.status,
      })
      if (crash.signal.aborted) return await closed(context, report('crashed'))
      if (ended === 'stalled' || whole.end() === 'stalled') return await closed(context, report('stalled'))
      if (ended.outcome) {
        const failed = report('failed', ended.outcome)
        return await closed(context, { ...failed, trail: await watched.read(page) })
      }
    }
    const passed = report('passed')
    return await closed(context, task.showsTrail ? { ...passed, trail: await watched.read(page) } : passed)
  } catch {
    return { ...report('crashed'), isReusable: false }
  } finally {
    browser.off('disconnected', gone)
    whole.stop()
  }
}

function openContext(browser: Browser, { proxy }: PageTask): Promise<BrowserContext> {
  return browser.newContext({
    viewport: VIEWPORT,
    proxy: { ...proxy, bypass: '<-loopback>' },
    acceptDownloads: false,
    serviceWorkers: 'block',
    permissions: [],
    locale: 'en-GB',
  })
}

/** Closes the context; one that does not close is left to the end of its process. */
async function closed(context: BrowserContext, report: PageReport): Promise<PageReport> {
  const isClosed = await untilAborted(
    context.close().then(
      () => true,
      () => false,
    ),
    AbortSignal.timeout(CLOSING_MS),
    false,
  )
  return { ...report, isReusable: report.isReusable && isClosed }
}

function opening({ url }: PageTask): FilledStep {
  return { action: 'goto', url, limitMs: null, isSecret: false }
}

/** Makes a step within its time, which is longer where this process stands still. */
async function withinTime(
  page: Page,
  step: FilledStep,
  whole: AbortSignal,
  loop: LoopWatch,
): Promise<Ended | 'stalled'> {
  // Without a limit of its own, the end of the whole is its end.
  const own = startDeadline(step.limitMs ?? 2 ** 30, whole, loop)
  try {
    const made = make(page, step, own.signal).catch(
      (error: Error): Ended => ({ outcome: faultOf(step, error), status: null }),
    )
    const ended = await untilAborted(made, own.signal, null)
    if (own.end() === 'stalled') return 'stalled'
    return ended ?? { outcome: lateOf(step, page.url()), status: null }
  } finally {
    own.stop()
  }
}

/** The fault of a step whose time is over. */
function lateOf({ action }: FilledStep, url: string): PageFault {
  switch (action) {
    case 'goto':
      return { kind: 'not loaded' }
    case 'expect_text':
      return { kind: 'no text' }
    case 'expect_no_text':
      return { kind: 'text' }
    case 'expect_url':
      return { kind: 'other page', url }
    case 'select':
      return { kind: 'no option' }
    default:
      return { kind: 'not seen' }
  }
}

/** The fault of a step that the browser refuses. */
function faultOf({ action }: FilledStep, { message }: Error): PageFault {
  if (/Download is starting/i.test(message)) return { kind: 'download' }
  const code = /net::(ERR_\w+)/.exec(message)?.[1]
  if (code !== undefined) return { kind: 'not opened', code }
  if (/Unexpected token|is not a valid selector|parsing selector|Unknown engine/i.test(message))
    return { kind: 'no selector' }
  if (action === 'press' && /Unknown key/i.test(message)) return { kind: 'no key' }
  if (/not an? <?(input|select)|is not editable|not editable/i.test(message)) return { kind: 'no field' }
  const [line = ''] = message.split('\n')
  return { kind: 'failed', message: line.slice(0, MAX_MESSAGE) }
}

async function make(page: Page, step: FilledStep, signal: AbortSignal): Promise<Ended> {
  const { action, value = '' } = step
  const target = step.target === undefined ? null : locate(page, step)
  const seen = target?.filter({ visible: true }).first() ?? null
  const endless = { timeout: 0 }
  switch (action) {
    case 'goto':
      return goTo(page, step.url ?? '')
    case 'click':
      await seen?.click(endless)
      break
    case 'fill':
      await seen?.fill(value, endless)
      break
    case 'press':
      await (seen ? seen.press(value, endless) : page.keyboard.press(value))
      break
    case 'select':
      await target?.first().selectOption(value, endless)
      break
    case 'expect_visible':
    case 'wait_for':
      await seen?.waitFor({ state: 'visible', ...endless })
      break
    case 'expect_url':
      while (!page.url().includes(value) && !signal.aborted) await pause()
      return {
        outcome: page.url().includes(value) ? null : { kind: 'other page', url: page.url() },
        status: null,
      }
    case 'expect_text':
    case 'expect_no_text':
      while ((await hasText(target ?? page.locator('body'), value)) !== (action === 'expect_text')) {
        if (signal.aborted) break
        await pause()
      }
  }
  return { outcome: null, status: null }
}

async function goTo(page: Page, written: string): Promise<Ended> {
  const url = URL.parse(written, page.url().startsWith('http') ? page.url() : undefined)
  if (!url || !/^https?:$/.test(url.protocol))
    return { outcome: { kind: 'not opened', code: 'ERR_INVALID_URL' }, status: null }
  const answer = await page.goto(url.href, { waitUntil: 'load', timeout: 0 })
  const status = answer?.status() ?? null
  const isBad = status !== null && status >= BAD_REQUEST
  return { outcome: isBad ? { kind: 'status', status } : null, status }
}

function locate(page: Page, { by = 'text', target = '' }: FilledStep): Locator {
  switch (by) {
    case 'label':
      return page.getByLabel(target)
    case 'css':
      return page.locator(`css=${target}`)
    case 'role': {
      const { role, name } = readRole(target) ?? { role: target, name: null }
      return page.getByRole(role as Parameters<Page['getByRole']>[0], name === null ? {} : { name })
    }
    default:
      return page.getByText(target)
  }
}

/** Whether people see the text there, however its lines are broken. False while the page is on its way to another one. */
async function hasText(place: Locator, wanted: string): Promise<boolean> {
  const plain = wanted.replace(/\s+/g, ' ').trim()
  return place
    .evaluateAll(
      (elements, text) =>
        elements.some((element) =>
          ((element as { innerText?: string }).innerText ?? '').replace(/\s+/g, ' ').includes(text),
        ),
      plain,
    )
    .catch(() => false)
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS))
}
