import type { Browser, Page } from 'playwright-core'
import { untilLoaded } from '../../test/support/browser/screens.ts'
import { startTestService } from '../../test/support/services/service.ts'
import { signIn } from '../../test/support/services/signed-in.ts'
import { startChromium } from '../support/chromium.ts'
import { fillTeam } from '../support/dashboard-team.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { alone, compare, type Row } from '../support/table.ts'

const MONITORS = 5_000
/** Up to here a person takes it for at once, and a task delays nothing that they do. */
const PAINTED_LIMIT_MS = 300
const TASK_LIMIT_MS = 100
/** Monitors whose pages are opened. */
const OPENED = 50
const WINDOW = { width: 1440, height: 900 }
/** After it the page has nothing left to do that belongs to its load. */
const SETTLE_MS = 1_500
const VISITS_PER_ROUND = 3
const KEYS_EVERY_MS = 60

type Opening = { paintedMs: number; longestTaskMs: number; nodes: number }

/** From where a screen is opened, by which link, and what the browser's tab then says. */
type Way = { name: string; from: string; link: string; title: string }

/**
 * In a large team, by a real browser: from the click on a link to the first frame that shows the screen with its data,
 * each time in a page that was loaded anew and has not been there. The longest task of the page until half a second
 * after that is Chromium's own figure.
 */
export async function benchScreens(scope: Scope, options: Options): Promise<Row[]> {
  progress('screens: starting the service')
  // No part that checks: what is measured is the screen.
  const service = await startTestService({ ROLES: 'api' })
  scope.after(() => service.close())
  const { id: teamId } = await service.createTeam()
  const { browser: session } = await signIn(service, teamId)
  const opened = await fillTeam(service.services, teamId, MONITORS, OPENED, (what) => {
    progress(`screens: ${what}`)
  })
  const browser = await startChromium(scope)
  const visit = { browser, url: service.url, cookie: session.cookie(), team: `/teams/${teamId}` }
  const rows: Row[] = []
  for (const way of waysOf(`Monitor ${opened.length}`)) {
    progress(`screens: ${way.name}`)
    const openings: Opening[] = []
    for (let left = options.rounds * VISITS_PER_ROUND; left > 0; left--) openings.push(await open(visit, way))
    rows.push(...rowsOf(way.name, openings))
  }
  progress('screens: search')
  const searches: Opening[] = []
  for (let left = options.rounds * VISITS_PER_ROUND; left > 0; left--) searches.push(await search(visit))
  rows.push(...rowsOf('search in the list, from the last key', searches))
  return rows
}

function waysOf(monitor: string): Way[] {
  const place = (title: string, from = '/monitors') => ({
    name: title,
    from,
    link: `nav a:has-text("${title}")`,
    title,
  })
  return [
    place('Overview', '/contacts'),
    place('Monitors', ''),
    {
      name: 'a monitor',
      from: `/monitors?search=${encodeURIComponent(monitor)}`,
      link: `tr a:text-is("${monitor}")`,
      title: monitor,
    },
    place('Servers'),
    place('Sites'),
    place('Incidents'),
    place('Maintenance'),
    place('Status pages'),
    place('Contacts'),
    { name: 'Delivery log', from: '/contacts', link: 'a:has-text("Delivery log")', title: 'Delivery log' },
    place('Team'),
  ]
}

type Visit = { browser: Browser; url: string; cookie: string; team: string }

async function open(visit: Visit, { from, link, title }: Way): Promise<Opening> {
  return atPage(visit, from, async (page) => {
    const target = page.locator(link).first()
    const painted = watch(page, `document.title.includes(${JSON.stringify(title)})`, 'click')
    await painted.ready
    await target.click()
    return painted.result
  })
}

async function search(visit: Visit): Promise<Opening> {
  return atPage(visit, '/monitors', async (page) => {
    const found = `document.querySelectorAll('tr[data-row]').length === 1 && document.querySelector('tr[data-row] a').textContent === 'Monitor 4999'`
    const painted = watch(page, found, 'keydown')
    await painted.ready
    await page.getByRole('searchbox').pressSequentially('monitor 4999', { delay: KEYS_EVERY_MS })
    return painted.result
  })
}

async function atPage<T>(
  { browser, url, cookie, team }: Visit,
  path: string,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: WINDOW, locale: 'en-GB', reducedMotion: 'reduce' })
  try {
    const cookies = cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
    await context.addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })))
    const page = await context.newPage()
    await page.goto(`${url}${team}${path}`)
    await untilLoaded(page)
    await page.waitForTimeout(SETTLE_MS)
    return await work(page)
  } finally {
    await context.close()
  }
}

/** Begins with the last event of the type and ends with the frame after the one in which the condition holds. */
function watch(page: Page, condition: string, event: 'click' | 'keydown') {
  const ready = page.evaluate(`(() => {
    let startedAt = null
    let longestTaskMs = 0
    globalThis.tasks = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration)
    })
    tasks.observe({ type: 'longtask' })
    addEventListener('${event}', ({ timeStamp }) => { startedAt = timeStamp }, true)
    globalThis.painted = new Promise((resolve) => {
      const look = () => {
        const isThere = startedAt !== null && ${condition} && !document.querySelector('[aria-busy=true]')
        if (!isThere) return requestAnimationFrame(look)
        requestAnimationFrame(() => {
          // A task of its own comes after the frame was drawn.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => {
            const paintedMs = performance.now() - startedAt
            setTimeout(() => resolve({ paintedMs, longestTaskMs, nodes: document.getElementsByTagName('*').length }), 500)
          }
          port2.postMessage(null)
        })
      }
      requestAnimationFrame(look)
    })
  })()`)
  return {
    ready,
    get result() {
      return page.evaluate('globalThis.painted') as Promise<Opening>
    },
  }
}

function rowsOf(name: string, openings: Opening[]): Row[] {
  const what = (figure: string) => `Team of ${MONITORS}, ${name}: ${figure}`
  const limited = (figure: string, limitMs: number, values: number[]) =>
    compare(
      what(figure),
      'ms',
      'the limit',
      values.map((ours) => ({ ours, reference: limitMs })),
    )
  return [
    limited(
      'painted',
      PAINTED_LIMIT_MS,
      openings.map(({ paintedMs }) => paintedMs),
    ),
    limited(
      'longest task',
      TASK_LIMIT_MS,
      openings.map(({ longestTaskMs }) => longestTaskMs),
    ),
    alone(
      what('elements'),
      '',
      openings.map(({ nodes }) => nodes),
    ),
  ]
}
