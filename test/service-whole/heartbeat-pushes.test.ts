import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { Check } from '../../src/core/monitors/check.ts'
import type { Monitor } from '../../src/core/monitors/monitor.ts'
import { Ping, PingBody } from '../../src/core/monitors/ping.ts'
import { WRONG_SECRETS } from '../../src/core/request-limits.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { holdWindow, windowOf } from '../support/records/rate-limit-windows.ts'
import { addRow, ago } from '../support/records/rows.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid, assertProblem } from '../support/services/api-problems.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { ask, type Sent } from '../support/services/http.ts'
import { type SignedIn, signIn } from '../support/services/signed-in.ts'
import { wholeService } from '../support/services/whole-service.ts'
import { clientAddress } from '../support/sign-in/cookie-browser.ts'
import { until } from '../support/until.ts'

const PER_MINUTE = 60

describe('the pings of jobs, and the part of them that is kept', () => {
  let service: AskedService
  let member: SignedIn
  let viewer: SignedIn
  let address = clientAddress()

  before(async () => {
    service = await wholeService()
    const { id } = await service.createTeam()
    member = await signIn(service, id)
    viewer = await signIn(service, id, 'viewer')
  })

  const heartbeat = async (): Promise<Monitor> =>
    (await member.ask('POST', '/monitors', { ...MONITORS.heartbeat, check_interval_seconds: 3_600 })).data

  async function send(path: string, sent: Sent = {}) {
    const headers = { 'x-forwarded-for': address, ...sent.headers }
    const { text, ...answer } = await ask(service.url + path, { ...sent, headers })
    return { ...answer, body: text && JSON.parse(text) }
  }
  const push = ({ heartbeat_token }: Monitor, query = '', sent: Sent = {}) =>
    send(`/api/push/${heartbeat_token}${query}`, sent)
  const newestCheck = async ({ id }: Monitor) =>
    (await member.ask('GET', `/monitors/${id}/check-details`)).data[0]
  const pingsOf = async ({ id }: Monitor, query = ''): Promise<{ data: Ping[]; meta: object }> =>
    member.ask('GET', `/monitors/${id}/pings${query}`)
  const bodyOf = async ({ id }: Monitor, at: string): Promise<PingBody> =>
    PingBody.parse((await member.ask('GET', `/monitors/${id}/ping-body?at=${at}`)).data)

  const OK = { ok: true }
  const NOT_FOUND = { ok: false, msg: 'Monitor not found or not active.' }

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`a push by ${method} makes the monitor up, and is answered as Uptime Kuma answers`, async () => {
      const monitor = await heartbeat()
      const { status, headers, body } = await push(monitor, '', { method })
      assert.deepEqual([status, body], [200, OK])
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
      assert.equal((await newestCheck(monitor)).status, 'up')
    })
  }

  const pushes: [query: string, status: string, message: string | null, ms: number | null][] = [
    ['?status=up&msg=OK&ping=', 'up', null, null],
    ['?status=up&msg=OK&ping=42', 'up', null, 42],
    ['?status=&msg=&ping=', 'up', null, null],
    ['?ping=0.4', 'up', null, 0],
    ['?ping=12ms', 'up', null, 12],
    ['?ping=NaN', 'up', null, null],
    ['?ping=abc', 'up', null, null],
    ['?ping=-0', 'up', null, 0],
    ['?ping=2147483647', 'up', null, 2_147_483_647],
    ['?ping=100000000000', 'up', null, null],
    ['?status=down', 'down', 'the job reported a failure', null],
    ['?status=down&msg=disk%20full&ping=7', 'down', 'the job reported: disk full', 7],
    ['?status=anything&msg=<b>%0Aodd', 'down', 'the job reported: <b> odd', null],
  ]
  for (const [query, status, message, ms] of pushes) {
    it(`${query} is a check that says ${status}`, async () => {
      const monitor = await heartbeat()
      assert.deepEqual((await push(monitor, query)).body, OK)
      const check = await newestCheck(monitor)
      assert.deepEqual([check.status, check.error_message, check.response_time_ms], [status, message, ms])
      const { open_incident } = (await member.ask('GET', `/monitors/${monitor.id}`)).data
      assert.equal(open_incident?.cause ?? null, message)
    })
  }

  it('refuses a negative ping, as Uptime Kuma does, and records nothing', async () => {
    const monitor = await heartbeat()
    const { status, body } = await push(monitor, '?status=up&ping=-1.5')
    const msg = 'Invalid ping value: -1.5ms cannot be negative'
    assert.deepEqual([status, body], [400, { ok: false, msg }])
    assert.deepEqual((await member.ask('GET', `/monitors/${monitor.id}/checks`)).data, [])
  })

  it('refuses tokens of nothing, as Uptime Kuma does', async () => {
    const monitor = await heartbeat()
    for (const token of [randomUUID(), 'nonsense']) {
      const { status, body } = await push({ ...monitor, heartbeat_token: token })
      assert.deepEqual([status, body], [404, NOT_FOUND])
    }
    await member.ask('POST', `/monitors/${monitor.id}/toggle`)
    const { status, body } = await push(monitor)
    assert.deepEqual([status, body], [404, NOT_FOUND])
  })

  it('counts pushes as pings: for the token, and for the address whatever becomes of them', async () => {
    const monitor = await heartbeat()
    const key = `heartbeat:${monitor.id}`
    assert.equal((await push(monitor)).status, 200)
    await holdWindow(service, key)
    for (let count = 2; count <= 10; count++) {
      address = clientAddress()
      assert.equal((await push(monitor)).status, 200)
      assert.equal((await windowOf(service, key)).used, count)
    }
    await holdWindow(service, key, PER_MINUTE - 1)
    assert.equal((await push(monitor)).status, 200)
    const { status, headers, body } = await push(monitor)
    const seconds = headers.get('retry-after')
    assert.deepEqual(
      [status, body],
      [429, { ok: false, msg: `Too many requests: try again in ${seconds} s.` }],
    )

    address = clientAddress()
    const unknown = { ...monitor, heartbeat_token: 'nonsense' }
    assert.equal((await push(unknown)).status, 404)
    await holdWindow(service, `wrong-ping:${address}`, WRONG_SECRETS.ping - 1)
    assert.equal((await push(unknown)).status, 404)
    assert.equal((await push(unknown)).status, 429)
    assert.equal((await push(await heartbeat())).status, 200)
    address = clientAddress()
    assert.equal((await push(unknown)).status, 404)
  })

  it('answers as Healthchecks does below /hc, for clients that take nothing else for a success', async () => {
    const monitor = await heartbeat()
    const path = `/hc/${monitor.heartbeat_token}`
    for (const suffix of ['/start', '/0', '']) {
      const { status, headers, text } = await ask(service.url + path + suffix, { method: 'POST' })
      assert.deepEqual([status, text], [200, 'OK'])
      assert.equal(headers.get('ping-body-limit'), '100000')
    }
    const { data } = await pingsOf(monitor)
    assert.deepEqual(
      data.map(({ kind }) => kind),
      ['success', 'success', 'start'],
    )
    assert.equal((await send(path, { method: 'PUT' })).status, 405)
    assertProblem(await send(`/hc/${randomUUID()}`), 404)
  })

  it('takes what scripts send to Healthchecks and to Uptime Kuma, with another address', async () => {
    const monitor = await heartbeat()
    const runId = randomUUID()
    const script = [
      `ping() { curl -fsS --retry 3 -o /dev/null "$@"; }`,
      `ping "$URL/ping/$TOKEN/start?rid=${runId}"`,
      'said=$(echo 3 files; exit 3) || status=$?',
      `ping --data-raw "$said" "$URL/ping/$TOKEN/$status?rid=${runId}"`,
      'ping "$URL/api/push/$TOKEN?status=up&msg=OK&ping=12"',
    ].join('\n')
    const env = { PATH: process.env.PATH ?? '', URL: service.url, TOKEN: monitor.heartbeat_token ?? '' }
    await promisify(execFile)('bash', ['-euc', script], { env, timeout: HANG_GUARD_MS })
    const checks = (await member.ask('GET', `/monitors/${monitor.id}/check-details`)).data as Check[]
    assert.deepEqual(
      checks.map((check) => [check.status, check.error_message, check.response_time_ms]),
      [
        ['up', null, 12],
        ['down', 'the job ended with exit status 3', null],
      ],
    )
  })

  it('lists pings with the time that runs took, newest first', async () => {
    const monitor = await heartbeat()
    const path = `/ping/${monitor.heartbeat_token}`
    const runs = [randomUUID(), randomUUID()]
    for (const run of runs) await send(`${path}/start?rid=${run}`)
    await send(`${path}/log`, { method: 'POST', body: 'half of it' })
    await send(`${path}/7?rid=${runs[0]}`, { method: 'POST', body: 'disk full' })
    await send(`${path}?rid=${runs[1]}`)
    await push(monitor, '?msg=all%20well')
    const { data, meta } = await pingsOf(monitor)
    const told = data.map((ping) => {
      const { kind, exit_status, run_id, duration_ms, body_bytes } = Ping.parse(ping)
      return [kind, exit_status, run_id, duration_ms === null ? null : 'took', body_bytes]
    })
    assert.deepEqual(told, [
      ['success', null, null, null, 8],
      ['success', null, runs[1], 'took', 0],
      ['fail', 7, runs[0], 'took', 9],
      ['log', null, null, null, 10],
      ['start', null, runs[1], null, 0],
      ['start', null, runs[0], null, 0],
    ])
    const at = (index: number) => Date.parse(data[index]?.received_at ?? '')
    assert.deepEqual([data[1]?.duration_ms, data[2]?.duration_ms], [at(1) - at(4), at(2) - at(5)])
    assert.deepEqual(meta, { next_before: null })
    const older = await pingsOf(monitor, `?before=${data[2]?.received_at}`)
    assert.deepEqual(older.data, data.slice(3))
    assert.equal((await bodyOf(monitor, data[0]?.received_at ?? '')).text, 'all well')
  })

  it('goes on with the next page where the one before it ended', async () => {
    const monitor = await heartbeat()
    for (let count = 0; count < 55; count++) {
      await send(`/ping/${monitor.heartbeat_token}/${count}`)
    }
    // Those at the edge came in the same millisecond.
    await service.services.db.pool.query(
      `UPDATE pings SET received_at = (SELECT received_at FROM pings WHERE monitor_id = $1 AND exit_status = 4)
       WHERE monitor_id = $1 AND exit_status IN (3, 4, 5)`,
      [monitor.id],
    )
    const first = (await pingsOf(monitor)) as { data: Ping[]; meta: { next_before: string } }
    assert.equal(first.meta.next_before, first.data.at(-1)?.received_at)
    const second = await pingsOf(monitor, `?before=${first.meta.next_before}`)
    assert.deepEqual(second.meta, { next_before: null })
    const listed = [...first.data, ...second.data].map(({ exit_status }) => exit_status)
    assert.deepEqual(
      listed.toSorted((a, b) => (a ?? 0) - (b ?? 0)),
      Array.from({ length: 55 }, (_, count) => count),
    )
    assert.ok(first.data.length >= 50 && second.data.length > 0)
  })

  it('shows a body to every member, as text or as none', async () => {
    const monitor = await heartbeat()
    const path = `/ping/${monitor.heartbeat_token}`
    for (const body of ['<h1>Größe</h1>\n', Buffer.from([0, 1, 0xff]), `${'x'.repeat(99_999)}ü`]) {
      await send(path, { method: 'POST', body })
    }
    const listed = (await pingsOf(monitor)).data.reverse()
    const shown = []
    for (const { received_at } of listed) shown.push(await bodyOf(monitor, received_at))
    assert.deepEqual(
      shown.map(({ bytes, text }) => [bytes, text]),
      [
        [17, '<h1>Größe</h1>\n'],
        [3, null],
        [100_000, 'x'.repeat(99_999)],
      ],
    )
    const one = `/monitors/${monitor.id}/ping-body?at=${listed[0]?.received_at}`
    assert.equal((await viewer.ask('GET', one)).data.bytes, 17)
    const other = await signIn(service, (await service.createTeam()).id)
    for (const asked of [one, `/monitors/${monitor.id}/pings`]) {
      assertProblem(await other.send('GET', asked), 404)
    }
  })

  it('counts a ping whose sender goes away in the middle of a body', async () => {
    const monitor = await heartbeat()
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const head = `POST /ping/${monitor.heartbeat_token} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n`
    await new Promise<void>((written) => socket.end(`${head}half`, () => written()))
    const [ping] = await until('the ping is there', async () => {
      const { data } = await pingsOf(monitor)
      return data.length > 0 && data
    })
    assert.equal(ping?.kind, 'success')
    socket.destroy()
  })

  it('has no body for a ping without one, for a time without a ping, and past the plan', async () => {
    const free = await signIn(service, (await service.createTeam('free')).id)
    const { id, heartbeat_token } = (await free.ask('POST', '/monitors', MONITORS.heartbeat)).data
    await send(`/ping/${heartbeat_token}`)
    const [ping] = (await free.ask('GET', `/monitors/${id}/pings`)).data
    const asked = `/monitors/${id}/ping-body`
    assertProblem(await free.send('GET', `${asked}?at=${ping.received_at}`), 404)
    assertProblem(await free.send('GET', `${asked}?at=2026-01-01T00:00:00Z`), 404)
    assertInvalid(await free.send('GET', asked), ['at'])
    assertInvalid(await free.send('GET', `${asked}?at=now`), ['at'])
    assertInvalid(await free.send('GET', `/monitors/${id}/pings?before=now`), ['before'])

    const { pool } = service.services.db
    await pool.query(`CREATE TABLE pings_of_old PARTITION OF pings
                      FOR VALUES FROM (now() - interval '4 days') TO (now() - interval '3 days 1 hour')`)
    const receivedAt = ago((3 * 24 + 2) * 3_600_000)
    const old = { received_at: receivedAt, monitor_id: id, kind: 'log', body: Buffer.from('old') }
    await addRow(service.services.db, 'pings', old)
    assert.deepEqual((await free.ask('GET', `/monitors/${id}/pings`)).data, [ping])
    assertProblem(await free.send('GET', `${asked}?at=${receivedAt.toISOString()}`), 404)
  })
})
