// npm test leaves this out: it keeps incidents over months of checks, in rows and in chunks (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { CheckRecord } from '../../../src/core/history/check-chunk.ts'
import { storyChecks } from '../../../src/core/monitors/incident-story.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { readIncidentChecks } from '../../../src/store/monitors/incident-checks.ts'
import { keepChecks, realisticDay } from '../../support/history/checks.ts'
import { openWithoutDays, tend } from '../../support/history/upkeep.ts'
import { addMonitor, addMonitors } from '../../support/records/monitors.ts'
import { countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'

const DAY_MS = 24 * 3_600_000
const FIRST_DAY = Date.parse('2027-03-20T00:00:00Z')
const DAYS = 8
/** When all but the last two days are compacted. */
const LATER = new Date('2027-03-28T00:10:00Z')
const HOUR_MS = 3_600_000

const hours = (count: number) => new Date(FIRST_DAY + count * HOUR_MS)

type Incident = [what: string, fromHour: number, hoursLong: number | null, sinceHour: number | null]

/** The incidents of each monitor, which do not overlap. */
const histories: Incident[][] = [
  [
    ['within a compacted day', 30, 2, null],
    ['over midnight of compacted days', 47, 3, null],
    ['from a compacted day to a recent one', 100, 60, null],
    ['that lasts since today', 170, null, null],
  ],
  [
    ['over many compacted days', 30, 80, null],
    ['that the plan shows the end of', 30, 80, 60],
    ['within the recent days', 150, 3, null],
  ],
  [
    ['that the plan does not show', 30, 4, 90],
    ['from a compacted day on', 100, null, null],
  ],
]

describe('an incident is told as if all its checks were read', () => {
  const scope = suiteScope()
  let db: Database
  let monitors: number[]
  const days = Array.from({ length: DAYS }, (_, day) => realisticDay(day, new Date(FIRST_DAY + day * DAY_MS)))
  const checksOf = histories.map((incidents) => days.flat().map((check) => asOf(check, incidents)))

  before(async () => {
    db = await openWithoutDays(scope)
    monitors = (await addMonitors(db, histories.length)).map(({ id }) => id)
    const { id: other } = await addMonitor(db)
    for (const [index, id] of monitors.entries()) await keep(db, id, checksOf[index] as CheckRecord[])
    await keepChecks(db, other, days[1] ?? [])
    await tend(db, LATER)
  })

  for (const [index, incidents] of histories.entries()) {
    const checks = checksOf[index] as CheckRecord[]
    for (const [what, fromHour, hoursLong, sinceHour] of incidents) {
      it(what, async () => {
        const from = hours(fromHour)
        const down = checks.find(({ checkedAt, status }) => checkedAt >= from && status === 'down')
        const startedAt = down?.checkedAt ?? new Date(0)
        const up = checks.find(({ checkedAt, status }) => checkedAt > startedAt && status === 'up')
        const resolvedAt = hoursLong === null ? null : (up?.checkedAt ?? null)
        const since = sinceHour === null ? null : hours(sinceHour)
        const told = await readIncidentChecks(db.query, {
          monitorId: monitors[index] as number,
          from: startedAt,
          until: resolvedAt,
          since,
        })
        const shown = checks.filter(({ checkedAt }) => !since || checkedAt >= since)
        const expected = storyChecks(shown, { startedAt, resolvedAt })
        const story = storyChecks(told.checks, { startedAt, resolvedAt })
        assert.deepEqual(story.shown, expected.shown)
        assert.equal(told.countWithin, expected.countWithin)
        assert.ok(sinceHour !== null || expected.countWithin > 100)
      })
    }
  }
})

/** Down within the incidents, up outside; a text of its own for each hour. */
function asOf(check: CheckRecord, incidents: Incident[]): CheckRecord {
  const hour = (check.checkedAt.getTime() - FIRST_DAY) / HOUR_MS
  const isDown = incidents.some(
    ([, from, hoursLong]) => hour >= from && hour < from + (hoursLong ?? Number.POSITIVE_INFINITY),
  )
  return {
    ...check,
    status: isDown ? 'down' : 'up',
    errorMessage: isDown ? `down at ${Math.floor(check.checkedAt.getTime() / HOUR_MS)}` : null,
  }
}

async function keep(db: Database, monitorId: number, checks: CheckRecord[]): Promise<void> {
  await keepChecks(db, monitorId, checks)
  assert.equal(await countRows(db, 'checks', { monitor_id: monitorId }), checks.length)
}
