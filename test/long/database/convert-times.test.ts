// npm test leaves this out: it fills a database of an older release, and brings it forward (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uptimeOf } from '../../../src/core/history/uptime.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { readUptimes } from '../../../src/store/history/uptimes.ts'
import { keepChecks, realisticDay } from '../../support/history/checks.ts'
import { NO_TROUBLE, timesOf } from '../../support/history/trouble.ts'
import { openWithoutDays, tend, tending } from '../../support/history/upkeep.ts'
import { openOlderDatabase } from '../../support/postgres/older-database.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addRow } from '../../support/records/rows.ts'
import { addTeam } from '../../support/records/teams.ts'

const NOW = new Date('2027-03-12T12:20:00Z')
/** The counted days are older than rows of checks. */
const LATER = new Date('2027-03-14T12:20:00Z')
const STATES = ['up', 'degraded', 'down', 'maintenance'] as const

/** Up, degraded and down checks of a day of March, by region, and the seconds in each state that they stand for. */
type Day = [day: number, counts: Record<string, [number, number, number]>, seconds: number[]]

const DAYS: Day[] = [
  [1, { lon: [1_440, 0, 0] }, [86_400, 0, 0, 0]],
  [2, { lon: [1_080, 360, 0] }, [64_800, 21_600, 0, 0]],
  // An incident from 10:00 to 10:20.
  [3, { lon: [1_420, 0, 20] }, [85_200, 0, 1_200, 0]],
  // Forty checks hold for 90 s each.
  [4, { lon: [40, 0, 0] }, [3_600, 0, 0, 0]],
  // A pause from noon to midnight.
  [5, { lon: [720, 0, 0] }, [43_200, 0, 0, 0]],
  [6, { lon: [720, 0, 0], nyc: [720, 0, 0] }, [86_400, 0, 0, 0]],
  // An incident over midnight, until 06:00.
  [7, { lon: [0, 0, 1_440] }, [0, 0, 86_400, 0]],
  [8, { lon: [1_080, 0, 360] }, [64_800, 0, 21_600, 0]],
  // A check that opened no incident.
  [9, { lon: [0, 0, 1] }, [0, 0, 0, 0]],
]

test('days of the release before get times: counts as shares, incidents and pauses exactly', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '023')
  const { id, teamId } = await addMonitor(db)
  for (const [day, counts] of DAYS) {
    for (const [region, of] of Object.entries(counts)) await keepDay(db, id, day, region, of)
  }
  for (const [from, to] of [
    ['03T10:00', '03T10:20'],
    ['07T00:00', '08T06:00'],
  ]) {
    const [started_at, resolved_at] = [new Date(`2027-03-${from}Z`), new Date(`2027-03-${to}Z`)]
    await addOldIncident(db, [teamId, id, started_at, resolved_at])
  }
  await addRow(db, 'monitor_pauses', { monitor_id: id, paused_at: at(5, 12), resumed_at: at(6) })
  const job = await keepJob(db)
  await db.pool.query(`INSERT INTO history_progress (hours_until) VALUES ('2027-03-14T12:00:00Z')`)
  await bringForward()
  for await (const _step of tending(db, LATER)) break
  await tend(db, LATER)
  await tend(db, LATER)
  assert.deepEqual(
    await daysOf(db, id),
    DAYS.map(([day, , seconds]) => [day, ...seconds]),
  )
  const { rows } = await db.pool.query(
    'SELECT count(*)::int AS rows FROM check_days WHERE monitor_id = $1 AND up_ms IS NOT NULL',
    [id],
  )
  assert.equal(rows[0].rows, DAYS.length, 'one region of each day has its time')
  assert.deepEqual(await daysOf(db, job), [
    [1, 86_400, 0, 0, 0],
    [2, 86_400, 0, 0, 0],
    [3, 14_400, 0, 72_000, 0],
    ...Array.from({ length: 10 }, (_, index) => [4 + index, 0, 0, 86_400, 0]),
  ])
  const uptimes = await readUptimes(db, [id], LATER, ['7d', '30d'])
  const whole = { upMs: 434400, degradedMs: 21_600, downMs: 109_200 }
  // The eighth of March is the only whole one of the last seven days with checks that count.
  assert.deepEqual(Object.values(uptimes.get(id) ?? {}), [null, 0.75, uptimeOf(whole), null])
})

test('hours that an older release rolled up beside this one are computed again from their checks', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db)
  const checks = [
    ...realisticDay(3, new Date('2027-03-11T00:00:00Z')),
    ...realisticDay(3, new Date('2027-03-12T00:00:00Z')).filter(({ checkedAt }) => checkedAt < NOW),
  ]
  await keepChecks(db, id, checks)
  await tend(db, new Date('2027-03-11T22:20:00Z'))
  await tend(db, NOW)
  await db.pool.query(
    `UPDATE check_hours SET up_ms = NULL, degraded_ms = NULL, down_ms = NULL WHERE hour >= '2027-03-11T22:00Z'`,
  )
  await db.pool.query(
    `UPDATE check_days SET up_ms = NULL, degraded_ms = NULL, down_ms = NULL WHERE day >= '2027-03-11T00:00Z'`,
  )
  await db.pool.query(`UPDATE history_progress SET timed_until = '2027-03-11T22:00Z'`)
  await tend(db, NOW)
  const span = [Date.parse('2027-03-11T13:00:00Z'), NOW.getTime()] as const
  const uptimes = await readUptimes(db, [id], NOW, ['24h', '7d'])
  assert.equal(uptimes.get(id)?.['24h'], uptimeOf(timesOf(checks, NO_TROUBLE, ...span)))
  const whole = timesOf(checks, NO_TROUBLE, Date.parse('2027-03-11T00:00:00Z'), NOW.getTime())
  assert.equal(uptimes.get(id)?.['7d'], uptimeOf(whole))
  const [day] = await daysOf(db, id)
  assert.equal(
    day?.[1],
    timesOf(checks, NO_TROUBLE, Date.parse('2027-03-11'), Date.parse('2027-03-12')).upMs / 1_000,
  )
})

/** Incidents of monitors had a table of their own then. */
async function addOldIncident(
  db: Database,
  incident: [teamId: number, monitorId: number, startedAt: Date, resolvedAt: Date | null],
): Promise<void> {
  await db.pool.query(
    'INSERT INTO incidents (team_id, monitor_id, started_at, resolved_at) VALUES ($1, $2, $3, $4)',
    incident,
  )
}

/** A daily job that pinged on two days, and is late since 04:00 of the third. */
async function keepJob(db: Database): Promise<number> {
  const team_id = await addTeam(db)
  const job = await addMonitor(db, {
    team_id,
    type: 'heartbeat',
    url: null,
    check_interval_seconds: 25 * 3_600,
  })
  for (const day of [1, 2]) await keepDay(db, job.id, day, '', [1, 0, 0])
  await addOldIncident(db, [team_id, job.id, at(3, 4), null])
  return job.id
}

async function keepDay(
  db: Database,
  id: number,
  day: number,
  region: string,
  [up, degraded, down]: [number, number, number],
): Promise<void> {
  await db.pool.query(
    'INSERT INTO check_days (monitor_id, day, region, up, degraded, down) VALUES ($1, $2, $3, $4, $5, $6)',
    [id, at(day), region, up, degraded, down],
  )
}

/** Seconds in each state, by day of the month. */
async function daysOf(db: Database, id: number): Promise<number[][]> {
  const { rows } = await db.pool.query({
    text: `SELECT extract(day FROM day AT TIME ZONE 'UTC')::int, ${STATES.map((name) => `(sum(${name}_ms) / 1000.0)::float8`).join()}
           FROM check_days WHERE monitor_id = $1 GROUP BY day ORDER BY day`,
    values: [id],
    rowMode: 'array',
  })
  return rows
}

function at(day: number, hour = 0): Date {
  return new Date(Date.UTC(2027, 2, day, hour))
}
