// npm test leaves this out: it compares rows of the list with random histories of 35 days (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckRecord } from '../../../../src/core/history/check-chunk.ts'
import { RELATIVE_ERROR } from '../../../../src/core/history/histogram.ts'
import { uptimeOf } from '../../../../src/core/history/uptime.ts'
import { MONITOR_LIST } from '../../../../src/core/lists/monitor-list.ts'
import { DAYS_OF_ROW, MonitorRow } from '../../../../src/core/monitors/monitor-row.ts'
import type { Actor } from '../../../../src/operations/implementation.ts'
import { listMonitorRows } from '../../../../src/operations/monitors/monitor-rows.ts'
import type { Database } from '../../../../src/postgres/database.ts'
import {
  DAY_MS,
  exactQuantile,
  type Kept,
  keepAnything,
  NOON,
  readingServices,
} from '../../../support/history/random-history.ts'
import { keepTrouble, type Trouble, timesOf } from '../../../support/history/trouble.ts'
import { openWithoutDays, tend } from '../../../support/history/upkeep.ts'
import { addRows } from '../../../support/records/rows.ts'

const HOUR_MS = 3_600_000
const TODAY_MS = Math.floor(NOON.getTime() / DAY_MS) * DAY_MS

test('a row agrees with the checks, rolled up or not yet, in rows or in chunks', async (t) => {
  const db = await openWithoutDays(t)
  const { kept, ids, actor } = await keepAnything(db, 3, 35)
  const trouble = await keepTrouble(db, actor.teamId, ids)
  await keepAnything(db, 1, 35)
  await assertAgrees(db, kept, trouble, actor, 'before anything is rolled up')
  await tend(db, new Date('2027-03-29T07:20:00Z'))
  await assertAgrees(db, kept, trouble, actor, 'with two days to roll up')
  await tend(db, NOON)
  await assertAgrees(db, kept, trouble, actor, 'with the current hour to roll up')
})

test('a monitor without checks has a row of nothing', async (t) => {
  const db = await openWithoutDays(t)
  const { kept, actor } = await keepAnything(db, 1, 1)
  await db.pool.query('DELETE FROM checks')
  const [row] = await rowsOf(db, actor)
  assert.equal(kept.size, 1)
  assert.deepEqual([row?.days, row?.uptime_30d], [new Array(DAYS_OF_ROW).fill(null), null])
  assert.deepEqual([row?.p50_ms, row?.p95_ms, row?.last_checked_at, row?.cause], [null, null, null, null])
})

test('a row tells how much of each day was maintenance, judged or not', async (t) => {
  const db = await openWithoutDays(t)
  const { ids, actor } = await keepAnything(db, 1, 1)
  await tend(db, NOON)
  const monitor_id = ids[0] as number
  const [half, whole] = [DAY_MS / 2, DAY_MS]
  await addRows(db, 'check_days', [
    { monitor_id, day: new Date(TODAY_MS - 3 * DAY_MS), ...stateMs(half, half) },
    { monitor_id, day: new Date(TODAY_MS - 5 * DAY_MS), ...stateMs(0, whole) },
  ])
  const [row] = await rowsOf(db, actor)
  const expected = new Array(DAYS_OF_ROW).fill(0)
  expected[DAYS_OF_ROW - 1 - 3] = 43_200
  expected[DAYS_OF_ROW - 1 - 5] = 86_400
  assert.deepEqual(row?.maintenance_days, expected)
  assert.deepEqual([row?.days.at(-4), row?.days.at(-6)], [1, null])
})

function stateMs(up_ms: number, maintenance_ms: number) {
  return { up_ms, degraded_ms: 0, down_ms: 0, maintenance_ms }
}

async function rowsOf(db: Database, actor: Actor): Promise<MonitorRow[]> {
  const query = MONITOR_LIST.query.parse({})
  const asked = { actor, record: undefined as never, query, body: undefined }
  const { body } = await listMonitorRows.perform(readingServices(db), asked)
  return (body as { data: unknown[] }).data.map((row) => MonitorRow.parse(row))
}

async function assertAgrees(
  db: Database,
  kept: Kept,
  trouble: Map<number, Trouble>,
  actor: Actor,
  when: string,
) {
  const rows = await rowsOf(db, actor)
  assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set(kept.keys()), when)
  for (const row of rows) {
    const checks = kept.get(row.id) as CheckRecord[]
    const uptimeFrom = (fromMs: number, toMs: number) =>
      uptimeOf(timesOf(checks, trouble.get(row.id) as Trouble, fromMs, toMs))
    const days = Array.from({ length: DAYS_OF_ROW }, (_, index) => {
      const from = TODAY_MS - (DAYS_OF_ROW - 1 - index) * DAY_MS
      return uptimeFrom(from, Math.min(from + DAY_MS, NOON.getTime()))
    })
    assert.deepEqual(row.days, days, when)
    const since = (ms: number) => {
      const from = Math.ceil((NOON.getTime() - ms) / HOUR_MS) * HOUR_MS
      return checks.filter(({ checkedAt }) => checkedAt.getTime() >= from)
    }
    const monthAgoMs = Math.ceil((NOON.getTime() - 30 * DAY_MS) / HOUR_MS) * HOUR_MS
    assert.equal(row.uptime_30d, uptimeFrom(monthAgoMs, NOON.getTime()), when)
    for (const [read, q] of [[row.p50_ms, 0.5] as const, [row.p95_ms, 0.95] as const]) {
      const exact = exactQuantile(since(DAY_MS), q) as number
      assert.ok(
        read !== null && Math.abs(read - exact) <= RELATIVE_ERROR * exact + 0.5,
        `${read} for ${exact}`,
      )
    }
  }
}
