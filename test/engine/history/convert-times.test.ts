import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uptimeOf } from '../../../src/core/history/uptime.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { readUptimes } from '../../../src/store/history/uptimes.ts'
import { keepChecks, realisticDay } from '../../support/history/checks.ts'
import { NO_TROUBLE, timesOf } from '../../support/history/trouble.ts'
import { openWithoutDays, tend, tending } from '../../support/history/upkeep.ts'
import { openOlderDatabase } from '../../support/postgres/older-database.ts'
import { addIncident } from '../../support/records/history.ts'
import { addMonitor } from '../../support/records/monitors.ts'
import { addRow } from '../../support/records/rows.ts'
import { addTeam } from '../../support/records/teams.ts'

const DAY = '2027-03-10'
const NOW = new Date('2027-03-12T12:20:00Z')
/** The day and the one after it are older than rows of checks. */
const LATER = new Date('2027-03-14T12:20:00Z')
const HOURLY = ['up', 'degraded', 'down', 'maintenance'] as const

/** Up, degraded and down checks of an hour, its region, and what that is in seconds: none where nothing is said. */
type Hour = [hour: number, region: string, counts: [number, number, number], seconds: number[] | null]

const HOURS: Hour[] = [
  [0, 'lon', [60, 0, 0], [3_600, 0, 0, 0]],
  [1, 'lon', [45, 15, 0], [2_700, 900, 0, 0]],
  // An incident from 02:10 to 02:30.
  [2, 'lon', [40, 0, 20], [2_400, 0, 1_200, 0]],
  // Ten checks hold for 90 s each.
  [3, 'lon', [10, 0, 0], [900, 0, 0, 0]],
  // A pause from 04:00 to 04:30.
  [4, 'lon', [30, 0, 0], [1_800, 0, 0, 0]],
  [5, 'lon', [30, 0, 0], [3_600, 0, 0, 0]],
  [5, 'nyc', [30, 0, 0], null],
  // An incident from 06:00 to 08:00; in between, nobody checked for an hour.
  [6, 'lon', [0, 0, 60], [0, 0, 3_600, 0]],
  [8, 'lon', [60, 0, 0], [3_600, 0, 0, 0]],
  // Checks that nothing followed from.
  [9, 'lon', [0, 0, 1], [0, 0, 0, 0]],
]

test('roll-ups of the release before get times: counts as shares, incidents and pauses exactly', async (t) => {
  const { db, bringForward } = await openOlderDatabase(t, '023')
  const { id, teamId } = await addMonitor(db)
  await db.pool.query(createPartition('check_hours', at(0)))
  for (const [hour, region, counts] of HOURS) await keepHour(db, id, at(hour), region, counts)
  await keepDays(db)
  for (const [from, to] of [
    ['02:10', '02:30'],
    ['06:00', '08:00'],
  ]) {
    const [started_at, resolved_at] = [new Date(`${DAY}T${from}Z`), new Date(`${DAY}T${to}Z`)]
    await addIncident(db, { team_id: teamId, monitor_id: id, started_at, resolved_at })
  }
  await addRow(db, 'monitor_pauses', { monitor_id: id, paused_at: at(4), resumed_at: at(4.5) })
  const job = await keepJob(db)
  await bringForward()
  for await (const _step of tending(db, LATER)) break
  await tend(db, LATER)
  await tend(db, LATER)
  const { rows } = await db.pool.query({
    text: `SELECT region, extract(hour FROM hour AT TIME ZONE 'UTC')::int, ${HOURLY.map((name) => `${name}_ms / 1000.0::float8`).join()}
           FROM check_hours WHERE monitor_id = $1 ORDER BY hour, region`,
    values: [id],
    rowMode: 'array',
  })
  assert.deepEqual(
    rows,
    HOURS.map(([hour, region, , seconds]) => [region, hour, ...(seconds ?? [null, null, null, null])]),
  )
  assert.deepEqual(await daysOf(db, id), [[DAY, 18_600, 900, 4_800, 0]])
  assert.deepEqual(await daysOf(db, job), [
    [DAY, 21 * 3_600, 0, 0, 0],
    ['2027-03-11', 4 * 3_600, 0, 20 * 3_600, 0],
    ['2027-03-12', 0, 0, 24 * 3_600, 0],
    ['2027-03-13', 0, 0, 24 * 3_600, 0],
  ])
  const uptimes = await readUptimes(db, [id], LATER, ['7d'])
  assert.equal(uptimes.get(id)?.['7d'], uptimeOf({ upMs: 18_600, degradedMs: 900, downMs: 4_800 }))
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

/** A daily job that pinged at 03:00, and is late since 04:00 of the next day. */
async function keepJob(db: Database): Promise<number> {
  const team_id = await addTeam(db)
  const job = await addMonitor(db, {
    team_id,
    type: 'heartbeat',
    url: null,
    check_interval_seconds: 25 * 3_600,
  })
  await keepHour(db, job.id, at(3), '', [1, 0, 0])
  await db.pool.query(`INSERT INTO check_days (monitor_id, day, up) VALUES ($1, $2, 1)`, [job.id, at(0)])
  await addIncident(db, { team_id, monitor_id: job.id, started_at: at(28) })
  return job.id
}

async function keepHour(
  db: Database,
  id: number,
  hour: Date,
  region: string,
  [up, degraded, down]: [number, number, number],
): Promise<void> {
  await db.pool.query(
    'INSERT INTO check_hours (monitor_id, hour, region, up, degraded, down) VALUES ($1, $2, $3, $4, $5, $6)',
    [id, hour, region, up, degraded, down],
  )
}

/** As the release before wrote them, and how far it was. */
async function keepDays(db: Database): Promise<void> {
  await db.pool.query(`INSERT INTO check_days (monitor_id, day, region, up, degraded, down)
    SELECT monitor_id, date_trunc('day', hour, 'UTC'), region, sum(up), sum(degraded), sum(down)
    FROM check_hours GROUP BY 1, 2, 3`)
  await db.pool.query(`INSERT INTO history_progress (hours_until) VALUES ('2027-03-14T12:00:00Z')`)
}

/** Seconds in each state, by day. */
async function daysOf(db: Database, id: number): Promise<unknown[][]> {
  const { rows } = await db.pool.query({
    text: `SELECT to_char(day AT TIME ZONE 'UTC', 'YYYY-MM-DD'), ${HOURLY.map((name) => `(sum(${name}_ms) / 1000.0)::float8`).join()}
           FROM check_days WHERE monitor_id = $1 GROUP BY day ORDER BY day`,
    values: [id],
    rowMode: 'array',
  })
  return rows
}

function at(hour: number): Date {
  return new Date(Date.parse(`${DAY}T00:00:00Z`) + hour * 3_600_000)
}
