import type { Browser, Page } from 'playwright-core'
import { inTransaction } from '../../src/postgres/database.ts'
import { announceMonitorNews } from '../../src/store/news.ts'
import { untilLoaded } from '../../test/support/browser/screens.ts'
import { startTestService, type TestService } from '../../test/support/services/service.ts'
import { signIn } from '../../test/support/services/signed-in.ts'
import { startChromium } from '../support/chromium.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import type { Scope } from '../support/scope.ts'
import { seedMonitors } from '../support/seed.ts'
import { alone, compare, type Row } from '../support/table.ts'

const MONITORS = 5_000
const FLAPPING = 500
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

type Seen = { shift: number; longestTaskMs: number }
type Reader = { name: string; page: Page; answers: number }

/**
 * How far the overview of a large team moves under the eyes of people who read it while 500 monitors flap: all layout
 * shifts without a press, by Chromium's own figures, over all minutes.
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
  await seedMonitors(service.services, teamId, MONITORS, () => settings)
  await service.services.db.pool.query("UPDATE monitor_state SET status = 'up', last_checked_at = now()")
  const browser = await startChromium(scope)
  const at = { url: service.url, path: `/teams/${teamId}`, cookie: session.cookie() }
  const readers = await Promise.all(
    Object.entries(WINDOWS).map(([name, viewport]) => openReader(browser, at, name, viewport)),
  )
  await flap(service, teamId, options.minutes * 60)
  const rows: Row[] = []
  for (const reader of readers) rows.push(...(await rowsOf(reader)))
  return rows
}

async function openReader(
  browser: Browser,
  { url, path, cookie }: { url: string; path: string; cookie: string },
  name: string,
  viewport: { width: number; height: number },
): Promise<Reader> {
  const context = await browser.newContext({ viewport, locale: 'en-GB' })
  const cookies = cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
  await context.addCookies(cookies.map(([name = '', value = '']) => ({ name, value, url })))
  const page = await context.newPage()
  const reader = { name, page, answers: 0 }
  page.on('response', (answer) => {
    if (answer.url().endsWith('/overview')) reader.answers++
  })
  await page.goto(`${url}${path}`)
  await untilLoaded(page)
  await page.evaluate(`
    globalThis.seen = { shift: 0, longestTaskMs: 0 }
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) seen.shift += value
    }).observe({ type: 'layout-shift' })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longestTaskMs = Math.max(seen.longestTaskMs, duration)
    }).observe({ type: 'longtask' })
  `)
  return reader
}

/** In each second as many monitors go down as come back. */
async function flap(service: TestService, teamId: number, seconds: number): Promise<void> {
  const { pool } = service.services.db
  const { rows } = await pool.query<{ id: number }>(
    'SELECT id FROM monitors WHERE team_id = $1 ORDER BY id LIMIT $2',
    [teamId, FLAPPING],
  )
  const began = performance.now()
  for (let second = 0; second < seconds; second++) {
    progress(`flapping: ${second} of ${seconds} s`)
    const due = rows.filter((_, index) => index % TURN_SECONDS === second % TURN_SECONDS).map(({ id }) => id)
    const goesDown = (id: number) => (Math.floor(second / TURN_SECONDS) + id) % 2 === 0
    await change(service, teamId, due.filter(goesDown), 'down')
    await change(
      service,
      teamId,
      due.filter((id) => !goesDown(id)),
      'up',
    )
    const waits = began + (second + 1) * 1_000 - performance.now()
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, waits)))
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
           INSERT INTO incidents (team_id, monitor_id, started_at, cause)
           SELECT $1, id, now(), cause FROM unnest($2::int[], $3::text[]) AS one (id, cause)
           RETURNING id, monitor_id, started_at)
         UPDATE monitor_state s SET status = 'down', status_since = o.started_at, last_checked_at = o.started_at,
           open_incident_id = o.id FROM opened o WHERE s.monitor_id = o.monitor_id`,
        [teamId, ids, ids.map(causeOf)],
      )
    } else {
      await client.query(
        `WITH closed AS (
           UPDATE incidents SET resolved_at = now()
           WHERE team_id = $1 AND monitor_id = ANY($2::int[]) AND resolved_at IS NULL)
         UPDATE monitor_state SET status = 'up', status_since = now(), last_checked_at = now(),
           open_incident_id = NULL WHERE monitor_id = ANY($2::int[])`,
        [teamId, ids],
      )
    }
    const news = ids.map((id) => ({ event: 'monitor' as const, data: { id, status, is_active: true } }))
    await announceMonitorNews(client, news)
  })
}

function causeOf(id: number): string {
  return id % 2 === 0
    ? `connection refused by 203.0.113.${id % HOSTS}:443`
    : `HTTP ${500 + (id % HOSTS)} (expected 200)`
}

async function rowsOf({ name, page, answers }: Reader): Promise<Row[]> {
  const { shift, longestTaskMs } = (await page.evaluate('seen')) as Seen
  const newest = page.getByRole('button', { name: /^\d+ new/ }).first()
  const waiting = Number.parseInt((await newest.textContent()) ?? '', 10)
  await showThatMovesAreSeen(page, shift)
  const what = (figure: string) => `Overview of ${MONITORS}, ${FLAPPING} flapping, ${name}: ${figure}`
  const limited = (figure: string, unit: string, ours: number, reference: number) =>
    compare(what(figure), unit, 'the limit', [{ ours, reference }])
  return [
    limited('layout shift', '', shift, SHIFT_LIMIT),
    alone(what('monitors that waited behind “new”'), '', [waiting]),
    limited('longest task', 'ms', longestTaskMs, TASK_LIMIT_MS),
    alone(what('answers that it drew'), '', [answers]),
  ]
}

/** A page that moved without a figure would have measured nothing. */
async function showThatMovesAreSeen(page: Page, before: number): Promise<void> {
  await page.evaluate("document.querySelector('main').style.marginTop = '200px'")
  await page.waitForFunction(`seen.shift > ${before} + 0.05`)
}
