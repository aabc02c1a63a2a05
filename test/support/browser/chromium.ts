import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { HANG_GUARD_MS, hangGuardMs, testFailed } from '../hang-guard.ts'
import { processScope, type Scope } from '../scope.ts'
import { until } from '../until.ts'
import { chromiumProgram } from './chromium-program.ts'
import { openScreen } from './screens.ts'

export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 390, height: 844 }

const ARGS = [
  // Root has no sandbox.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-software-rasterizer',
  // It ends what has drawn nothing for seconds, as happens on a machine that is too busy.
  '--disable-gpu-watchdog',
]

/**
 * Makes notices and the timeouts of requests outlast any machine that is slow to look at them.
 * With shorter delays pages do their work: those stay as they are.
 */
const NOTHING_PASSES = `(() => {
  const stay = (ms) => (ms >= 2_000 ? 60 * ms : ms)
  const { setTimeout } = globalThis
  globalThis.setTimeout = (run, ms, ...given) => setTimeout(run, stay(ms), ...given)
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (ms) => timeout(stay(ms))
})()`

/** The events that tests listen to. */
const EVENTS = ['console', 'pageerror', 'request', 'requestfailed', 'response']

/** The dashboard forgets what it was answered, as when somebody signs out; but it is not loaded anew. */
const FORGET = `(() => {
  const { queries } = globalThis.__TSR_ROUTER__.options.context
  if (queries.isFetching() + queries.isMutating() > 0) return false
  queries.clear()
  localStorage.clear()
  sessionStorage.clear()
  for (const button of document.querySelectorAll('[role=status] button')) button.click()
  document.activeElement.blur()
  return true
})()`

/** A person at a browser of their own. */
export type Visit = {
  context: BrowserContext
  page: Page
  /** The errors on the page's console. */
  complaints: string[]
  leave(): Promise<void>
}

type Place = Pick<Visit, 'context' | 'page'>

let started: Promise<Browser> | undefined
const visits = new Set<Visit>()
/** Places that somebody has left, by what they are for. */
const free = new Map<string, Place[]>()

/** A real browser out of an npm package, one for the whole process; with the scope everybody leaves it. */
export async function openChromium(scope: Scope): Promise<Browser> {
  started ??= start()
  const browser = await started
  scope.after(async () => {
    for (const visit of visits) await visit.leave()
  })
  return browser
}

async function start(): Promise<Browser> {
  const executablePath = await chromiumProgram()
  const browser = await chromium.launch({ executablePath, args: ARGS, timeout: HANG_GUARD_MS })
  processScope.after(() => browser.close())
  return browser
}

/**
 * Cookies, storage and permissions are this visitor's alone; the dashboard stands there loaded where somebody was here
 * before, which is what costs most of the first screen: go on by `openScreen`.
 */
export async function openPage(browser: Browser, baseURL: string, locale = 'en-GB'): Promise<Visit> {
  const kind = `${baseURL} ${locale}`
  const place = free.get(kind)?.pop() ?? (await openPlace(browser, baseURL, locale))
  const complaints: string[] = []
  place.page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  place.page.on('pageerror', (error) => complaints.push(error.message))
  const visit: Visit = {
    ...place,
    complaints,
    async leave() {
      if (!visits.delete(visit)) return
      await empty(place)
      free.set(kind, [...(free.get(kind) ?? []), place])
    },
  }
  visits.add(visit)
  return visit
}

/** The same with the service worker, in a browser of its own, which is closed with the scope. */
export async function openInstalled(scope: Scope, browser: Browser, baseURL: string): Promise<Visit> {
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    viewport: WIDE,
    reducedMotion: 'reduce',
  })
  waitAsLongAsTests(context)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  scope.after(() => context.close())
  return { context, page, complaints, leave: () => context.close() }
}

async function openPlace(browser: Browser, baseURL: string, locale: string): Promise<Place> {
  const context = await browser.newContext({
    baseURL,
    locale,
    viewport: WIDE,
    reducedMotion: 'reduce',
    // It would answer in the place of routes that tests set. What it does is tried by `openInstalled`.
    serviceWorkers: 'block',
  })
  waitAsLongAsTests(context)
  await context.addInitScript(NOTHING_PASSES)
  return { context, page: await context.newPage() }
}

function waitAsLongAsTests(context: BrowserContext): void {
  const apply = () => context.setDefaultTimeout(hangGuardMs())
  testFailed.subscribe(apply)
  context.on('close', () => testFailed.unsubscribe(apply))
  apply()
}

function falseWhileLoading(error: Error): false {
  if (error.message.includes('context was destroyed')) return false
  throw error
}

async function empty({ context, page }: Place): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of EVENTS) await page.removeAllListeners(event)
  await page.unrouteAll()
  await context.setOffline(false)
  if ((await page.locator('#root').count()) === 0) await page.goto('/sign-in')
  // The dashboard loads itself anew where a part of it did not arrive, and so in the middle of this, once or more often.
  await until('the page to be left', () => openScreen(page, '/sign-in').then(() => true, falseWhileLoading))
  await until('all that was asked is answered', () => page.evaluate(FORGET).catch(falseWhileLoading))
  await context.clearPermissions()
  await context.clearCookies()
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: null })
}
