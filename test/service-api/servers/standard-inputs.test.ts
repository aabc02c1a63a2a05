import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { snappyCompress } from 'hysnappy'
import { NotUnderstood } from '../../../src/core/servers/not-understood.ts'
import { MAX_INPUT_BYTES } from '../../../src/core/servers/server.ts'
import { createNotUnderstoodNotes } from '../../../src/operations/servers/not-understood.ts'
import { presentServer, readServer } from '../../../src/operations/servers/present-server.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { addNotUnderstood } from '../../../src/store/servers/not-understood.ts'
import { hashServerToken } from '../../../src/store/servers/recording.ts'
import { HOST, hostMetrics, metricsJson, metricsProtobuf } from '../../support/inputs/metrics-request.ts'
import { scrape, type WrittenSeries, writeRequest } from '../../support/inputs/write-request.ts'
import { type AddedServer, addServer } from '../../support/records/servers.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { clientAddress } from '../../support/sign-in/cookie-browser.ts'
import { until } from '../../support/until.ts'

const AT = 1_795_000_000
const JSON_TYPE = { 'content-type': 'application/json' }
const PROTOBUF = { 'content-type': 'application/x-protobuf' }
const SNAPPY = { ...PROTOBUF, 'content-encoding': 'snappy' }
const GZIP = { 'content-encoding': 'gzip' }

describe('standard inputs', () => {
  let service: AskedService

  before(async () => {
    service = await apiService()
    await service.services.db.pool.query(createPartition('server_samples', new Date()))
  })

  const newServer = () => addServer(service.services.db)
  const send = (
    { token }: Pick<AddedServer, 'token'>,
    path: string,
    body: Uint8Array | string,
    headers: Record<string, string> = {},
  ) =>
    fetch(`${service.url}/server/${token}${path}`, {
      method: 'POST',
      body: body as Uint8Array<ArrayBuffer> | string,
      headers: { 'x-forwarded-for': clientAddress(), ...headers },
    })
  const write = (server: AddedServer, series: WrittenSeries[], instance = 'web-1:9100') =>
    send(server, '/api/v1/write', snappyCompress(writeRequest(series, { instance })), SNAPPY)
  async function stateOf({ id }: AddedServer) {
    const text = 'SELECT machine, latest, other_machine FROM server_state WHERE server_id = $1'
    return (await service.services.db.pool.query(text, [id])).rows[0]
  }
  const metrics = (host: string, at = AT) => [
    { attributes: { ...HOST, 'host.id': host, 'host.name': host }, metrics: hostMetrics(at) },
  ]

  it('of OpenTelemetry become the latest figures of a server, whatever their encoding', async () => {
    const server = await newServer()
    const answers = [
      await send(server, '/v1/metrics', metricsProtobuf(metrics('web-1')), PROTOBUF),
      await send(server, '/v1/metrics', metricsJson(metrics('web-1', AT + 60)), JSON_TYPE),
      await send(server, '/v1/metrics', gzipSync(metricsJson(metrics('web-1', AT + 120))), {
        ...JSON_TYPE,
        ...GZIP,
      }),
    ]
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('content-type')]),
      [
        [200, 'application/x-protobuf'],
        [200, 'application/json'],
        [200, 'application/json'],
      ],
    )
    const { machine, latest } = await stateOf(server)
    assert.deepEqual([machine.source, machine.host_name, machine.cpus], ['opentelemetry', 'web-1', 2])
    assert.equal(latest.memory_available_bytes, 6e9)
    assert.equal(latest['interface_sent_bytes:eth0'], 0)
  })

  it('of Prometheus keep what an earlier part of the same scrape said', async () => {
    const server = await newServer()
    for (const minute of [0, 1]) {
      const series = scrape((AT + minute * 60) * 1_000, { seconds: 1_000 + minute * 60 })
      assert.equal((await write(server, series.slice(0, 45))).status, 204)
      assert.equal((await write(server, series.slice(45))).status, 204)
    }
    const { machine, latest } = await stateOf(server)
    assert.deepEqual([machine.host_name, machine.cpus], ['web-1', 2])
    assert.equal(latest.cpu_percent, 25)
    assert.equal(latest.load_1, 0.5)
    assert.equal(latest['interface_received_bytes:eth0'], 300)
  })

  it('of Glances come with the port behind the token, after a question about databases', async () => {
    const server = await newServer()
    const token = `${server.token}:443`
    const asked = await fetch(`${service.url}/server/${token}/query?q=SHOW+DATABASES&db=glances`)
    assert.deepEqual(((await asked.json()) as { results: object[] }).results, [
      { statement_id: 0, series: [{ name: 'databases', columns: ['name'], values: [['glances']] }] },
    ])
    for (const line of [
      'load,hostname=vm min1=0.5',
      'mem,hostname=vm total=8000000000.0,available=6000000000.0',
    ]) {
      assert.equal((await send({ token }, '/write?db=glances&precision=s', line)).status, 204)
    }
    const { machine, latest } = await stateOf(server)
    assert.equal(machine.host_name, 'vm')
    assert.deepEqual([latest.load_1, latest.memory_available_bytes], [0.5, 6e9])
  })

  it('are of the first machine; others are named in the answer, and not kept', async () => {
    const server = await newServer()
    const both = await send(
      server,
      '/v1/metrics',
      metricsJson([...metrics('web-1'), ...metrics('web-2')]),
      JSON_TYPE,
    )
    assert.equal(both.status, 200)
    assert.match(await both.text(), /"partialSuccess":.*those of web-2 are not/)
    const other = await send(server, '/v1/metrics', metricsJson(metrics('web-3')), JSON_TYPE)
    assert.equal(other.status, 409)
    const refused = (await other.json()) as { code: number; message: string }
    assert.equal(refused.code, 9)
    assert.match(refused.message, /that of web-3 was refused/)
    const { machine, other_machine } = await stateOf(server)
    assert.deepEqual([machine.host_name, other_machine.host_name], ['web-1', 'web-3'])
  })

  it('that know nothing of a machine are answered, and leave a server waiting', async () => {
    const server = await newServer()
    assert.equal((await send(server, '/write', 'weather temperature=20')).status, 204)
    assert.equal((await write(server, [['http_requests_total', 1, AT * 1_000]])).status, 204)
    assert.equal((await stateOf(server)).latest, null)
  })

  it('of which nothing is known are shown with their sender until a report comes', async () => {
    const { services } = service
    const shown = async ({ id, teamId }: AddedServer) =>
      presentServer(await readServer(services.db.query, teamId, id)).not_understood
    const sender = { 'user-agent': 'Telegraf/1.30.0 Go/1.22', 'x-forwarded-for': '192.0.2.7' }
    const cases: [
      path: string,
      body: Uint8Array | string,
      Record<string, string>,
      names: string[],
      why: RegExp | null,
    ][] = [
      ['/write', 'weather temperature=20,wind=3', {}, ['weather.temperature', 'weather.wind'], null],
      ['/v1/metrics', metricsJson([{ attributes: HOST, metrics: [] }]), JSON_TYPE, [], null],
      ['/api/v1/write', 'x', SNAPPY, [], /snappy/i],
      ['/v1/metrics', '{}', { 'content-type': 'text/plain' }, [], /must have the Content-Type/],
      ['', '[{"values":[1],"dstypes":["gauge"],"plugin":"cpu"}]', JSON_TYPE, [], /no report of the agent/],
    ]
    for (const [path, body, headers, names, why] of cases) {
      const server = await newServer()
      assert.equal(await shown(server), null)
      await send(server, path, body, { ...headers, ...sender })
      await until(`a note about ${path}`, async () => (await shown(server)) !== null)
      const noted = await shown(server)
      assert.deepEqual(
        [noted?.requests, noted?.sender, noted?.address, noted?.names],
        [1, sender['user-agent'], '192.0.2.7', names],
      )
      if (why) assert.match(noted?.why ?? '', why)
      else assert.equal(noted?.why, null)
      await send(server, '/v1/metrics', metricsJson(metrics('web-1')), JSON_TYPE)
      assert.equal(await shown(server), null, 'a report came')
    }
  })

  it('of which nothing is known are counted, and written once a minute; not of a server that reports', async () => {
    const { db } = service.services
    const server = await newServer()
    const hash = hashServerToken(server.token)
    let nowMs = 0
    const writes: Promise<void>[] = []
    const notes = createNotUnderstoodNotes({
      write: (tokenHash, noted) => {
        const written = addNotUnderstood(db, tokenHash, noted)
        writes.push(written)
        return written
      },
      monotonicMs: () => nowMs,
      onTrouble: (error) => assert.fail(String(error)),
    })
    const request = { sender: null, address: '192.0.2.7', names: ['a.b'], why: null }
    for (let second = 0; second < 120; second++) {
      nowMs = second * 1_000
      notes.note(hash, request)
    }
    await Promise.all(writes)
    assert.equal(writes.length, 2)
    const noted = async () =>
      (await db.pool.query('SELECT not_understood FROM server_state WHERE server_id = $1', [server.id]))
        .rows[0].not_understood
    const first = NotUnderstood.parse(await noted())
    assert.equal(first.requests, 61)
    await db.pool.query(`UPDATE server_state SET last_report_at = now() WHERE server_id = $1`, [server.id])
    await addNotUnderstood(db, hash, { requests: 5, last: request })
    assert.deepEqual(await noted(), first)
    await db.pool.query(
      `UPDATE server_state SET last_report_at = NULL,
         not_understood = not_understood || jsonb_build_object('at', now() - interval '2 hours') WHERE server_id = $1`,
      [server.id],
    )
    await addNotUnderstood(db, hash, { requests: 5, last: request })
    assert.equal((await noted()).requests, 5, 'those of hours ago are over')
  })

  it('are refused where they cannot be read, as their protocols say it', async () => {
    const server = await newServer()
    const long = 'x'.repeat(MAX_INPUT_BYTES + 1)
    const cases: [number, ...Parameters<typeof send>][] = [
      [404, { token: 'no-token' }, '/v1/metrics', '{}', JSON_TYPE],
      [415, server, '/v1/metrics', '{}', { ...JSON_TYPE, 'content-encoding': 'br' }],
      [415, server, '/api/v1/write', 'x', { ...PROTOBUF, 'content-encoding': 'zstd' }],
      [
        415,
        server,
        '/api/v1/write',
        'x',
        { ...SNAPPY, 'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request' },
      ],
      [400, server, '/write', 'x', GZIP],
      [400, server, '/write', 'system load1=', {}],
      [400, server, '/api/v1/write', snappyCompress(new Uint8Array([255])), SNAPPY],
      [413, server, '/write', gzipSync(long), GZIP],
      [413, server, '/api/v1/write', snappyCompress(new TextEncoder().encode(long)), SNAPPY],
    ]
    for (const [status, ...request] of cases) {
      const answer = await send(...request)
      assert.equal(answer.status, status, `${request[1]}: ${await answer.text()}`)
    }
  })
})
