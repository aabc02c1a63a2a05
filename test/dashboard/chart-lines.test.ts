import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sayTick } from '../../dashboard/parts/charts/axes.ts'
import { lonelyRows } from '../../dashboard/parts/charts/rows.ts'
import { sayBefore, stretchBefore, weeksBefore } from '../../dashboard/screens/monitors/chart/chart-before.ts'
import { sayHappenings } from '../../dashboard/screens/monitors/chart/chart-happened.ts'
import { chartModel } from '../../dashboard/screens/monitors/chart/chart-model.ts'
import { spansOf } from '../../dashboard/screens/monitors/chart/chart-rows.ts'
import type { MonitorReport } from '../../src/core/history/monitor-report.ts'

const DAY = 86_400
const WEEK = 7 * DAY
const NOON = Date.parse('2027-03-10T12:00:00Z') / 1_000
const at = (seconds: number) => new Date(seconds * 1_000).toISOString()

/** Steps of a quarter of an hour after `from`, by their number and their median. */
function reportOf(medians: [step: number, p50: number | null][], from = NOON): MonitorReport {
  return {
    from: at(from),
    to: at(from + 8 * 900),
    step_seconds: 900,
    points: medians.map(([step, p50_ms]) => ({
      at: at(from + step * 900),
      up: p50_ms === null ? 0 : 15,
      degraded: 0,
      down: p50_ms === null ? 15 : 0,
      pending: 0,
      p50_ms,
      p95_ms: p50_ms && p50_ms * 2,
      p99_ms: p50_ms && p50_ms * 3,
    })),
    region_lines: [],
    incidents: [],
    pauses: [],
    maintenance: [],
  } as unknown as MonitorReport
}

const middle = (step: number) => NOON + step * 900 + 450

describe('the comparison of a chart', () => {
  it('is with whole weeks before, so that days of the week meet and nothing is compared with itself', () => {
    const table: [days: number, weeks: number][] = [
      [1, 1],
      [7, 1],
      [8, 2],
      [30, 5],
      [90, 13],
    ]
    for (const [days, weeks] of table) {
      assert.equal(weeksBefore({ from: NOON - days * DAY, to: NOON }), weeks)
      const before = stretchBefore({ from: NOON - days * DAY, to: NOON }, 900)
      assert.deepEqual(before, {
        from: NOON - days * DAY - weeks * WEEK,
        to: NOON - weeks * WEEK,
        shiftSeconds: weeks * WEEK,
      })
      assert.ok(before.to <= NOON - days * DAY)
    }
    assert.deepEqual([sayBefore(1), sayBefore(5)], ['the week before', '5 weeks before'])
  })

  it('asks the same until a step is over', () => {
    const asked = [1, 400, 899].map((seconds) => stretchBefore({ from: NOON - DAY, to: NOON + seconds }, 900))
    assert.equal(new Set(asked.map(({ to }) => to)).size, 1)
  })

  it('draws each step where the same one is shown, also where there is none', () => {
    const shown = reportOf([
      [0, 50],
      [1, 60],
      [3, 70],
    ])
    const before = reportOf(
      [
        [0, 40],
        [1, 41],
        [2, 42],
      ],
      NOON - WEEK,
    )
    const { columns, points, looks } = chartModel(shown, 60, 'before', {
      label: 'p50, the week before',
      report: before,
      shiftSeconds: WEEK,
    })
    // Between the second step and the fourth the lines of the shown ones are broken where the other has its third.
    assert.deepEqual(columns[0], [middle(0), middle(1), middle(2), middle(3)])
    assert.deepEqual(columns[1], [50, 60, null, 70])
    assert.deepEqual(columns[4], [40, 41, 42, undefined])
    assert.deepEqual(
      points.map((point) => point?.p50_ms ?? null),
      [50, 60, null, 70],
    )
    assert.deepEqual(
      looks.map(({ label, isFaint }) => [label, isFaint ?? false]),
      [
        ['p50', false],
        ['p95', false],
        ['p99', false],
        ['p50, the week before', true],
      ],
    )
  })

  it('leaves the chart as it is until it is there', () => {
    const shown = reportOf([[0, 50]])
    assert.deepEqual(chartModel(shown, 60, 'before', null), chartModel(shown, 60, undefined, null))
  })
})

describe('the lines of regions', () => {
  const regions = {
    ...reportOf([
      [0, 50],
      [1, 60],
      [2, 55],
    ]),
    region_lines: [
      {
        region: 'lon',
        points: [
          { at: at(NOON), p50_ms: 40 },
          { at: at(NOON + 1_800), p50_ms: 44 },
        ],
      },
      { region: 'nyc', points: [{ at: at(NOON + 900), p50_ms: 90 }] },
    ],
  }

  it('take the place of the percentiles', () => {
    const { columns, looks } = chartModel(regions, 1_800, 'regions', null)
    assert.deepEqual(
      looks.map(({ label }) => label),
      ['lon', 'nyc'],
    )
    // Checked every half an hour: a region without a check in a step is not broken by the steps of others.
    assert.deepEqual(columns, [
      [middle(0), middle(1), middle(2)],
      [40, undefined, 44],
      [undefined, 90, undefined],
    ])
  })

  it('are broken where a check of their own is missing', () => {
    assert.deepEqual(chartModel(regions, 60, 'regions', null).columns[1], [40, null, 44])
  })
})

describe('the points of a line', () => {
  it('are drawn where no neighbor of the same line is', () => {
    assert.deepEqual(lonelyRows([1, null, 2, 3, null, 4]), [0, 5])
    assert.deepEqual(lonelyRows([1, undefined, 2, undefined, null, undefined, 3]), [6])
  })
})

describe('the shading of a chart', () => {
  it('makes one stretch of degraded steps that follow each other', () => {
    const report = reportOf([0, 1, 2, 4].map((step) => [step, 50]))
    for (const index of [0, 1, 3]) Object.assign(report.points[index] ?? {}, { degraded: 2 })
    assert.deepEqual(spansOf(report), [
      { kind: 'degraded', from: NOON, to: NOON + 1_800 },
      { kind: 'degraded', from: NOON + 3_600, to: NOON + 4_500 },
    ])
  })

  it('is told in words, oldest first', () => {
    const report = {
      ...reportOf([[0, 50]]),
      incidents: [
        {
          id: 1,
          started_at: at(NOON + 1_800),
          resolved_at: at(NOON + 2_100),
          duration_seconds: 300,
          cause: 'HTTP 502 (expected 200)',
          resolved: true,
        },
      ],
      maintenance: [{ from: at(NOON + 600), to: null, name: 'New disks' }],
      pauses: [{ from: at(NOON), to: at(NOON + 300) }],
    }
    assert.deepEqual(
      sayHappenings(report).map(({ said }) => said.replace(/^.*?\d{2}:\d{2}[^:]*: /, '')),
      ['Paused 5 min', 'Maintenance 1 h 50 min: New disks', 'Down 5 min: HTTP 502 (expected 200)'],
    )
  })
})

it('the ticks of a time axis differ, whatever their step', () => {
  const noon = new Date(2026, 10, 29, 12).getTime() / 1_000
  for (const step of [1, 5, 10, 15, 30, 60, 300, 3_600, 86_400]) {
    const said = [1, 2, 3].map((tick) => sayTick(noon + tick * step, step))
    assert.equal(new Set(said).size, said.length, said.join())
  }
  const midnight = new Date(2026, 10, 29).getTime() / 1_000
  assert.equal(sayTick(midnight, 30), sayTick(midnight, 86_400))
  assert.notEqual(sayTick(midnight + 30, 30), sayTick(midnight, 30))
})
