import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteWriter } from '../../../../src/core/bytes.ts'
import { decodeSamples, encodeSamples } from '../../../../src/core/servers/history/sample-chunk.ts'
import { ofCode, packSample } from '../../../../src/core/servers/history/sample-code.ts'
import {
  columnsOf,
  MAX_COLUMNS,
  type SampleColumns,
} from '../../../../src/core/servers/history/sample-columns.ts'
import { type Sample, SERIES, seriesKey } from '../../../../src/core/servers/series.ts'
import { anyKey, realisticSamples } from '../../../support/history/samples.ts'

const DAY = new Date('2027-03-28T00:00:00Z')

test('a day of samples comes back from a chunk exactly as it was', () => {
  const value = fc.oneof(fc.constant(0), fc.double({ noNaN: true, min: -1e15, max: 1e15 }), fc.nat(200))
  const sample = fc.dictionary(anyKey(), value, { maxKeys: 8 })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(86_399), sample), { maxLength: 30 }), (rows) => {
      const inOrder = rows.toSorted(([a], [b]) => a - b)
      const columns = columnsOf(inOrder.map(([second, values]) => packed(second, values)))
      assert.deepEqual(decodeSamples(encodeSamples(columns)), columns)
    }),
    { numRuns: 200 },
  )
  const columns = columnsOf(realisticSamples(1, DAY).map(({ at, sample: values }) => pack(at, values)))
  assert.equal(columns.times.length, 1_440)
  assert.equal(columns.columns.length, 38)
  assert.deepEqual(decodeSamples(encodeSamples(columns)), columns)
})

test('requests of one minute are one sample, and reports a minute apart stay apart whatever delays them', () => {
  const columns = columnsOf([
    packed(0, { cpu_percent: 1 }),
    packed(2, { load_1: 0.5, cpu_percent: 2 }),
    packed(49, { 'disk_busy_percent:sda': 9 }),
    packed(51, { cpu_percent: 3 }),
    packed(111, { load_1: 0.25 }),
  ])
  assert.deepEqual(shown(columns), {
    times: [0, 51, 111],
    cpu_percent: [2, 3, null],
    load_1: [0.5, null, 0.25],
    'disk_busy_percent:sda': [9, null, null],
  })
  for (let shift = 0; shift < 60; shift++) {
    const late = [0, 9, 0, 3, 9, 5, 0].map((delay, minute) => packed(shift + minute * 60 + delay, {}))
    assert.equal(columnsOf(late).times.length, late.length, `${shift}`)
  }
})

test('a machine whose parts come and go all day takes no more columns than there may be', () => {
  const samples = Array.from({ length: 300 }, (_, minute) =>
    packed(minute * 60, {
      [`file_system_used_percent:/run/${minute}`]: 1,
      [`inodes_used_percent:/run/${minute}`]: 1,
      cpu_percent: minute,
    }),
  )
  const { columns } = columnsOf(samples)
  assert.equal(columns.length, MAX_COLUMNS)
  assert.equal(columns[0]?.codes[299], 2_990)
})

test('series of a newer release are skipped, and what is no chunk is refused', () => {
  const known = columnsOf([packed(0, { cpu_percent: 1 }), packed(60, { cpu_percent: 2, failed_units: 4 })])
  const whole = encodeSamples(known)
  const failed = Object.keys(SERIES).indexOf('failed_units')
  const newer = whole.with(whole.lastIndexOf(failed), Object.keys(SERIES).length + 3)
  assert.deepEqual(decodeSamples(newer), { times: known.times, columns: known.columns.slice(0, 1) })
  const other = new ByteWriter()
  other.byte(9)
  for (const bytes of [new Uint8Array(), whole.subarray(0, -1), whole.subarray(0, 9), other.finish()]) {
    assert.throws(() => decodeSamples(bytes))
  }
})

function packed(second: number, sample: Sample) {
  return pack(new Date(second * 1_000), sample)
}

function pack(at: Date, sample: Sample) {
  return { at, content: packSample(sample) }
}

/** Values by key, null where there is none. */
function shown({ times, columns }: SampleColumns): Record<string, (number | null)[]> {
  const byKey: Record<string, (number | null)[]> = { times }
  for (const { name, part, codes } of columns) {
    byKey[seriesKey(name, part ?? undefined)] = [...codes].map((code) =>
      Number.isNaN(code) ? null : ofCode(name, code),
    )
  }
  return byKey
}
