import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckRecord } from '../../src/core/check-chunk.ts'
import { storyChecks } from '../../src/core/incident-story.ts'
import type { Database } from '../../src/store/database.ts'
import { checksAround } from '../../src/store/incident-checks.ts'
import { insertMonitors, keepChecks, realisticDay } from '../support/checks.ts'
import { openWithoutDays, tend } from '../support/tending.ts'

const DAY_MS = 24 * 3_600_000
const FIRST_DAY = Date.parse('2027-03-20T00:00:00Z')
const DAYS = 8
/** When all but the last two days are compacted. */
const LATER = new Date('2027-03-28T00:10:00Z')
const HOUR_MS = 3_600_000

const hours = (count: number) => new Date(FIRST_DAY + count * HOUR_MS)

const incidents: [what: string, fromHour: number, hoursLong: number | null, sinceHour: number | null][] = [
  ['within a compacted day', 30, 2, null],
  ['over midnight of compacted days', 47, 3, null],
  ['over many compacted days', 30, 80, null],
  ['from a compacted day to a recent one', 100, 60, null],
  ['from a compacted day on', 100, null, null],
  ['within the recent days', 150, 3, null],
  ['that lasts since today', 170, null, null],
  ['that the plan shows the end of', 30, 80, 60],
  ['that the plan does not show', 30, 4, 90],
]

for (const [what, fromHour, hoursLong, sinceHour] of incidents) {
  test(`an incident ${what} is told as if all its checks were read`, async (t) => {
    const db = await openWithoutDays(t)
    const [id = 0, other = 0] = await insertMonitors(db, 2)
    const days = Array.from({ length: DAYS }, (_, day) =>
      realisticDay(day, new Date(FIRST_DAY + day * DAY_MS)),
    )
    const end = hoursLong === null ? Number.POSITIVE_INFINITY : hours(fromHour + hoursLong).getTime()
    const checks = days.flat().map((check) => asOf(check, hours(fromHour).getTime(), end))
    const startedAt = checks.find(({ status }) => status === 'down')?.checkedAt ?? new Date(0)
    const resolvedAt =
      hoursLong === null
        ? null
        : (checks.find(({ checkedAt, status }) => checkedAt > startedAt && status === 'up')?.checkedAt ??
          null)
    await keep(db, id, checks)
    await keepChecks(db, other, days[1] ?? [])
    await tend(db, LATER)

    const since = sinceHour === null ? null : hours(sinceHour)
    const told = await checksAround(db.query, { monitorId: id, from: startedAt, until: resolvedAt, since })
    const shown = checks.filter(({ checkedAt }) => !since || checkedAt >= since)
    const expected = storyChecks(shown, { startedAt, resolvedAt })
    const story = storyChecks(told.checks, { startedAt, resolvedAt })
    assert.deepEqual(story.shown, expected.shown)
    assert.equal(told.countWithin, expected.countWithin)
    assert.ok(sinceHour !== null || expected.countWithin > 100)
  })
}

/** Down within the incident, up outside; a text of its own for each hour. */
function asOf(check: CheckRecord, startMs: number, endMs: number): CheckRecord {
  const ms = check.checkedAt.getTime()
  const isDown = ms >= startMs && ms < endMs
  return {
    ...check,
    status: isDown ? 'down' : 'up',
    errorMessage: isDown ? `down at ${Math.floor(ms / HOUR_MS)}` : null,
  }
}

async function keep(db: Database, monitorId: number, checks: CheckRecord[]): Promise<void> {
  await keepChecks(db, monitorId, checks)
  const { rows } = await db.pool.query('SELECT count(*) AS count FROM checks WHERE monitor_id = $1', [
    monitorId,
  ])
  assert.equal(rows[0].count, checks.length)
}
