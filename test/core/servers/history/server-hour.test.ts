import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ofCode, packSample } from '../../../../src/core/servers/history/sample-code.ts'
import { columnsOf } from '../../../../src/core/servers/history/sample-columns.ts'
import { packHour, summarize, unpackHour } from '../../../../src/core/servers/history/server-hour.ts'
import { type Sample, SERIES, seriesKey } from '../../../../src/core/servers/series.ts'
import { anyKey, realisticSamples } from '../../../support/history/samples.ts'

const HOUR = new Date('2027-03-28T12:00:00Z')

test('an hour comes back as it was, and its mean is between its least and its greatest value', () => {
  const value = fc.double({ noNaN: true, min: -1e13, max: 1e13 })
  const samples = fc.array(fc.dictionary(anyKey(), value, { maxKeys: 5 }), { maxLength: 6 })
  fc.assert(
    fc.property(samples, (minutes) => {
      const summaries = summaryOf(minutes)
      assert.deepEqual(new Set(unpackHour(packHour(summaries))), new Set(summaries))
      for (const { min, mean, max } of summaries) assert.ok(min <= mean && mean <= max)
    }),
    { numRuns: 200 },
  )
})

test('what an hour says of its minutes', () => {
  const shown = summaryOf([
    { cpu_percent: 1, 'interface_sent_bytes:eth0': 0 },
    { cpu_percent: 2.2, 'interface_sent_bytes:eth0': 1_024_000, load_1: 0.5 },
    {},
    { cpu_percent: 100, 'interface_sent_bytes:eth0': 512_000 },
  ]).map(({ name, part, count, min, mean, max }) => [
    seriesKey(name, part ?? undefined),
    count,
    ...[min, mean, max].map((code) => ofCode(name, code)),
  ])
  assert.deepEqual(shown, [
    ['cpu_percent', 3, 1, 34.4, 100],
    ['load_1', 1, 0.5, 0.5, 0.5],
    ['interface_sent_bytes:eth0', 3, 0, 512_000, 1_024_000],
  ])
})

test('an hour of a busy machine takes at most 400 bytes', () => {
  const content = packHour(summaryOf(realisticSamples(5, HOUR, 60).map(({ sample }) => sample)))
  assert.ok(content.length <= 400, `${content.length}`)
})

test('what is no hour is refused, and series of a newer release are skipped', () => {
  const whole = packHour(summaryOf([{ failed_units: 3, cpu_percent: 1 }]))
  const newer = whole.with(whole.indexOf(Object.keys(SERIES).indexOf('failed_units'), 2), 120)
  assert.deepEqual(
    unpackHour(newer).map(({ name }) => name),
    ['cpu_percent'],
  )
  for (const bytes of [new Uint8Array(), whole.subarray(0, -1), whole.with(0, 9)]) {
    assert.throws(() => unpackHour(bytes))
  }
})

function summaryOf(minutes: Sample[]) {
  return summarize(
    columnsOf(
      minutes.map((sample, minute) => ({
        at: new Date(HOUR.getTime() + minute * 60_000),
        content: packSample(sample),
      })),
    ),
  )
}
