import { setTimeout as delay } from 'node:timers/promises'
import { createRecorder } from '../src/engine/recording/recorder.ts'
import { insertWindow, windowsChanged } from '../src/store/maintenance/windows.ts'
import type { Store } from '../src/store/store.ts'
import { insertTeam } from '../src/store/teams/teams.ts'
import type { TestService } from '../test/support/services/service.ts'
import { until } from '../test/support/until.ts'
import { cpuMicros, databaseRoot, treeCpuMicros } from './processes.ts'
import { closedLoop } from './support/closed-loop.ts'
import { openBenchDatabase, reportTrouble } from './support/open-database.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import { measureInTurn, pairsOf } from './support/rounds.ts'
import type { Scope } from './support/scope.ts'
import { type SeededMonitor, seedMonitors } from './support/seed.ts'
import { moveWindows, seedWindows } from './support/seed-windows.ts'
import { restart, type SeededService, startSeededService, untilChecking } from './support/seeded-service.ts'
import { percentile } from './support/statistics.ts'
import { alone, compare, type Pair, type Row } from './support/table.ts'

const MONITORS = 10_000
const FEW_MONITORS = 10
const WINDOWS = 1_000
const FAILING_SHARE = 0.02
/** Those that fail when a window ends, all at once. */
const FAILING_AT_END = 1_000
const HOUR_MS = 3_600_000
const IN_FLIGHT = 1_000
const RESULT = {
  responseTimeMs: 12,
  httpStatusCode: 200,
  errorMessage: null,
  phases: null,
  certificate: null,
}
/** The aftermath of a start, or of windows that have just changed, is over by then. */
const SETTLE_MS = 8_000
/** A whole minute, in which each monitor is checked once and whatever is done once a minute is done once. */
const WATCH_MS = 60_000
/** Long enough for a service to start again and to be at rest. */
const UNTIL_END_MS = 25_000
/** The target answers 200. */
const FAILS = { expected_status_codes: [418] }

/** The cost of maintenance windows, and how punctual the checks are at the end of one. */
export async function benchMaintenance(scope: Scope, options: Options): Promise<Row[]> {
  return [
    await benchRecorder(scope, options),
    ...(await benchWindowsAlone(scope, options)),
    ...(await benchCost(scope, options)),
    ...(await benchEnd(scope)),
  ]
}

/** Results of nothing, as fast as the recorder takes them: the cost of judging by windows, with the database. */
async function benchRecorder(scope: Scope, options: Options): Promise<Row> {
  progress('maintenance: opening a database')
  const { store, teamId, dataDir } = await openBenchDatabase(scope)
  const { db, vault } = store
  const park = await insertTeam(db.query, vault, {
    name: 'Park',
    plan: 'business',
    signingSecret: 'whsec_park',
  })
  const monitors = await seedMonitors(store, teamId, MONITORS, () => ({}))
  const ids = idsOf(monitors)
  const failing = new Set(ids.filter((_, number) => number % (1 / FAILING_SHARE) === 0))
  await seedWindows(store, teamId, monitors, WINDOWS)
  await coverNow(store, teamId, [...failing], HOUR_MS)
  await db.pool.query('VACUUM ANALYZE')
  const recorder = createRecorder(db, reportTrouble)
  scope.after(() => recorder.close())
  let next = 0
  const record = async () => {
    const monitorId = ids[next++ % ids.length] as number
    const status = failing.has(monitorId) ? ('down' as const) : ('up' as const)
    const about = { revision: null, checkedAt: new Date(), region: null, heartbeat: null, ping: null }
    await recorder.record({ monitorId, ...about, result: { ...RESULT, status } })
  }
  let shown = teamId
  const measured = (team: number) => async (seconds: number) => {
    if (shown !== team) await moveWindows(store, shown, team)
    shown = team
    // Windows are read once, and incidents are open: what goes on is measured, not what begins.
    await Promise.all(ids.map(record))
    const micros = () => cpuMicros(process.pid) + treeCpuMicros(databaseRoot(dataDir))
    const before = micros()
    const { done } = await closedLoop(IN_FLIGHT, seconds, record)
    return (micros() - before) / done
  }
  const rounds = await measureInTurn('maintenance', options, measured(teamId), measured(park))
  return compare(
    `Recording alone, 2 % failing, ${WINDOWS.toLocaleString('en-US')} windows: CPU each, with the database`,
    'µs',
    'the same without windows',
    pairsOf(rounds, (micros) => micros),
  )
}

/** With hardly a check the cost of windows themselves is not lost in that of checks. */
async function benchWindowsAlone(scope: Scope, options: Options): Promise<Row[]> {
  const seeded = await startSeededService(scope)
  const { service, team, targetUrl } = seeded
  const park = (await service.createTeam()).id
  const settings = { url: targetUrl, check_interval_minutes: 1 as const }
  const monitors = await seedMonitors(service.services, team.id, FEW_MONITORS, () => settings)
  await seedWindows(service.services, team.id, monitors, WINDOWS)
  await moveWindows(service.services, team.id, park)
  await settle(service)
  const name = `${FEW_MONITORS} monitors at 60 s, ${WINDOWS.toLocaleString('en-US')} windows`
  const rows = await compareCost(seeded, park, name, options)
  await service.close()
  return rows
}

async function benchCost(scope: Scope, options: Options): Promise<Row[]> {
  progress('maintenance: starting the service')
  const seeded = await startSeededService(scope)
  const { service, team, targetUrl } = seeded
  const { pool } = service.services.db
  const park = (await service.createTeam()).id
  const rows: Row[] = []
  progress(`maintenance: creating ${MONITORS} monitors and ${WINDOWS} windows`)
  const settings = { url: targetUrl, check_interval_minutes: 1 as const }
  const monitors = await seedMonitors(service.services, team.id, MONITORS, () => settings)
  await pool.query(`UPDATE monitor_state SET status = 'up', last_checked_at = now()`)
  await pool.query('VACUUM ANALYZE monitors, monitor_state')
  await seedWindows(service.services, team.id, monitors, WINDOWS)
  await moveWindows(service.services, team.id, park)
  const name = `${MONITORS.toLocaleString('en-US')} monitors at 60 s, ${WINDOWS.toLocaleString('en-US')} windows`
  await settle(service)
  rows.push(...(await compareCost(seeded, park, name, options)))

  const failing = monitors.filter((_, number) => number % (1 / FAILING_SHARE) === 0).map(({ id }) => id)
  await pool.query('UPDATE monitors SET expected_status_codes = $2 WHERE id = ANY($1)', [
    failing,
    FAILS.expected_status_codes,
  ])
  await coverNow(service.services, team.id, failing, HOUR_MS)
  await moveWindows(service.services, team.id, park)
  await settle(service)
  progress('maintenance: waiting until all that fails was seen')
  await untilStatus(service, 'down', failing.length)
  const percent = `${FAILING_SHARE * 100} % failing under maintenance`
  rows.push(...(await compareCost(seeded, park, `${name}, ${percent}`, options)))
  return rows
}

/** CPU with the windows, and without them before and after: what comes and goes with time falls on both. */
async function compareCost(
  { service, team }: SeededService,
  park: number,
  name: string,
  { rounds }: Options,
): Promise<Row[]> {
  const pairs: Pair[] = []
  let before = await cpuPercent(service)
  for (let round = 1; round <= rounds; round++) {
    progress(`maintenance: ${name}: round ${round} of ${rounds}`)
    await moveWindows(service.services, park, team.id)
    const ours = await cpuPercent(service)
    await moveWindows(service.services, team.id, park)
    const after = await cpuPercent(service)
    pairs.push({ ours, reference: (before + after) / 2 })
    before = after
  }
  return [compare(`${name}: CPU, service + database`, '% of a core', 'the same without windows', pairs)]
}

async function cpuPercent(service: TestService): Promise<number> {
  await delay(SETTLE_MS)
  const database = databaseRoot(service.dataDir)
  const micros = () => cpuMicros(service.pid) + treeCpuMicros(database)
  const before = micros()
  const from = performance.now()
  await delay(WATCH_MS)
  return (micros() - before) / (performance.now() - from) / 10
}

async function benchEnd(scope: Scope): Promise<Row[]> {
  const { service, team, targetUrl } = await startSeededService(scope)
  const { pool } = service.services.db
  progress(`maintenance: creating ${FAILING_AT_END} monitors that fail`)
  const settings = { url: targetUrl, check_interval_minutes: 60 as const, ...FAILS }
  const monitors = await seedMonitors(service.services, team.id, FAILING_AT_END, () => settings)
  const endsAt = await coverNow(service.services, team.id, idsOf(monitors), UNTIL_END_MS)
  await pool.query(`UPDATE monitor_state SET status = 'maintenance', last_checked_at = now()`)
  await settle(service)
  progress('maintenance: waiting for the end of a window')
  const toldMs = await until('all that fails to be told', async () => {
    const { rows } = await pool.query<{ open: number }>('SELECT count(*)::int AS open FROM team_incidents')
    return rows[0]?.open === monitors.length && Date.now() - endsAt.getTime()
  })
  const { rows: wrong } = await pool.query('SELECT FROM team_incidents WHERE started_at <> $1', [endsAt])
  if (wrong.length > 0) throw new Error(`${wrong.length} incidents do not begin when the window ends`)
  const { rows: checks } = await pool.query<{ late: number }>(
    `SELECT extract(epoch FROM min(checked_at) - $1)::float8 * 1000 AS late
     FROM checks WHERE checked_at >= $1 GROUP BY monitor_id`,
    [endsAt],
  )
  const late = checks.map((check) => check.late)
  const name = `End of a window over ${FAILING_AT_END.toLocaleString('en-US')} failing monitors at 60 min`
  return [
    ...[0.5, 0.99, 1].map((share) => {
      const which = share === 1 ? 'last' : `p${share * 100}`
      return alone(`${name}: checked after, ${which}`, 'ms', [percentile(late, share)])
    }),
    alone(`${name}: all incidents durable after`, 'ms', [toldMs]),
  ]
}

/** A window over these monitors that has begun, and the moment at which it ends. */
async function coverNow(
  { db, vault }: Pick<Store, 'db' | 'vault'>,
  teamId: number,
  ids: number[],
  forMs: number,
): Promise<Date> {
  const [startsAt, endsAt] = [new Date(Date.now() - HOUR_MS), new Date(Date.now() + forMs)]
  const window = {
    ...{
      kind: 'one_off' as const,
      name: 'Works',
      note: '',
      shows_on_pages: true,
      public_name: '',
      all_subjects: false,
      monitor_ids: ids,
      server_ids: [],
      site_ids: [],
      tags: [],
    },
    ...{ starts_at: startsAt, ends_at: endsAt },
  }
  await db.query.transaction().execute(async (query) => {
    await insertWindow(query, vault, teamId, window, { since: startsAt, token: null })
    await windowsChanged(query, teamId)
  })
  return endsAt
}

async function settle(service: TestService): Promise<void> {
  await restart(service)
  await untilChecking(service)
  await delay(SETTLE_MS)
}

async function untilStatus(service: TestService, status: string, count: number): Promise<void> {
  await until(`${count} monitors to be ${status}`, async () => {
    const { rows } = await service.services.db.pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM monitor_state WHERE status = $1',
      [status],
    )
    await delay(200)
    return rows[0]?.count === count
  })
}

function idsOf(monitors: SeededMonitor[]): number[] {
  return monitors.map(({ id }) => id)
}
