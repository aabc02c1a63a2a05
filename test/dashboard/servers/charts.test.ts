import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { columnsOf, spansOf } from '../../../dashboard/screens/servers/chart/columns.ts'
import {
  type ChartModel,
  chartsOf,
  MAX_LINES,
  withChartsBefore,
} from '../../../dashboard/screens/servers/chart/models.ts'
import type { SeriesName } from '../../../src/core/servers/series.ts'
import type { SeriesHistory } from '../../../src/core/servers/shown-server.ts'

type Values = (number | null)[]

function series(
  name: SeriesName,
  values: Values,
  part: string | null = null,
  band?: [Values, Values],
): SeriesHistory {
  return { name, part, values, min: band?.[0] ?? null, max: band?.[1] ?? null }
}

function chart(id: string, all: SeriesHistory[], chosen = {}): ChartModel {
  const found = chartsOf({ series: all }, chosen).find((model) => model.id === id)
  assert.ok(found, id)
  return found
}

const linesOf = ({ lines }: ChartModel) => lines.map(({ label, values }) => [label, values])

describe('the charts of a server', () => {
  it('are those of which anything is known', () => {
    assert.deepEqual(chartsOf({ series: [] }), [])
    const noSwap = [series('swap_total_bytes', [0]), series('swap_used_bytes', [0]), series('load_1', [null])]
    assert.deepEqual(chartsOf({ series: noSwap }), [])
  })

  it('stay in their order, emptied, where nothing is known of a stretch that was zoomed into', () => {
    const swap = [series('swap_total_bytes', [4]), series('swap_used_bytes', [1])]
    const before = chartsOf({ series: [series('load_1', [2]), ...swap] })
    const within = chartsOf({ series: [...swap, series('temperature_celsius', [50])] })
    const kept = withChartsBefore(before, within)
    assert.deepEqual(
      kept.map((model) => [model.id, linesOf(model)]),
      [
        ['load', [['1 min', []]]],
        ['swap', [['Used', [1]]]],
        ['temperature', [['Hottest sensor', [50]]]],
      ],
    )
    assert.deepEqual(
      withChartsBefore(kept, []).map(({ id }) => id),
      ['load', 'swap', 'temperature'],
    )
  })

  it('draw the kinds of CPU time on each other, with the band of their sum', () => {
    const model = chart('cpu', [
      series('cpu_percent', [9, null], null, [
        [4, null],
        [30, null],
      ]),
      series('cpu_user_percent', [6, null]),
      series('cpu_iowait_percent', [3, null]),
    ])
    const { data, bands } = columnsOf(model, [30, 90])
    assert.deepEqual(data, [
      [30, 90],
      [6, null],
      [9, null],
      [30, null],
      [4, null],
    ])
    assert.deepEqual(bands, [{ high: 3, low: 4, line: 1 }])
  })

  it('draw the CPU alone where its kinds are unknown', () => {
    assert.deepEqual(linesOf(chart('cpu', [series('cpu_percent', [9])])), [['Busy', [9]]])
  })

  it('draw of the memory what is not available, which is most where least is', () => {
    const model = chart('memory', [
      series('memory_total_bytes', [100, 100, null]),
      series('memory_available_bytes', [40, null, 40], null, [
        [10, null, 10],
        [60, null, 60],
      ]),
    ])
    assert.deepEqual(linesOf(model), [['Used', [60, null, null]]])
    assert.equal(model.top, 100)
    assert.deepEqual(model.sumBand, { min: [40, null, null], max: [90, null, null] })
  })

  it('draw all disks together, or one of them', () => {
    const all = [
      series('disk_read_bytes', [1, null], 'sda'),
      series('disk_read_bytes', [2, null], 'sdb'),
      series('disk_written_bytes', [5, 6], 'sda'),
    ]
    assert.deepEqual(linesOf(chart('disks', all)), [
      ['Read', [3, null]],
      ['Written', [5, 6]],
    ])
    assert.deepEqual(chart('disks', all).parts, ['sda', 'sdb'])
    const [read] = chart('disks', all, { disk: 'sdb' }).lines
    assert.deepEqual(read?.values, [2, null])
    assert.equal(chart('disks', all, { disk: 'gone' }).part, null)
  })

  it('draw the fullest file systems, and say how many more there are', () => {
    const many = Array.from({ length: MAX_LINES + 2 }, (_, index) =>
      series('file_system_used_percent', [index, null], `/${index}`),
    )
    const model = chart('file-systems', many)
    assert.equal(model.lines.length, MAX_LINES)
    assert.equal(model.lines[0]?.label, `/${MAX_LINES + 1}`)
    assert.equal(model.note, `The ${MAX_LINES} highest; 2 more in the table.`)
  })

  it('shade incidents by their weight, and maintenance; what lasts goes on to the end', () => {
    const end = '2027-01-01T02:00:00.000Z'
    const at = (hour: number) => `2027-01-01T0${hour}:00:00.000Z`
    const spans = spansOf(
      [
        { started_at: at(1), resolved_at: null, warns_only: false },
        { started_at: at(0), resolved_at: at(1), warns_only: true },
      ],
      [{ starts_at: at(0), ends_at: at(1) }],
      end,
    )
    assert.deepEqual(
      spans.map(({ kind, from, to }) => [kind, (to - from) / 3_600]),
      [
        ['maintenance', 1],
        ['down', 1],
        ['degraded', 1],
      ],
    )
  })
})
