import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteWriter } from '../../../../src/core/bytes.ts'
import { packSample, unpackSample } from '../../../../src/core/servers/history/sample-code.ts'
import { type Sample, SERIES, type SeriesName } from '../../../../src/core/servers/series.ts'
import { anyKey } from '../../../support/history/samples.ts'

const NAMES = Object.keys(SERIES) as SeriesName[]

test('values come back as near as their series is kept, and stay what they are from then on', () => {
  const value = fc.oneof(fc.double({ noNaN: true, min: -1e13, max: 1e13 }), fc.integer({ min: 0, max: 100 }))
  fc.assert(
    fc.property(fc.dictionary(anyKey(), value, { maxKeys: 40 }), (sample) => {
      const kept = unpackSample(packSample(sample))
      assert.deepEqual(new Set(Object.keys(kept)), new Set(Object.keys(sample)))
      for (const [key, exact] of Object.entries(sample)) {
        const { step, unit } = SERIES[key.split(':')[0] as SeriesName]
        const part = unit === 'bytes_per_second' ? Math.abs(exact) * 0.004 : 0
        const error = Math.abs((kept[key] as number) - exact)
        assert.ok(error <= step * 0.5 + part + Math.abs(exact) * 1e-12, `${key} ${exact}: ${kept[key]}`)
      }
      assert.deepEqual(unpackSample(packSample(kept)), kept)
    }),
    { numRuns: 300 },
  )
})

test('what is kept of a value', () => {
  const cases: [SeriesName, number, number | undefined][] = [
    ['cpu_percent', 0.30000000000000004, 0.3],
    ['cpu_percent', 99.96, 100],
    ['cpu_percent', -0.01, 0],
    ['clock_skew_seconds', -12.34, -12.3],
    ['load_1', 1.155, 1.16],
    ['memory_total_bytes', 8_589_934_592, 8_589_934_592],
    ['memory_total_bytes', 8_589_934_593, 8_589_934_592],
    ['processes', 300, 300],
    ['cpu_percent', Number.NaN, undefined],
    ['cpu_percent', Number.POSITIVE_INFINITY, undefined],
    ['uptime_seconds', 2 ** 60, undefined],
  ]
  for (const [name, given, kept] of cases) {
    const sample = unpackSample(packSample({ [name]: given }))
    assert.deepEqual(sample, kept === undefined ? {} : { [name]: kept }, `${name} ${given}`)
  }
  const rates = [
    [0, 0],
    [255, 255],
    [256, 256],
    [257, 258],
    [511, 512],
    [1_000_000, 999_424],
    [125_000_000_000, 125_090_922_496],
  ]
  for (const [given, kept] of rates as [number, number][]) {
    assert.deepEqual(unpackSample(packSample({ 'disk_read_bytes:sda': given })), {
      'disk_read_bytes:sda': kept,
    })
  }
})

test('keys of no known series are left out, and parts keep any name', () => {
  const sample: Sample = {
    cpu_percent: 1,
    cpu: 2,
    'cpu_percent:sda': 3,
    disk_read_bytes: 4,
    'disk_read_bytes:': 5,
    'disk_read_bytes:__proto__': 6,
    'file_system_used_percent:/srv/ü:1': 7,
  }
  assert.deepEqual(unpackSample(packSample(sample)), {
    cpu_percent: 1,
    'disk_read_bytes:': 5,
    'disk_read_bytes:__proto__': 6,
    'file_system_used_percent:/srv/ü:1': 7,
  })
})

test('series of a newer release are skipped, and what is no sample is refused', () => {
  const writer = new ByteWriter()
  writer.byte(1)
  writer.unsigned(2)
  for (const number of [NAMES.length, 0]) {
    writer.unsigned(number)
    writer.signed(-777)
  }
  writer.unsigned(1)
  writer.text('/')
  writer.unsigned(1)
  writer.unsigned(NAMES.length + 200)
  writer.signed(5)
  assert.deepEqual(unpackSample(writer.finish()), { cpu_percent: -77.7 })
  const whole = packSample({ cpu_percent: 1, 'disk_read_bytes:sda': 5 })
  for (const bytes of [
    new Uint8Array(),
    whole.subarray(0, -1),
    Uint8Array.from(whole, (b, i) => (i ? b : 9)),
  ]) {
    assert.throws(() => unpackSample(bytes))
  }
})
