import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readInfluxLines } from '../../../../src/core/servers/inputs/influx-line.ts'
import { MAX_LINES } from '../../../../src/core/servers/inputs/line-protocol.ts'
import { readOpenTelemetry } from '../../../../src/core/servers/inputs/opentelemetry.ts'
import { MAX_INPUT_READINGS } from '../../../../src/core/servers/inputs/point.ts'
import { readRemoteWrite } from '../../../../src/core/servers/inputs/remote-write.ts'
import { MAX_INPUT_BYTES } from '../../../../src/core/servers/server.ts'
import { INPUTS, isSound, readMutations } from '../../../support/inputs/mutations.ts'
import { writeRequest } from '../../../support/inputs/write-request.ts'

const NOW = 1_795_000_000
/** test/long/input-mutations.test.ts tries a hundred thousand. */
const MUTATIONS = 100

describe('readers of standard inputs', () => {
  for (const [name, body, read] of INPUTS) {
    it(`never throw, and stay within bounds, on ${MUTATIONS} mutations of ${name}`, () => {
      readMutations(body, read, MUTATIONS)
    })
  }

  it('bound what a body of many small messages becomes', () => {
    const empty = new Uint8Array(MAX_INPUT_BYTES).map((_, index) => (index % 2 === 0 ? 0x0a : 0))
    assert.ok('fault' in readRemoteWrite(empty, { now: NOW }))
    assert.ok('fault' in readOpenTelemetry(empty, { now: NOW, isJson: false }))
  })

  it('bound the lines of a request', () => {
    const reading = readInfluxLines(new TextEncoder().encode('a b=1\n'.repeat(MAX_LINES + 9)), {
      now: NOW,
      precision: null,
    })
    assert.ok('reports' in reading)
    assert.deepEqual(reading.rejected, {
      count: 1,
      why: `line ${MAX_LINES + 1}: it is one of more than ${MAX_LINES} lines`,
    })
  })

  it('bound the readings of a machine', () => {
    const lines = Array.from(
      { length: MAX_INPUT_READINGS / 2 + 10 },
      (_, index) => `net,interface=e${index} bytes_recv=1i,bytes_sent=1i,err_in=1i`,
    )
    const reading = readInfluxLines(new TextEncoder().encode(lines.join('\n')), { now: NOW, precision: null })
    assert.ok('reports' in reading)
    const [report] = reading.reports
    assert.equal(Object.keys(report?.counters.values ?? {}).length, 48)
    assert.equal(reading.dropped, 3 * lines.length - 48)
  })

  it('have no room for names of properties that every object has', () => {
    const line =
      'cpu,host=a,__proto__=b constructor=1,__proto__=2,usage_idle=3\n__proto__,toString=c valueOf=1'
    isSound(readInfluxLines(new TextEncoder().encode(line), { now: NOW, precision: null }))
    const json =
      '{"resourceMetrics":[{"__proto__":{"x":1},"scopeMetrics":[{"metrics":[{"name":"constructor","gauge":{"dataPoints":[{"asInt":1}]}}]}]}]}'
    isSound(readOpenTelemetry(new TextEncoder().encode(json), { now: NOW, isJson: true }))
    isSound(readRemoteWrite(writeRequest([['toString', 1, NOW]], { __proto__: 'x' } as never), { now: NOW }))
  })
})
