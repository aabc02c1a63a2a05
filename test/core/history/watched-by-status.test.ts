import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateTimes } from '../../../src/core/history/uptime.ts'
import { watchedByStatus } from '../../../src/core/history/watched-by-status.ts'
import type { CheckStatus } from '../../../src/core/monitors/check.ts'

/** Minutes of an hour, and a report a minute unless a case says otherwise; silent after 3 minutes. */
type Case = {
  changes: [minute: number, status: CheckStatus][]
  reports?: [from: number, to: number][]
  silences?: [from: number, to: number][]
  maintenance?: [from: number, to: number][]
  deleted?: number
  up?: number
  degraded?: number
  down?: number
  maintained?: number
}

const CASES: Record<string, Case> = {
  'a server that reports': { changes: [[-900, 'up']], up: 60 },
  'before the first report': { changes: [[20, 'up']], up: 40 },
  'without any change known': { changes: [] },
  'conditions come and go between reports': {
    changes: [
      [-9, 'up'],
      [10, 'degraded'],
      [25, 'down'],
      [40, 'up'],
    ],
    up: 30,
    degraded: 15,
    down: 15,
  },
  'silence is up until it is told, and down from then until a report': {
    changes: [
      [-9, 'up'],
      [13, 'down'],
      [30, 'up'],
    ],
    reports: [
      [-9, 10],
      [30, 60],
    ],
    silences: [[13, 30]],
    up: 43,
    down: 17,
  },
  'silence that only warns': {
    changes: [
      [-9, 'up'],
      [13, 'degraded'],
    ],
    reports: [[-9, 10]],
    silences: [[13, Number.POSITIVE_INFINITY]],
    up: 13,
    degraded: 47,
  },
  'our own downtime': {
    changes: [[-9, 'up']],
    reports: [
      [-9, 10],
      [50, 60],
    ],
    up: 23,
  },
  'our own downtime while it is down': {
    changes: [
      [-9, 'down'],
      [50, 'up'],
    ],
    reports: [
      [-9, 10],
      [50, 60],
    ],
    down: 13,
    up: 10,
  },
  'a pause, and a deletion': {
    changes: [
      [-9, 'up'],
      [10, 'pending'],
      [20, 'up'],
    ],
    reports: [
      [-9, 10],
      [20, 60],
    ],
    deleted: 40,
    up: 30,
  },
  'a window, and a status that is still that of one': {
    changes: [
      [-9, 'up'],
      [15, 'maintenance'],
      [33, 'up'],
    ],
    maintenance: [[10, 30]],
    up: 37,
    maintained: 23,
  },
  'a window while nothing is heard': {
    changes: [[-9, 'up']],
    reports: [[-9, 0]],
    maintenance: [[20, 30]],
    up: 3,
    maintained: 10,
  },
}

for (const [name, expected] of Object.entries(CASES)) {
  test(name, () => {
    const minutes = (spans: [number, number][] = []) =>
      spans.map(([from, to]) => ({ fromMs: from * 60_000, toMs: to * 60_000 }))
    const watched = watchedByStatus({
      changes: expected.changes.map(([minute, status]) => ({ atMs: minute * 60_000, status })),
      reports: minutes(expected.reports ?? [[-90, 60]]),
      silences: minutes(expected.silences),
      maintenance: minutes(expected.maintenance),
      deletedMs: expected.deleted === undefined ? null : expected.deleted * 60_000,
      validMs: 180_000,
    })
    const { up = 0, degraded = 0, down = 0, maintained = 0 } = expected
    const times = stateTimes(watched, { fromMs: 0, toMs: 3_600_000 })
    assert.deepEqual(
      Object.values(times).map((ms) => ms / 60_000),
      [up, degraded, down, maintained, 60 - up - degraded - down - maintained],
    )
  })
}
