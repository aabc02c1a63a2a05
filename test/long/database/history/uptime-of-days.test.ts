// npm test leaves this out: it keeps, closes and retains months of days (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../../../src/postgres/database.ts'
import { readRolledUp } from '../../../../src/store/history/summaries.ts'
import { readUptimes } from '../../../../src/store/history/uptimes.ts'
import { keepChecks, realisticDay, upAt } from '../../../support/history/checks.ts'
import { openWithoutDays, tend } from '../../../support/history/upkeep.ts'
import { addIncident } from '../../../support/records/history.ts'
import { addMonitor, type NewMonitor } from '../../../support/records/monitors.ts'
import { addTeam } from '../../../support/records/teams.ts'

const HOUR = 3_600
const DAY = new Date('2027-03-20T00:00:00Z')

test('a day that is closed keeps its times, whatever becomes of the monitor', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db)
  await keepChecks(db, id, realisticDay(5, DAY))
  await tend(db, at(1, 2))
  const before = await timesOf(db, id)
  assert.ok(before.length === 1 && before[0]?.[0] === at(0).toISOString())
  await keepChecks(db, id, [upAt(at(0, 12, 31))])
  await db.pool.query(
    `UPDATE monitors SET check_interval_seconds = 5, request_timeout_seconds = 1, deleted_at = $1`,
    [at(0, 3)],
  )
  const read = () =>
    db.pool.query<{ checks: number }>('SELECT sum(up + down)::int AS checks FROM check_days WHERE day = $1', [
      DAY,
    ])
  assert.equal((await read()).rows[0]?.checks, 1_440)
  await tend(db, at(3, 1))
  assert.equal((await read()).rows[0]?.checks, 1_441, 'the late check is counted')
  assert.deepEqual((await timesOf(db, id)).slice(0, 1), before)
})

test('a job that pings once a day is up in the hours between, which have no points', async (t) => {
  const { db, id } = await openJob(t, 25 * HOUR)
  await keepChecks(db, id, [upAt(at(0, 3)), upAt(at(1, 3, 10)), upAt(at(2, 3, 5))])
  await tend(db, at(2, 12, 20))
  assert.deepEqual(await timesOf(db, id), [
    [at(0).toISOString(), 21 * HOUR, 0],
    [at(1).toISOString(), 24 * HOUR, 0],
  ])
  assert.deepEqual((await readUptimes(db, [id], at(2, 12, 30))).get(id), {
    '24h': 1,
    '7d': 1,
    '30d': 1,
    '90d': 1,
  })
  const points = await readRolledUp(db, [id], 'hour', at(0), at(2, 12, 30))
  assert.deepEqual(
    points.map(({ at }) => at.toISOString()).sort(),
    [at(0, 3), at(1, 3), at(2, 3)].map((hour) => hour.toISOString()),
  )
})

test('a job that pings once a week is up although its last ping is no row any more', async (t) => {
  const { db, id, teamId } = await openJob(t, 7 * 24 * HOUR)
  await keepChecks(db, id, [upAt(at(0, 3))])
  for (const day of [1, 2, 3, 4, 5]) await tend(db, at(day, 2))
  const { rows } = await db.pool.query('SELECT FROM check_chunks WHERE monitor_id = $1', [id])
  assert.equal(rows.length, 1, 'it is in a chunk')
  const upAllDay = [1, 2, 3, 4].map((day) => [at(day).toISOString(), 24 * HOUR, 0])
  assert.deepEqual(await timesOf(db, id), [[at(0).toISOString(), 21 * HOUR, 0], ...upAllDay])
  await addIncident(db, { team_id: teamId, monitor_id: id, started_at: at(7, 3), resolved_at: at(7, 9) })
  await keepChecks(db, id, [{ ...upAt(at(7, 3)), status: 'down' }, upAt(at(7, 9))])
  await tend(db, at(8, 2))
  assert.deepEqual((await timesOf(db, id)).at(-1), [at(7).toISOString(), 18 * HOUR, 6 * HOUR])
})

async function openJob(t: Parameters<typeof openWithoutDays>[0], seconds: number) {
  const db = await openWithoutDays(t)
  const team_id = await addTeam(db, { plan: 'business' })
  const job: NewMonitor = { team_id, type: 'heartbeat', url: null, check_interval_seconds: seconds }
  const { id, teamId } = await addMonitor(db, job)
  return { db, id, teamId }
}

/** Start, and seconds up and down, of each day. */
async function timesOf(db: Database, id: number): Promise<unknown[][]> {
  const { rows } = await db.pool.query<{ day: Date; up: number; down: number }>(
    `SELECT day, (sum(up_ms) / 1000.0)::float8 AS up, (sum(down_ms) / 1000.0)::float8 AS down
     FROM check_days WHERE monitor_id = $1 GROUP BY day ORDER BY day`,
    [id],
  )
  return rows.map(({ day, up, down }) => [day.toISOString(), up, down])
}

function at(day: number, hour = 0, minute = 0): Date {
  return new Date(DAY.getTime() + ((day * 24 + hour) * 60 + minute) * 60_000)
}
