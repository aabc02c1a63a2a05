// npm test leaves this out: it rolls up random histories, and compares every window with the checks (seconds of a core).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckRecord } from '../../../../src/core/history/check-chunk.ts'
import { RELATIVE_ERROR } from '../../../../src/core/history/histogram.ts'
import { addCheck, emptyRollUp, latencyOf, type RollUp } from '../../../../src/core/history/roll-up.ts'
import { uptimeOf } from '../../../../src/core/history/uptime.ts'
import type { Database } from '../../../../src/postgres/database.ts'
import { readUptimes, UPTIME_DAYS, type UptimeWindow } from '../../../../src/store/history/uptimes.ts'
import { keepChecks, realisticDay } from '../../../support/history/checks.ts'
import { readPeriods } from '../../../support/history/periods.ts'
import { DAY_MS, type Kept, keepAnything, NOON } from '../../../support/history/random-history.ts'
import { keepTrouble, type Trouble, timesOf } from '../../../support/history/trouble.ts'
import { openWithoutDays, tend } from '../../../support/history/upkeep.ts'
import { addMonitor } from '../../../support/records/monitors.ts'
import { countRows } from '../../../support/records/rows.ts'

const HOUR_MS = 3_600_000

test('hours and days agree with the checks, rolled up or not yet, in rows or in chunks', async (t) => {
  const db = await openWithoutDays(t)
  const { kept } = await keepAnything(db, 3, 4)
  await assertAgrees(db, kept, 'before anything is rolled up')
  await tend(db, new Date('2027-03-29T07:20:00Z'))
  await assertAgrees(db, kept, 'with two days to roll up')
  await tend(db, NOON)
  await assertAgrees(db, kept, 'with the current hour to roll up')
  await tend(db, NOON)
  await assertAgrees(db, kept, 'after doing it again')
  assert.ok((await countRows(db, 'compacted_days')) >= 2, 'some of it was compacted')
})

test('uptime over each window is the share of judged time that passed, in whatever the history is kept', async (t) => {
  const db = await openWithoutDays(t)
  const { kept, ids, actor } = await keepAnything(db, 2, 100)
  const trouble = await keepTrouble(db, actor.teamId, ids)
  const expected = new Map(
    [...kept].map(([id, checks]) => [id, uptimesOf(checks, trouble.get(id) as Trouble)]),
  )
  for (const shares of expected.values())
    for (const share of Object.values(shares)) assert.ok(share && share < 1, `${share}`)
  const asked = [...ids, 999_999]
  expected.set(999_999, { '24h': null, '7d': null, '30d': null, '90d': null })
  assert.deepEqual(await readUptimes(db, asked, NOON), expected, 'from checks alone')
  await tend(db, new Date('2027-03-20T02:00:00Z'))
  assert.deepEqual(await readUptimes(db, asked, NOON), expected, 'from what is rolled up and the rest')
  await tend(db, NOON)
  assert.deepEqual(await readUptimes(db, asked, NOON), expected, 'from roll-ups and the current hour')
  const only = await readUptimes(db, ids, NOON, ['7d'])
  assert.deepEqual(only.get(ids[0] as number), {
    ...expected.get(999_999),
    '7d': expected.get(ids[0] as number)?.['7d'],
  })
})

test('percentiles of an hour and of a day are within the stated error', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db)
  const day = realisticDay(5, new Date('2027-03-30T00:00:00Z'))
  await keepChecks(db, id, day)
  await tend(db, NOON)
  for (const [unit, from, to] of [
    ['day', '2027-03-30T00:00:00Z', '2027-03-30T23:59:59Z'],
    ['hour', '2027-03-30T07:00:00Z', '2027-03-30T07:59:59Z'],
  ] as const) {
    const [period, more] = await readPeriods(db, [id], unit, new Date(from), new Date(to))
    assert.equal(more, undefined)
    const times = day
      .filter(({ checkedAt }) => checkedAt >= new Date(from) && checkedAt <= new Date(to))
      .flatMap(({ status, responseTimeMs }) => (status === 'up' ? (responseTimeMs ?? []) : []))
      .sort((a, b) => a - b)
    const latency = latencyOf((period as { rollUp: RollUp }).rollUp)
    for (const [name, q] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const) {
      const exact = times[Math.ceil(q * times.length) - 1] as number
      const read = latency[name] as number
      assert.ok(Math.abs(read - exact) <= RELATIVE_ERROR * exact, `${unit} ${name}: ${read} for ${exact}`)
    }
    assert.equal(latency.mean, times.reduce((sum, ms) => sum + ms, 0) / times.length)
  }
})

test('regions are kept apart, and read together', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db)
  const day = realisticDay(5, new Date('2027-03-30T00:00:00Z'))
  await keepChecks(
    db,
    id,
    day.map((check, index) => ({ ...check, region: ['lon', 'nyc', null][index % 3] ?? null })),
  )
  await tend(db, NOON)
  const { rows } = await db.pool.query('SELECT region, (up + down)::int AS n FROM check_days ORDER BY region')
  assert.deepEqual(
    rows,
    ['', 'lon', 'nyc'].map((region) => ({ region, n: 480 })),
  )
  const [whole] = await readPeriods(db, [id], 'day', new Date('2027-03-30T00:00:00Z'), NOON)
  assert.equal((whole?.rollUp.up ?? 0) + (whole?.rollUp.down ?? 0), 1_440)
})

test('an hour is rolled up once its last checks must have arrived', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db)
  await keepChecks(db, id, realisticDay(5, new Date('2027-03-30T00:00:00Z')))
  const hoursAt = async (time: string) => {
    await tend(db, new Date(time))
    return countRows(db, 'check_hours')
  }
  assert.equal(await hoursAt('2027-03-30T01:14:59Z'), 0)
  assert.equal(await hoursAt('2027-03-30T01:15:00Z'), 1)
  assert.equal(await hoursAt('2027-03-30T03:59:00Z'), 3)
})

test('a clock that was far ahead and is set back does not leave hours out', async (t) => {
  const db = await openWithoutDays(t)
  const { id } = await addMonitor(db)
  const day = new Date('2027-03-30T00:00:00Z')
  await keepChecks(db, id, [])
  await tend(db, new Date('2027-04-02T12:00:00Z'))
  await keepChecks(db, id, realisticDay(5, day))
  await tend(db, new Date('2027-03-31T00:20:00Z'))
  assert.equal(await countRows(db, 'check_hours'), 24)
})

async function assertAgrees(db: Database, kept: Kept, when: string): Promise<void> {
  for (const [unit, unitMs] of [['hour', HOUR_MS] as const, ['day', DAY_MS] as const]) {
    const from = new Date('2027-03-28T05:00:00Z')
    const read = await readPeriods(db, [...kept.keys()], unit, from, NOON)
    const expected = periodsOf(kept, unitMs, Math.ceil(from.getTime() / unitMs) * unitMs)
    assert.deepEqual(
      new Map(read.map(({ monitorId, at, rollUp }) => [`${monitorId} ${at.toISOString()}`, inOrder(rollUp)])),
      expected,
      `${unit}s ${when}`,
    )
    assert.deepEqual(
      read.map(({ at }) => at.getTime()),
      read.map(({ at }) => at.getTime()).sort((a, b) => a - b),
    )
  }
}

/** Checks that failed under maintenance count neither way. */
function periodsOf(kept: Kept, unitMs: number, fromMs: number): Map<string, unknown> {
  const periods = new Map<string, RollUp>()
  for (const [id, checks] of kept) {
    for (const check of checks) {
      const at = Math.floor(check.checkedAt.getTime() / unitMs) * unitMs
      if (at < fromMs || check.status === 'maintenance') continue
      const key = `${id} ${new Date(at).toISOString()}`
      const rollUp = periods.get(key) ?? emptyRollUp()
      addCheck(rollUp, check)
      periods.set(key, rollUp)
    }
  }
  return new Map([...periods].map(([key, rollUp]) => [key, inOrder(rollUp)]))
}

function inOrder({ up, degraded, down, pending, responseTimeSumMs, extent, histogram }: RollUp) {
  const buckets = [...histogram].sort(([a], [b]) => a - b)
  return { up, degraded, down, pending, responseTimeSumMs, extent, buckets }
}

function uptimesOf(checks: CheckRecord[], trouble: Trouble): Record<UptimeWindow, number | null> {
  const uptimes: Record<string, number | null> = {}
  for (const [window, days] of Object.entries(UPTIME_DAYS)) {
    const since = Math.ceil((NOON.getTime() - days * DAY_MS) / HOUR_MS) * HOUR_MS
    uptimes[window] = uptimeOf(timesOf(checks, trouble, since, NOON.getTime()))
  }
  return uptimes as Record<UptimeWindow, number | null>
}
