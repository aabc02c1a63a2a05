import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { RATE_LIMITS } from '../../../src/core/request-limits.ts'
import { MAX_INPUT_BYTES, MAX_REPORT_BYTES } from '../../../src/core/servers/server.ts'
import { createPartition } from '../../../src/store/history/partitions.ts'
import { besideRival } from '../../support/postgres/rival.ts'
import { agentText } from '../../support/records/agent-text.ts'
import { type AddedServer, addServer, addServers, type NewServer } from '../../support/records/servers.ts'
import { apiService } from '../../support/services/api-service.ts'
import type { AskedService } from '../../support/services/asked-service.ts'
import { clientAddress } from '../../support/sign-in/cookie-browser.ts'

const MANY = 2_000

describe('the address of a server', () => {
  let service: AskedService

  before(async () => {
    service = await apiService()
    await query(createPartition('server_samples', new Date()))
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await service.services.db.pool.query(text, values)).rows
  const newServer = (columns: NewServer = {}) => addServer(service.services.db, columns)
  const samplesOf = async ({ id }: AddedServer) =>
    (await query('SELECT count(*)::int AS count FROM server_samples WHERE server_id = $1', [id]))[0].count

  /** Each from an address of its own, which is counted apart. */
  async function send(
    { token }: Pick<AddedServer, 'token'>,
    body: string | Uint8Array<ArrayBuffer>,
    {
      path = '',
      headers = {},
      method = 'POST',
    }: { path?: string; headers?: Record<string, string>; method?: string } = {},
  ) {
    const answer = await fetch(`${service.url}/server/${token}${path}`, {
      method,
      headers: { 'content-type': 'text/plain', 'x-forwarded-for': clientAddress(), ...headers },
      ...(method === 'POST' && { body }),
    })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const statusOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).status
  const packed = (text: string) => new Uint8Array(gzipSync(text))
  const GZIP = { headers: { 'content-encoding': 'gzip' } }

  it('takes reports of an agent, packed or not, and has kept them when it answers', async () => {
    const server = await newServer()
    const { status, text } = await send(server, agentText({ uptime: 1_000 }))
    assert.deepEqual([status, text], [200, 'ok\n'])
    assert.equal(await samplesOf(server), 1)
    assert.equal(await statusOf(server, packed(agentText({ uptime: 1_060 })), GZIP), 200)
    assert.equal(await samplesOf(server), 2)
    const [state] = await query('SELECT status, latest, machine FROM server_state WHERE server_id = $1', [
      server.id,
    ])
    assert.deepEqual(
      [state.status, state.machine.host_name, state.latest.memory_available_bytes],
      ['up', 'web-1', 4_096_000_000],
    )
  })

  it('takes the reports of servers whose states somebody else changes at that moment, each', async () => {
    // As many servers and batches as make the database look up each row for itself.
    const servers = (await addServers(service.services.db, MANY)).slice(-10)
    const ids = servers.map(({ id }) => id)
    await query('ANALYZE servers, server_state')
    for (let minute = 0; minute < 8; minute++) await send(await newServer(), agentText())
    const { result: answers, waited } = await besideRival(
      service.services.db,
      (client) =>
        client.query(
          "UPDATE server_state SET silent_at = now() - interval '1 day' WHERE server_id = ANY($1)",
          [ids],
        ),
      () =>
        Promise.all(
          servers.map((server) => statusOf(server, agentText({ machine: `machine-${server.id}` }))),
        ),
    )
    assert.ok(waited)
    assert.deepEqual(
      answers,
      servers.map(() => 200),
    )
    const states = await query(
      "SELECT FROM server_state WHERE server_id = ANY($1) AND status = 'up' AND silent_at > now()",
      [ids],
    )
    assert.equal(states.length, servers.length)
  })

  it('answers a report that comes again, and keeps it once', async () => {
    const server = await newServer()
    const answers = [await send(server, agentText()), await send(server, agentText())]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    assert.equal(await samplesOf(server), 1)
  })

  it('asks for the processes while a threshold is exceeded', async () => {
    const memory = { is_on: true, warns_only: false, enter: 60, leave: 70, minutes: 15 }
    const server = await newServer({ thresholds: JSON.stringify({ memory }) })
    assert.equal((await send(server, agentText())).text, 'ok top\n')
  })

  it('refuses another machine with the same token', async () => {
    const server = await newServer()
    await send(server, agentText())
    const { status, text } = await send(server, agentText({ machine: 'machine-2', uptime: 90_000 }))
    assert.equal(status, 409)
    assert.match(text, /Another machine reports with this token, so that of \S+ was refused/)
    assert.equal(await samplesOf(server), 1)
  })

  it('gives one answer to every token that is of no active server, before it reads a body', async () => {
    const paused = await newServer()
    assert.equal(await statusOf(paused, agentText()), 200)
    await query('UPDATE servers SET is_active = false WHERE id = $1', [paused.id])
    const unknown = [
      paused,
      await newServer({ is_active: false }),
      await newServer({ deleted_at: new Date() }),
      { token: 'b3a6f9c4-0000-4000-8000-000000000000' },
      { token: 'no-token' },
    ]
    const answers = await Promise.all(unknown.map((server) => send(server, agentText({ uptime: 2_000 }))))
    assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1)
    assert.equal(answers[0]?.status, 404)
    assert.equal(await statusOf({ token: 'no-token' }, 'x'.repeat(MAX_REPORT_BYTES + 1)), 404)
  })

  it('refuses what is too large, packed or not, what is packed otherwise, and what is no report', async () => {
    const server = await newServer()
    const long = agentText({ padding: 'x'.repeat(MAX_REPORT_BYTES) })
    const cases: [number, string | Uint8Array<ArrayBuffer>, Parameters<typeof send>[2]?][] = [
      [413, long],
      [413, packed(long), GZIP],
      [422, agentText(), GZIP],
      [415, agentText(), { headers: { 'content-encoding': 'br' } }],
      [422, 'hello'],
      [422, ''],
      [405, '', { method: 'GET' }],
    ]
    for (const [status, body, options] of cases) {
      assert.equal(await statusOf(server, body, options), status, String(body).slice(0, 20))
    }
    assert.equal(await samplesOf(server), 0)
  })

  it('counts the requests of a server', async () => {
    const server = await newServer()
    const sent = Array.from(
      { length: RATE_LIMITS.reportsPerServer + RATE_LIMITS.reportsPerServer / 10 + 1 },
      () => send(server, agentText()),
    )
    const refused = (await Promise.all(sent)).filter(({ status }) => status === 429)
    assert.equal(refused.length, 1)
    assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0)
  })

  it('takes lines of Influx, metrics of OpenTelemetry and writes of Prometheus, each with its own answers', async () => {
    const server = await newServer()
    const lines = 'mem,host=web-1 total=8000000000i,available=4000000000i\n'
    assert.equal(await statusOf(server, lines, { path: '/write?db=telegraf' }), 204)
    assert.equal(await statusOf(server, packed(lines), { path: '/api/v2/write', ...GZIP }), 204)
    const [state] = await query('SELECT latest FROM server_state WHERE server_id = $1', [server.id])
    assert.equal(state.latest.memory_available_bytes, 4_000_000_000)
    const json = { headers: { 'content-type': 'application/json' }, path: '/v1/metrics' }
    assert.deepEqual([(await send(server, '{"resourceMetrics":[]}', json)).text], ['{}'])
    const wrong = await send(server, '[', json)
    assert.deepEqual([wrong.status, JSON.parse(wrong.text).code], [400, 3])
    assert.equal(await statusOf(server, 'x', { path: '/v1/metrics' }), 415)
    const prometheus = {
      path: '/api/v1/write',
      headers: { 'content-type': 'application/x-protobuf', 'content-encoding': 'snappy' },
    }
    assert.equal(await statusOf(server, new Uint8Array([0]), prometheus), 204)
    assert.equal(await statusOf(server, 'not snappy', prometheus), 400)
    assert.equal(await statusOf(server, 'x'.repeat(MAX_INPUT_BYTES + 1), { path: '/write' }), 413)
    assert.equal(await statusOf({ token: 'no-token' }, lines, { path: '/write' }), 404)
    assert.equal(await statusOf(server, '', { path: '/ping', method: 'GET' }), 204)
  })
})
