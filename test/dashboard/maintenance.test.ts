import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  barHeight,
  barPaths,
  dayAt,
  HEIGHT,
  plannedHeight,
  sayDay,
  sayDays,
} from '../../dashboard/parts/monitors/uptime-days.ts'
import { happenedAt } from '../../dashboard/screens/monitors/chart/chart-happened.ts'
import { columnsOf, rowsOf, spansOf } from '../../dashboard/screens/monitors/chart/chart-rows.ts'
import type { MonitorReport } from '../../src/core/history/monitor-report.ts'

const at = (clock: string) => `2027-03-10T${clock}:00Z`
const secondsOf = (clock: string) => Date.parse(at(clock)) / 1_000
const point = (clock: string) => ({
  at: at(clock),
  up: 15,
  degraded: 0,
  down: 0,
  pending: 0,
  p50_ms: 20,
  p95_ms: 30,
  p99_ms: 40,
})

const NOTHING = { maintenance_seconds: 0, unknown_seconds: 0 }

/** A window from 10:00 to 11:20 in which every check failed, an outage right after it, and one that goes on. */
const REPORT: MonitorReport = {
  status_since: at('08:00'),
  flapping_since: null,
  recovery: null,
  badge_url: '',
  uptime: { '24h': 1, '7d': 1, '30d': 1, '90d': 1 },
  days: Array(90).fill(1),
  maintenance_days: Array(90).fill(0),
  range: '24h',
  from: at('09:00'),
  to: at('13:00'),
  step_seconds: 900,
  regions: [],
  points: ['09:30', '09:45', '11:15', '11:30', '12:30'].map(point),
  latency: { p50_ms: 20, p95_ms: 30, p99_ms: 40, mean_ms: 21.5 },
  region_lines: [],
  incidents: [
    {
      id: 1,
      started_at: at('11:20'),
      resolved_at: at('11:25'),
      duration_seconds: 300,
      cause: 'HTTP 502 (expected 200)',
      resolved: true,
    },
  ],
  pauses: [],
  uptime_times: { '24h': NOTHING, '7d': NOTHING, '30d': NOTHING, '90d': NOTHING },
  maintenance: [
    { from: at('10:00'), to: at('11:20'), name: 'New disks' },
    { from: at('12:40'), to: null, name: 'New cables' },
  ],
}

describe('the chart of a monitor that had maintenance', () => {
  it('shades it, up to now while it lasts, below what was down', () => {
    const spans = [
      ['maintenance', '10:00', '11:20'],
      ['maintenance', '12:40', '13:00'],
      ['down', '11:20', '11:25'],
    ] as const
    assert.deepEqual(
      spansOf(REPORT),
      spans.map(([kind, from, to]) => ({ kind, from: secondsOf(from), to: secondsOf(to) })),
    )
    assert.deepEqual(
      spansOf({ ...REPORT, maintenance: [] }).map(({ kind }) => kind),
      ['down'],
    )
  })

  it('names it at each step, and where there is none because every check failed', () => {
    const { points, columns } = columnsOf(rowsOf(REPORT, 60), [])
    assert.deepEqual(
      points.map((one, index) => [one?.at ?? null, happenedAt(REPORT, one, columns[0][index])]),
      [
        [at('09:30'), null],
        [at('09:45'), null],
        [null, 'Maintenance 1 h 20 min: New disks'],
        [at('11:15'), 'Down: HTTP 502 (expected 200). Maintenance 1 h 20 min: New disks'],
        [at('11:30'), null],
        [null, null],
        [at('12:30'), 'Maintenance 20 min: New cables'],
      ],
    )
  })
})

describe('the bar of a day', () => {
  const DAY = 86_400
  const TABLE: [share: number | null, maintenance: number, uptime: number, planned: number, said: string][] =
    [
      [1, 0, 22, 0, '100 %'],
      [0.5, 0, 7.7, 0, '50.00 %'],
      [null, 0, 3, 0, 'no data'],
      [1, 4_800, 18, 4, '100 %, Maintenance 1 h 20 min'],
      [0.5, DAY / 2, 4, 11, '50.00 %, Maintenance 12 h'],
      [1, DAY - 60, 4, 18, '100 %, Maintenance 23 h 59 min'],
      [null, DAY, 0, 22, 'Maintenance 1 d'],
      [null, 60, 0, 4, 'Maintenance 1 min'],
    ]
  for (const [share, maintenance, uptime, planned, said] of TABLE) {
    it(`of ${said}`, () => {
      assert.equal(plannedHeight(maintenance, share), planned)
      const height = barHeight(share, planned)
      assert.equal(Math.round(height * 10) / 10, uptime)
      assert.ok(height + planned <= HEIGHT)
      assert.equal(sayDay(share, maintenance), said)
    })
  }

  it('is part of one path for each color', () => {
    const paths = barPaths([1, 1, 0.99, 0.5, null, 1], [0, 0, 0, 0, 0, DAY / 2])
    assert.deepEqual(
      paths.map(({ tone, path }) => [tone, path.split('z').length - 1]),
      [
        ['up', 3],
        ['degraded', 1],
        ['down', 1],
        ['unknown', 1],
        ['maintenance', 1],
      ],
    )
    assert.equal(
      barPaths([1], [0])[0]?.path,
      'M1,0h1.5a1,1 0 0 1 1,1v20a1,1 0 0 1 -1,1h-1.5a1,1 0 0 1 -1,-1v-20a1,1 0 0 1 1,-1z',
    )
  })

  it('is found by its place', () => {
    assert.deepEqual(
      [-1, 0, 4.9, 5, 149, 200].map((x) => dayAt(x, 30)),
      [0, 0, 0, 1, 29, 29],
    )
  })

  it('is one of many, which are told together', () => {
    assert.equal(sayDays([1, 0.5, null], [0, 0, 0]), 'Uptime of the last 3 days, lowest 50.00 %')
    assert.equal(sayDays([null], [4_800]), 'Uptime of the last 1 days: no data; maintenance 1 h 20 min')
  })
})
