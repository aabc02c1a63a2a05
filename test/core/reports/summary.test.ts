import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DAY_MS } from '../../../src/core/history/history-span.ts'
import { noTime } from '../../../src/core/history/uptime.ts'
import { formatUptime } from '../../../src/core/percent.ts'
import {
  lineOf,
  noIncidents,
  type SubjectFacts,
  totalsOf,
  worstFirst,
} from '../../../src/core/reports/summary.ts'

function subject(facts: Partial<SubjectFacts> = {}): SubjectFacts {
  return {
    kind: 'monitor',
    id: 1,
    name: 'Shop',
    times: noTime(),
    existedMs: DAY_MS,
    incidents: noIncidents(),
    ...facts,
  }
}

describe('the line of a subject', () => {
  it('has an uptime below 100 % as soon as a millisecond was down, and says that second', () => {
    const times = { ...noTime(), upMs: 400 * DAY_MS - 1, downMs: 1 }
    const line = lineOf(subject({ times, existedMs: 400 * DAY_MS }), null, [])
    assert.ok(line.uptime !== null && line.uptime < 1)
    assert.equal(formatUptime(line.uptime), '99.999 %')
    assert.equal(line.down_seconds, 1)
  })

  it('counts neither maintenance nor unknown time, and says how much that was', () => {
    const times = {
      ...noTime(),
      upMs: DAY_MS / 4,
      degradedMs: DAY_MS / 8,
      downMs: DAY_MS / 8,
      maintenanceMs: DAY_MS / 4,
    }
    const line = lineOf(subject({ times }), null, [times, noTime()])
    assert.equal(line.uptime, 0.75)
    assert.equal(line.maintenance_seconds, 21_600)
    assert.equal(line.unknown_seconds, 21_600)
    assert.deepEqual(line.bars, [0.75, null])
  })

  it('has no figures where nothing was judged and nothing happened', () => {
    const line = lineOf(subject({ existedMs: 0 }), null, [])
    const { uptime, longest_seconds, notice_seconds, recover_seconds, p50_ms, unknown_seconds } = line
    assert.deepEqual(
      { uptime, longest_seconds, notice_seconds, recover_seconds, p50_ms, unknown_seconds },
      {
        uptime: null,
        longest_seconds: null,
        notice_seconds: null,
        recover_seconds: null,
        p50_ms: null,
        unknown_seconds: 0,
      },
    )
  })

  it('has one decimal below 10 ms only', () => {
    const latency = { p50: 7.26, p95: 72.4, p99: 1_234.5, mean: 20 }
    const { p50_ms, p95_ms, p99_ms } = lineOf(subject(), latency, [])
    assert.deepEqual([p50_ms, p95_ms, p99_ms], [7.3, 72, 1_235])
  })
})

describe('the totals of a report', () => {
  it('add up time and incidents, so that each subject counts by its time', () => {
    const busy = {
      ...noIncidents(),
      incidents: 2,
      seconds: 300,
      longestSeconds: 200,
      noticed: 1,
      noticeSeconds: 20,
    }
    const long = {
      ...noIncidents(),
      incidents: 1,
      seconds: 900,
      longestSeconds: 900,
      noticed: 3,
      noticeSeconds: 20,
    }
    const totals = totalsOf([
      subject({ times: { ...noTime(), upMs: 90_000, downMs: 10_000 }, incidents: busy }),
      subject({
        times: { ...noTime(), upMs: 900_000 },
        incidents: { ...long, recovered: 1, recoverSeconds: 900 },
      }),
    ])
    assert.equal(totals.uptime, 0.99)
    assert.equal(totals.incidents, 3)
    assert.equal(totals.incident_seconds, 1_200)
    assert.equal(totals.longest_seconds, 900)
    assert.equal(totals.notice_seconds, 10)
    assert.equal(totals.recover_seconds, 900)
  })

  it('list the lowest uptime first, and what was not judged last', () => {
    const times = (downMs: number) => ({ ...noTime(), upMs: 1_000 - downMs, downMs })
    const all = [
      subject({ id: 1, name: 'B', times: times(0) }),
      subject({ id: 2, name: 'A', times: times(0) }),
      subject({ id: 3, name: 'Worst', times: times(500) }),
      subject({ id: 4, name: 'Unknown' }),
    ]
    assert.deepEqual(
      all.toSorted(worstFirst).map(({ name }) => name),
      ['Worst', 'A', 'B', 'Unknown'],
    )
  })
})
