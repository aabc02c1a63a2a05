import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writeExposition } from '../../src/core/exposition.ts'
import { COUNTERS, HISTOGRAMS, LEVELS } from '../../src/metrics/catalogue.ts'
import { levelFamilies } from '../../src/metrics/levels.ts'
import { createMeter } from '../../src/metrics/meter.ts'
import { createTally, type Tally } from '../../src/metrics/tally.ts'
import { parseExposition, seriesValue } from '../support/documents/exposition.ts'

const tell = (tally: Tally) => parseExposition(writeExposition(tally.families(), 'prometheus'))

describe('a count', () => {
  it('is told by series, and what is expected from the start', () => {
    const tally = createTally()
    tally.count('checks', ['http', 'up'])
    tally.count('checks', ['http', 'up'])
    tally.count('requests', ['listMonitors', '200'])
    const families = tell(tally)
    assert.equal(seriesValue(families, 'upbeat_checks_total', { type: 'http', status: 'up' }), 2)
    assert.equal(seriesValue(families, 'upbeat_checks_total', { type: 'tcp', status: 'down' }), 0)
    assert.equal(
      seriesValue(families, 'upbeat_delivery_attempts_total', { channel: 'slack', outcome: 'failed' }),
      0,
    )
    const request = { operation: 'listMonitors', status: '200' }
    assert.equal(seriesValue(families, 'upbeat_http_requests_total', request), 1)
    assert.equal(seriesValue(families, 'upbeat_check_lateness_seconds_count'), 0)
  })

  it('is put into the bucket whose bound it does not exceed', () => {
    const tally = createTally()
    for (const seconds of [0, 0.005, 0.006, 30, 31]) tally.observe('checkLateness', [], seconds)
    const families = tell(tally)
    const upTo = (le: string) => seriesValue(families, 'upbeat_check_lateness_seconds_bucket', { le })
    assert.deepEqual(['0.005', '0.01', '10.0', '30.0', '+Inf'].map(upTo), [2, 3, 3, 4, 5])
    assert.equal(Math.round(seriesValue(families, 'upbeat_check_lateness_seconds_sum') ?? 0), 61)
  })

  it('is added up over threads, each of which gives away what it has counted since', () => {
    const main = createTally()
    const threads = [createTally(), createTally()]
    for (let second = 0; second < 3; second++) {
      for (const thread of threads) {
        thread.count('checks', ['icmp', 'down'])
        thread.observe('checkDuration', ['icmp'], 0.2)
        main.add(structuredClone(thread.drain()))
        main.add(structuredClone(thread.drain()))
      }
    }
    const families = tell(main)
    assert.equal(seriesValue(families, 'upbeat_checks_total', { type: 'icmp', status: 'down' }), 6)
    assert.equal(seriesValue(families, 'upbeat_check_duration_seconds_count', { type: 'icmp' }), 6)
    const quarter = { type: 'icmp', le: '0.25' }
    assert.equal(seriesValue(families, 'upbeat_check_duration_seconds_bucket', quarter), 6)
  })
})

describe('a gauge of threads', () => {
  it('is added up, and ends with a thread, while what it counted stays', () => {
    const meter = createMeter()
    const measured = () => {
      const tally = createTally()
      tally.count('checks', ['http', 'up'])
      const levels = [{ name: 'underWay', labels: {}, value: 3 } as const]
      return { kind: 'measured' as const, measures: tally.drain(), levels }
    }
    const told = () => {
      const families = [...levelFamilies(meter.threads().levels), ...meter.tally.families()]
      const parsed = parseExposition(writeExposition(families, 'prometheus'))
      return [
        meter.threads().count,
        seriesValue(parsed, 'upbeat_checks_under_way'),
        seriesValue(parsed, 'upbeat_checks_total', { type: 'http', status: 'up' }),
      ]
    }
    const [one, other] = [meter.openThread(), meter.openThread()]
    assert.deepEqual(told(), [2, null, 0])
    one.take(measured())
    one.take(measured())
    other.take(measured())
    assert.deepEqual(told(), [2, 6, 3])
    one.close()
    one.take(measured())
    assert.deepEqual(told(), [1, 3, 4])
  })
})

describe('the catalogue', () => {
  it('names everything once, by the conventions of Prometheus', () => {
    const all = [COUNTERS, HISTOGRAMS, LEVELS].flatMap((kind) => Object.values(kind))
    const names = all.map(({ name }) => name)
    assert.deepEqual(names, [...new Set(names)])
    for (const { name, help } of all) {
      assert.match(name, /^upbeat_[a-z_]+[a-z]$/)
      assert.doesNotMatch(name, /_(total|count|sum|bucket|info|ms)$/)
      assert.match(help, /^[A-Z].*\.$/)
    }
    for (const { buckets } of Object.values(HISTOGRAMS)) {
      assert.deepEqual(
        [...buckets],
        buckets.toSorted((a, b) => a - b),
      )
    }
  })
})
