import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { snappyCompress } from 'hysnappy'
import { INFLUX_QUESTIONS } from '../../../../src/core/servers/inputs/answer.ts'
import { decode, type MessageType } from '../../../../src/core/servers/inputs/protobuf.ts'
import {
  rejectedMachines,
  STANDARD_INPUTS,
  type StandardInput,
} from '../../../../src/core/servers/inputs/standard-inputs.ts'
import { scrape, writeRequest } from '../../../support/inputs/write-request.ts'

function input(path: string): StandardInput {
  const found = STANDARD_INPUTS[path]
  assert.ok(found, path)
  return found
}

function request(contentType: string | null, query: Record<string, string> = {}) {
  return { contentType, query: (name: string) => query[name] ?? null }
}

const REJECTED = { count: 2, why: 'why' }
const BUSY = { status: 503, detail: 'busy', retryAfterSeconds: 4.2 } as const
const STATUS: MessageType = { 1: { name: 'code', is: 'uint32' }, 2: { name: 'message', is: 'string' } }
const PARTIAL: MessageType = {
  1: {
    name: 'partialSuccess',
    is: () => ({ 1: { name: 'rejectedDataPoints', is: 'int64' }, 2: { name: 'errorMessage', is: 'string' } }),
  },
}

describe('answers to OTLP', () => {
  const { refuse, taken, refused } = input('v1/metrics')
  const [json, protobuf] = [request('application/json; charset=utf-8'), request('application/x-protobuf')]

  it('are in the encoding of the request', () => {
    assert.deepEqual(taken(json, null), {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    assert.deepEqual(taken(protobuf, null), {
      status: 200,
      headers: { 'content-type': 'application/x-protobuf' },
      body: new Uint8Array(),
    })
  })

  it('say what was rejected', () => {
    const said = { partialSuccess: { rejectedDataPoints: '2', errorMessage: 'why' } }
    assert.deepEqual(JSON.parse(String(taken(json, REJECTED).body)), said)
    assert.deepEqual(decode(taken(protobuf, REJECTED).body as Uint8Array, PARTIAL), {
      partialSuccess: { rejectedDataPoints: 2, errorMessage: 'why' },
    })
  })

  it('refuse with a google.rpc.Status', () => {
    const answer = refused(json, BUSY)
    assert.equal(answer.status, 503)
    assert.equal(answer.headers['retry-after'], '5')
    assert.deepEqual(JSON.parse(String(answer.body)), { code: 14, message: 'busy' })
    const { body } = refused(protobuf, { status: 400, detail: 'bad' })
    assert.deepEqual(decode(body as Uint8Array, STATUS), { code: 3, message: 'bad' })
  })

  it('refuse other types', () => {
    assert.equal(refuse(json), null)
    assert.equal(refuse(protobuf), null)
    assert.deepEqual(refuse(request('text/plain')), {
      status: 415,
      detail:
        'the body must have the Content-Type application/x-protobuf or application/json; it has text/plain',
    })
  })
})

describe('answers to Influx lines', () => {
  for (const path of ['write', 'api/v2/write']) {
    it(`are those of InfluxDB at ${path}`, () => {
      const { refuse, read, taken, refused } = input(path)
      const any = request(null, { precision: 's' })
      assert.equal(refuse(any), null)
      const reading = read(new TextEncoder().encode('system load1=1 1795000000'), any, 0)
      assert.ok('reports' in reading)
      assert.equal(reading.reports[0]?.counters.at, 1_795_000_000)
      assert.equal(taken(any, null).status, 204)
      const partial = taken(any, REJECTED)
      assert.equal(partial.status, 400)
      const said = 'partial write: why dropped=2'
      assert.deepEqual(JSON.parse(String(partial.body)), { code: 'invalid', message: said, error: said })
      assert.equal(refused(any, BUSY).headers['retry-after'], '5')
    })
  }

  it('let Proxmox, Telegraf and Glances find a database', () => {
    const ask = (question: string, query: Record<string, string> = {}) => {
      const { status, body } = (INFLUX_QUESTIONS[question] as NonNullable<(typeof INFLUX_QUESTIONS)[string]>)(
        (name) => query[name] ?? null,
      )
      return [status, body === null ? null : JSON.parse(String(body))]
    }
    assert.deepEqual(ask('ping'), [204, null])
    assert.equal(ask('health')[1].status, 'pass')
    assert.deepEqual(ask('query', { q: 'SHOW DATABASES', db: 'glances' })[1].results[0].series[0].values, [
      ['glances'],
    ])
    assert.deepEqual(ask('query', { q: 'CREATE DATABASE telegraf' })[1], { results: [{ statement_id: 0 }] })
  })
})

describe('answers to remote write', () => {
  const { refuse, read, taken, refused } = input('api/v1/write')
  const v1 = request('application/x-protobuf')

  it('take version 1 in Snappy', () => {
    assert.equal(refuse(v1), null)
    assert.equal(refuse(request('application/x-protobuf;proto=prometheus.WriteRequest')), null)
    const reading = read(snappyCompress(writeRequest(scrape(1_795_000_000_000))), v1, 0)
    assert.ok('reports' in reading && reading.reports.length === 1)
    assert.equal(taken(v1, null).status, 204)
  })

  it('refuse version 2 with 415, after which senders go on with version 1', () => {
    assert.equal(refuse(request('application/x-protobuf;proto=io.prometheus.write.v2.Request'))?.status, 415)
    assert.equal(refuse(request('application/json'))?.status, 415)
    assert.equal(refuse(request(null))?.status, 415)
  })

  it('are retried only where that may help', () => {
    assert.equal(taken(v1, REJECTED).status, 400)
    assert.deepEqual(refused(v1, BUSY), {
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5' },
      body: 'busy\n',
    })
  })
})

describe('the address of a server', () => {
  it('says whose reports it does not keep', () => {
    assert.deepEqual(rejectedMachines(['b', null]), {
      count: 2,
      why: 'this address belongs to another machine, whose reports are kept; those of b, a machine without a name are not: add a server for each',
    })
  })
})
