import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { snappyCompress } from 'hysnappy'
import { addServerInputs } from '../../src/api/server-inputs.ts'
import { Refusal } from '../../src/core/errors.ts'
import type { MachineReport } from '../../src/core/servers/machine-report.ts'
import { MAX_INPUT_BYTES } from '../../src/core/servers/server.ts'
import type { Services } from '../../src/operations/services.ts'
import { HOST, hostMetrics, metricsJson, metricsProtobuf } from '../support/inputs/metrics-request.ts'
import { scrape, writeRequest } from '../support/inputs/write-request.ts'

const AT = 1_795_000_000
const resources = [{ attributes: HOST, metrics: hostMetrics(AT) }]

/** The routes, with reports that are taken as `fate` says. */
function inputs(fate: { refused?: string; refusal?: Refusal; bug?: Error } = {}) {
  const app = new Hono({ strict: false })
  const taken: { token: string; report: MachineReport }[] = []
  const bugs: unknown[] = []
  const services = {
    databaseNow: () => new Date(AT * 1_000),
    onBug: (error: unknown) => bugs.push(error),
    docsUrl: '',
  } as unknown as Services
  addServerInputs(app, services, () => '127.0.0.1', {
    admit: async (token) => {
      if (token !== 'known') throw new Refusal('notFound')
      return token
    },
    receive: async (token, reports) => {
      if (fate.refusal ?? fate.bug) throw fate.refusal ?? fate.bug
      taken.push(...reports.map((report) => ({ token, report })))
      return { refused: fate.refused ?? null }
    },
  })
  const send = async (path: string, body: Uint8Array | string, headers: Record<string, string> = {}) =>
    app.request(path, { method: 'POST', body: body as string, headers })
  return { app, send, taken, bugs }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const PROTOBUF = { 'content-type': 'application/x-protobuf' }
const SNAPPY = { ...PROTOBUF, 'content-encoding': 'snappy' }

describe('standard inputs over HTTP', () => {
  for (const [name, path, body, headers, status] of [
    ['OTLP in protobuf', 'v1/metrics', metricsProtobuf(resources), PROTOBUF, 200],
    ['OTLP in JSON', 'v1/metrics', metricsJson(resources), JSON_TYPE, 200],
    [
      'OTLP in gzip',
      'v1/metrics',
      gzipSync(metricsJson(resources)),
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      200,
    ],
    ['lines of version 1', 'write?db=a', 'system,host=web-1 load1=0.5', {}, 204],
    ['lines of version 2', 'api/v2/write?org=a&bucket=b', 'system,host=web-1 load1=0.5', {}, 204],
    ['lines in gzip', 'write', gzipSync('system,host=web-1 load1=0.5'), { 'content-encoding': 'gzip' }, 204],
    ['remote write', 'api/v1/write', snappyCompress(writeRequest(scrape(AT * 1_000))), SNAPPY, 204],
  ] as const) {
    it(`take ${name}`, async () => {
      const { send, taken } = inputs()
      const answer = await send(`/server/known/${path}`, body, headers)
      assert.equal(answer.status, status, await answer.text())
      assert.deepEqual(
        taken.map(({ token, report }) => [token, report.machine.host_name, report.gauges.load_1]),
        [['known', 'web-1', 0.5]],
      )
    })
  }

  it('take the port that Glances writes behind the token, and answer what it asks first', async () => {
    const { app, send, taken } = inputs()
    const asked = await app.request('/server/known:443/query?q=SHOW+DATABASES&db=glances')
    assert.equal(asked.status, 200)
    const answer = await send(
      '/server/known:443/write?db=glances&precision=s',
      'load,hostname=vm min1=0.5 1795000000',
    )
    assert.equal(answer.status, 204)
    assert.equal(taken[0]?.report.counters.at, AT)
  })

  it('record nothing where nothing is known', async () => {
    const { send, taken } = inputs({ bug: new Error('recorded') })
    assert.equal((await send('/server/known/v1/metrics', '{}', JSON_TYPE)).status, 200)
    assert.equal((await send('/server/known/write', 'weather temperature=20')).status, 204)
    assert.deepEqual(taken, [])
  })

  for (const [name, path, body, headers, status] of [
    ['an unknown token', '/server/other/v1/metrics', '{}', JSON_TYPE, 404],
    ['another type', '/server/known/v1/metrics', '{}', { 'content-type': 'text/plain' }, 415],
    [
      'another compression',
      '/server/known/v1/metrics',
      '{}',
      { ...JSON_TYPE, 'content-encoding': 'br' },
      415,
    ],
    [
      'remote write in zstd',
      '/server/known/api/v1/write',
      'x',
      { ...PROTOBUF, 'content-encoding': 'zstd' },
      415,
    ],
    ['no gzip', '/server/known/write', 'x', { 'content-encoding': 'gzip' }, 400],
    ['no Snappy', '/server/known/api/v1/write', 'x'.repeat(9), SNAPPY, 400],
    ['no JSON', '/server/known/v1/metrics', '{', JSON_TYPE, 400],
    ['no line', '/server/known/write', 'x', {}, 400],
    ['too much', '/server/known/write', 'x'.repeat(MAX_INPUT_BYTES + 1), {}, 413],
    [
      'too much in gzip',
      '/server/known/write',
      gzipSync('x'.repeat(MAX_INPUT_BYTES + 1)),
      { 'content-encoding': 'gzip' },
      413,
    ],
  ] as const) {
    it(`refuse ${name} with ${status}`, async () => {
      const { send, taken, bugs } = inputs()
      assert.equal((await send(path, body, headers)).status, status)
      assert.deepEqual([taken, bugs], [[], []])
    })
  }

  it('say what was not kept, and when to come again', async () => {
    const partly = await inputs({ refused: 'that is b' }).send(
      '/server/known/v1/metrics',
      metricsJson(resources),
      JSON_TYPE,
    )
    assert.deepEqual(await partly.json(), {
      partialSuccess: { rejectedDataPoints: '1', errorMessage: 'that is b' },
    })
    const line = 'system load1=1'
    const busy = await inputs({ refusal: new Refusal('unavailable', {}, { 'retry-after': '60' }) }).send(
      '/server/known/write',
      line,
    )
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '60'])
    const { send, bugs } = inputs({ bug: new Error('ours') })
    const failed = await send('/server/known/write', line)
    assert.equal(failed.status, 500)
    assert.match(await failed.text(), /Internal Server Error/)
    assert.equal(bugs.length, 1)
  })

  it('are posted', async () => {
    const { app } = inputs()
    const answer = await app.request('/server/known/write')
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'])
  })
})
