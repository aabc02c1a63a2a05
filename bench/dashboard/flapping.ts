import type { Browser, Page } from 'playwright-core'
import { inTransaction } from '../../src/postgres/database.ts'
import { announceMonitorNews, announceNews } from '../../src/store/news.ts'
import { untilLoaded } from '../../test/support/browser/screens.ts'
import { addServers } from '../../test/support/records/servers.ts'
import { startTestService, type TestService } from '../../test/support/services/service.ts'
import { signIn } from '../../test/support/services/signed-in.ts'
import { startChromium } from '../support/chromium.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { seedMonitors } from '../support/seed.ts'
import { alone, compare, type Row } from '../support/table.ts'

const MONITORS = 3_000
const FLAPPING = 300
const SERVERS = 300
const FLAPPING_SERVERS = 30
/** Down for so long, then up for as long: a part of them changes in each second. */
const TURN_SECONDS = 20
/** A tenth of what web.dev/cls calls good. */
const SHIFT_LIMIT = 0.01
const TASK_LIMIT_MS = 100
const WINDOWS = {
  '1440 px': { width: 1440, height: 900 },
  '390 px': { width: 390, height: 844 },
}
/** Many hosts make lines come, go and become groups. */
const HOSTS = 50

/** Each screen with the question whose answers it draws, and the button that says what waits; a wall has none. */
const SCREENS = {
  overview: { path: '', asks: '/overview', waits: /^\d+ new/ },
  monitors: { path: '/monitors', asks: '/monitor-rows', waits: /^\d+ changed/ },
  incidents: { path: '/incidents', asks: '/incident-rows', waits: /^\d+ changed/ },
  servers: { path: '/servers', asks: '/servers', waits: /^\d+ changed/ },
  wallboard: { path: '/wallboard', asks: '/overview', waits: null },
} as const
type Screen = keyof typeof SCREENS

type Seen = { shift: number; longestTaskMs: number; what: string[] }
type Reader = { screen: Screen; window: keyof typeof WINDOWS; page: Page; answers: number }

/**
 * How far screens of a large team move under the eyes of people who read them while monitors and servers flap: all layout
 * shifts without a press, by Chromium's own figures, over all minutes. On the wide windows the pointer is over the list; the
 * narrow ones are scrolled.
 */
export async function benchFlapping(scope: Scope, options: Options): Promise<Row[]> {
  progress('flapping: starting the service')
  // No part that checks: the benchmark says what is down, as the recorder writes it.
  const service = await startTestService({ ROLES: 'api' })
  scope.after(() => service.close())
  const { id: teamId } = await service.createTeam()
  const { browser: session } = await signIn(service, teamId)
  progress(`flapping: creating ${MONITORS} monitors`)
  const settings = { url: 'http://127.0.0.1:9/', check_interval_minutes: 1 as const }
  const { db } = service.services
  await seedMonitors(service.services, teamId, MONITORS, () => settings)
  await db.pool.query("UPDATE monitor_state SET status = 'up', last_checked_at = now()")
  const servers = await addServers(db, SERVERS, (index) => ({
    ...{ team_id: teamId, name: `Server ${index}` },
    state: { status: 'up', last_report_at: new Date() },
  }))
  const flapping = {
    monitors: await monitorsOf(service, teamId),
    servers: servers.slice(0, FLAPPING_SERVERS),
  }
  // Nothing moves in an empty list: half of it is down from the beginning.
  for (let second = 0; second < TURN_SECONDS; second++) await turn(service, teamId, flapping, second)
  const browser = await startChromium(scope)
  const at = { url: service.url, team: `/teams/${teamId}`, cookie: session.cookie() }
  const readers: Reader[] = []
  for (const screen of Object.keys(SCREENS) as Screen[])
    for (const window of Object.keys(WINDOWS) as Reader['window'][])
      readers.push(await openReader(browser, at, screen, window))
  await flap(service, teamId, flapping, options.minutes * 60)
  const rows: Row[] = []
  for (const reader of readers) rows.push(...(await rowsOf(reader)))
  return rows
}

async function openReader(
  browser: Browser,
  { url, team, cookie }: { url: string; team: string; cookie: string },
  screen: Screen,
  window: Reader['window'],
): Promise<Reader> {
  progress(`flapping: opening ${screen}, ${window}`)
  const context = await browser.newContext({ viewport: WINDOWS[window], locale: 'en-GB' })
  const cookies = cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
  await context.addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })))
  const page = await context.newPage()
  const reader: Reader = { screen, window, page, answers: 0 }
  const { path, asks } = SCREENS[screen]
  page.on('response', (answer) => {
    if (new URL(answer.url()).pathname.endsWith(asks)) reader.answers++
  })
  await page.goto(`${url}${team}${path}`)
  await untilLoaded(page)
  await read(reader)
  await page.evaluate(`
    globalThis.seen = { shift: 0, longestTaskMs: 0, what: [] }
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        seen.shift += value
        seen.what.push(value.toFixed(4) + ' ' + sources.map(({ node }) => node?.outerHTML?.slice(0, 160) ?? node?.data))
      }
    }).observe({ type: 'layout-shift' })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longestTaskMs = Math.max(seen.longestTaskMs, duration)
    }).observe({ type: 'longtask' })
  `)
  return reader
}

/** Has the pointer rest on a row, or the page scrolled so far as a thumb does. */
async function read({ screen, window, page }: Reader): Promise<void> {
  if (screen === 'wallboard') return
  const row = page.locator('main [data-row]').nth(2)
  await row.waitFor()
  if (window === '1440 px') return row.hover()
  await page.evaluate('scrollTo(0, 120)')
}

type Flapping = { monitors: number[]; servers: { id: number }[] }

async function monitorsOf(service: TestService, teamId: number): Promise<number[]> {
  const { rows } = await service.services.db.pool.query<{ id: number }>(
    'SELECT id FROM monitors WHERE team_id = $1 ORDER BY id LIMIT $2',
    [teamId, FLAPPING],
  )
  return rows.map(({ id }) => id)
}

/** In each second as many go down as come back. */
async function flap(service: TestService, teamId: number, all: Flapping, seconds: number): Promise<void> {
  const began = performance.now()
  for (let second = 1; second <= seconds; second++) {
    progress(`flapping: ${second} of ${seconds} s`)
    await turn(service, teamId, all, TURN_SECONDS + second - 1)
    const waits = began + second * 1_000 - performance.now()
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waits)))
  }
}

async function turn(
  service: TestService,
  teamId: number,
  { monitors, servers }: Flapping,
  second: number,
): Promise<void> {
  const isDue = (_: unknown, index: number) => index % TURN_SECONDS === second % TURN_SECONDS
  const goesDown = (id: number) => (Math.floor(second / TURN_SECONDS) + id) % 2 === 0
  const due = monitors.filter(isDue)
  await change(service, teamId, due.filter(goesDown), 'down')
  await change(
    service,
    teamId,
    due.filter((id) => !goesDown(id)),
    'up',
  )
  for (const { id } of servers.filter(isDue)) {
    const status = goesDown(id) ? 'down' : 'up'
    await service.services.db.pool.query(
      'UPDATE server_state SET status = $2, status_since = now() WHERE server_id = $1',
      [id, status],
    )
    await announceNews(service.services.db.query, {
      ...{ team_id: teamId, event: 'server', data: { id, status } },
    })
  }
}

async function change(
  { services: { db } }: TestService,
  teamId: number,
  ids: number[],
  status: 'up' | 'down',
): Promise<void> {
  await inTransaction(db.pool, async (client) => {
    if (status === 'down') {
      await client.query(
        `WITH opened AS (
           INSERT INTO team_incidents (kind, team_id, subject_id, started_at, cause)
           SELECT 'monitor', $1, id, now(), cause FROM unnest($2::int[], $3::text[]) AS one (id, cause)
           RETURNING id, subject_id AS monitor_id, started_at)
         UPDATE monitor_state s SET status = 'down', status_since = o.started_at, last_checked_at = o.started_at,
           open_incident_id = o.id FROM opened o WHERE s.monitor_id = o.monitor_id`,
        [teamId, ids, ids.map(causeOf)],
      )
    } else {
      await client.query(
        `WITH closed AS (
           UPDATE team_incidents SET resolved_at = now()
           WHERE team_id = $1 AND kind = 'monitor' AND subject_id = ANY($2::int[]) AND resolved_at IS NULL)
         UPDATE monitor_state SET status = 'up', status_since = now(), last_checked_at = now(),
           open_incident_id = NULL WHERE monitor_id = ANY($2::int[])`,
        [teamId, ids],
      )
    }
    const state = status === 'down' ? ('open' as const) : ('resolved' as const)
    await announceMonitorNews(
      client,
      ids.flatMap((id) => [
        { event: 'monitor' as const, data: { id, status, is_active: true } },
        // Their page is not open: any number will do for the incident.
        { event: 'incident' as const, data: { id, monitor_id: id, state } },
      ]),
    )
  })
}

function causeOf(id: number): string {
  return id % 2 === 0
    ? `connection refused by 203.0.113.${id % HOSTS}:443`
    : `HTTP ${500 + (id % HOSTS)} (expected 200)`
}

async function rowsOf({ screen, window, page, answers }: Reader): Promise<Row[]> {
  const { shift, longestTaskMs, what: moved } = (await page.evaluate('seen')) as Seen
  const { waits } = SCREENS[screen]
  const newest = waits && page.getByRole('button', { name: waits }).first()
  const waiting = newest && Number.parseInt((await newest.textContent()) ?? '', 10)
  if (shift > SHIFT_LIMIT) progress(`flapping: ${screen}, ${window} moved\n${moved.join('\n')}`)
  await showThatMovesAreSeen(page, shift)
  const what = (figure: string) =>
    `Screen ${screen} of ${MONITORS}, ${FLAPPING} flapping, ${window}: ${figure}`
  const limited = (figure: string, unit: string, ours: number, reference: number) =>
    compare(what(figure), unit, 'the limit', [{ ours, reference }])
  return [
    limited('layout shift', '', shift, SHIFT_LIMIT),
    ...(waiting === null ? [] : [alone(what('rows that waited'), '', [waiting])]),
    limited('longest task', 'ms', longestTaskMs, TASK_LIMIT_MS),
    alone(what('answers that it drew'), '', [answers]),
  ]
}

/** A page that moved without a figure would have measured nothing. */
async function showThatMovesAreSeen(page: Page, before: number): Promise<void> {
  await page.evaluate("document.querySelector('main').style.marginTop = '200px'")
  await page.waitForFunction(`seen.shift > ${before} + 0.05`)
}
