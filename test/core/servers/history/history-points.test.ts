import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  HistoryPoints,
  MAX_HISTORY_DAYS,
  planHistory,
} from '../../../../src/core/servers/history/history-points.ts'
import { packSample } from '../../../../src/core/servers/history/sample-code.ts'
import { columnsOf } from '../../../../src/core/servers/history/sample-columns.ts'
import { summarize } from '../../../../src/core/servers/history/server-hour.ts'
import { type Sample, seriesKey } from '../../../../src/core/servers/series.ts'
import { MAX_HISTORY_POINTS } from '../../../../src/core/servers/shown-server.ts'

const NOW = new Date('2027-03-28T12:34:56.789Z')
const HOUR_MS = 3_600_000

test('a history has as many points as fit, of samples up to a week and of hours beyond', () => {
  const cases: [hours: number, unit: 'sample' | 'hour', minutes: number][] = [
    [0.01, 'sample', 1],
    [1, 'sample', 1],
    [11.9, 'sample', 1],
    [12, 'sample', 2],
    [24, 'sample', 3],
    [3 * 24, 'sample', 10],
    [7 * 24, 'sample', 15],
    [7 * 24 + 1, 'hour', 60],
    [29 * 24, 'hour', 60],
    [30 * 24, 'hour', 120],
    [90 * 24, 'hour', 240],
    [MAX_HISTORY_DAYS * 24, 'hour', 24 * 60],
  ]
  for (const [hours, unit, minutes] of cases) {
    const plan = planHistory(new Date(NOW.getTime() - hours * HOUR_MS), NOW, null)
    assert.deepEqual([plan.unit, plan.stepSeconds / 60], [unit, minutes], `${hours} h`)
    const points = (plan.to.getTime() - plan.from.getTime()) / plan.stepSeconds / 1_000
    assert.ok(Number.isInteger(points) && points <= MAX_HISTORY_POINTS, `${hours} h: ${points}`)
    assert.ok(plan.to >= NOW && plan.from.getTime() <= NOW.getTime() - hours * HOUR_MS)
    assert.equal(plan.from.getTime() % (plan.stepSeconds * 1_000), 0)
  }
})

test('where samples are gone, hours are shown', () => {
  const from = new Date(NOW.getTime() - 5 * HOUR_MS)
  assert.equal(planHistory(from, NOW, from).unit, 'sample')
  assert.equal(planHistory(from, NOW, new Date(from.getTime() + 1)).unit, 'hour')
})

test('points of a minute are values, others means with their least and greatest', () => {
  const minutes: [number, Sample][] = [
    [0, { cpu_percent: 10, 'disk_read_bytes:sda': 100 }],
    [1, { cpu_percent: 20, load_1: 1.5 }],
    [2, { cpu_percent: 90.04 }],
    [5, { 'disk_read_bytes:sda': 0 }],
  ]
  assert.deepEqual(shown(minutes, 6, 1), {
    cpu_percent: { values: [10, 20, 90, null, null, null], min: null, max: null },
    load_1: { values: [null, 1.5, null, null, null, null], min: null, max: null },
    'disk_read_bytes:sda': { values: [100, null, null, null, null, 0], min: null, max: null },
  })
  assert.deepEqual(shown(minutes, 6, 3), {
    cpu_percent: { values: [40, null], min: [10, null], max: [90, null] },
    load_1: { values: [1.5, null], min: [1.5, null], max: [1.5, null] },
    'disk_read_bytes:sda': { values: [100, 0], min: [100, 0], max: [100, 0] },
  })
})

test('reports that drift over the minute make no gap, and those that are missing do', () => {
  const drifting = [0.01, 0.99, 2.01, 2.99, 3.98, 4.97].map((minute) => [minute, { processes: minute * 100 }])
  assert.deepEqual(
    shown(drifting as [number, Sample][], 6, 1).processes?.values,
    [50, 99, 250, 398, 497, 497],
  )
  const missing = [0.3, 1.3, 3.3].map((minute) => [minute, { processes: minute * 10 }])
  assert.deepEqual(shown(missing as [number, Sample][], 5, 1).processes?.values, [3, 13, null, 33, null])
})

test('hours count by their samples, and nothing outside of the history does', () => {
  const from = new Date('2027-03-28T00:00:00Z')
  const points = new HistoryPoints({
    unit: 'hour',
    from,
    to: new Date(from.getTime() + 4 * HOUR_MS),
    stepSeconds: 7_200,
  })
  const hours: Record<number, number[]> = { '-1': [5], 0: [10, 30], 1: [60, 60, 60, 80], 4: [7] }
  for (const [hour, values] of Object.entries(hours)) {
    const samples = values.map((value, minute) => ({
      at: new Date(minute * 60_000),
      content: packSample({ processes: value }),
    }))
    points.addHour(new Date(from.getTime() + Number(hour) * HOUR_MS), summarize(columnsOf(samples)))
  }
  assert.deepEqual(points.finish(), [
    { name: 'processes', part: null, values: [50, null], min: [10, null], max: [80, null] },
  ])
})

/** Points of some minutes from samples at minutes, by key. */
function shown(samples: [minute: number, Sample][], minutes: number, step: number) {
  const from = new Date('2027-03-28T10:00:00Z')
  const points = new HistoryPoints({
    unit: 'sample',
    from,
    to: new Date(from.getTime() + minutes * 60_000),
    stepSeconds: step * 60,
  })
  const packed = [[-20, { failed_units: 9 }] as [number, Sample], ...samples].map(([minute, sample]) => ({
    at: new Date(from.getTime() + minute * 60_000),
    content: packSample(sample),
  }))
  points.addSamples(columnsOf(packed))
  return Object.fromEntries(
    points
      .finish()
      .map(({ name, part, values, min, max }) => [seriesKey(name, part ?? undefined), { values, min, max }]),
  )
}
