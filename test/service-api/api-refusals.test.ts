import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createApi } from '../../src/api/app.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { CONTACTS, MONITORS } from '../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../support/services/api-client.ts'
import { assertInvalid, assertProblem } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { Answer, AskedService, TestTeam } from '../support/services/asked-service.ts'
import { documented, documentedAsk } from '../support/services/documented.ts'
import { peopleOf } from '../support/services/people.ts'
import { sideBySide } from '../support/side-by-side.ts'
import { until } from '../support/until.ts'

const MAX_BODY_BYTES = 262_144
const CHUNK = 65_536
/** A body that is still not read to its end so long after the answer ends its connection. */
const DRAIN_MS = 500
const JSON_TYPE = { 'content-type': 'application/json' }

describe('refusals and bodies', () => {
  let service: AskedService
  let team: TestTeam
  let api: ApiClient
  let monitor: { id: number }
  let contact: { id: number }

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
    api = apiClient(service, team.id)
    monitor = (await api.post('/monitors', MONITORS.http)).body.data
    contact = (await api.post('/notification-contacts', CONTACTS.webhook)).body.data
  })

  /** JSON that is padded to a length in bytes. */
  const padded = (value: object, bytes: number) => {
    const text = JSON.stringify(value)
    return text + ' '.repeat(bytes - Buffer.byteLength(text))
  }

  /** A body of bytes, with a Content-Length or in chunks without one. */
  async function sendBytes(path: string, bytes: Uint8Array, chunked: boolean, headers = {}): Promise<Answer> {
    const pieces = Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, index) =>
      bytes.subarray(index * CHUNK, (index + 1) * CHUNK),
    )
    const { text, ...answer } = await documentedAsk(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await api.token()}`, ...JSON_TYPE, ...headers },
      body: chunked ? Readable.from(pieces) : bytes,
    })
    return { ...answer, body: JSON.parse(text) }
  }

  it('come in one order when a request deserves several', async () => {
    const viewer = await service.createToken(team.id, 'viewer')
    const full = await service.createTeam('free')
    const asFull = apiClient(service, full.id)
    for (let i = 0; i < 10; i++) await asFull.post('/monitors', MONITORS.http)
    const large = 'x'.repeat(MAX_BODY_BYTES + 1)
    const text = { 'content-type': 'text/plain' }
    const own = `/monitors/${monitor.id}`
    const unknown = '/monitors/2147483647'
    type Row = [
      expected: number,
      token: string | null,
      method: string,
      path: string,
      body?: unknown,
      headers?: Record<string, string>,
    ]
    const owner = await api.token()
    const fullOwner = await asFull.token()
    const rows: Row[] = [
      // An unknown path and a wrong method before the token.
      [404, null, 'POST', '/nothing', large, text],
      [404, 'garbage', 'GET', '/nothing?page=0'],
      [405, null, 'PUT', '/monitors', large, text],
      [405, 'garbage', 'POST', own, '{'],
      [405, viewer, 'DELETE', '/monitors', '{'],
      // 401 before 404, 413, 415, 422.
      [401, null, 'PATCH', unknown, '{'],
      [401, 'garbage', 'POST', '/monitors', large, text],
      [401, null, 'GET', '/monitors?page=0'],
      // 403 before 404, 413, 415, 422, 402.
      [403, viewer, 'PATCH', unknown, '{'],
      [403, viewer, 'POST', '/monitors', large, text],
      [403, full.viewer, 'POST', '/monitors', MONITORS.http],
      // 404 before 413, 415, 422.
      [404, owner, 'PATCH', unknown, large],
      [404, owner, 'PATCH', unknown, 'text', text],
      [404, owner, 'PATCH', unknown, '{'],
      [404, owner, 'PATCH', unknown, { name: '' }],
      // 413 before 422, 415 before 422.
      [413, owner, 'PATCH', own, large],
      [413, fullOwner, 'POST', '/monitors', large],
      [415, owner, 'PATCH', own, '{', text],
      [415, fullOwner, 'POST', '/monitors', '{"name":""}', text],
      // 422 before 402.
      [422, fullOwner, 'POST', '/monitors', '{'],
      [422, fullOwner, 'POST', '/monitors', { ...MONITORS.http, name: '' }],
      [422, fullOwner, 'POST', '/monitors', { ...MONITORS.http, notification_contact_ids: [contact.id] }],
      [402, fullOwner, 'POST', '/monitors', MONITORS.http],
    ]
    await sideBySide(rows, async ([expected, token, method, path, body, headers]) => {
      const answer = await service.call(token, method, path, body, headers)
      assert.equal(answer.status, expected, `${expected} ${method} ${path} gave ${answer.status}`)
      assertProblem(answer, expected)
    })
  })

  it('take a body of 256 KiB and refuse one byte more, with a Content-Length and without', async () => {
    for (const chunked of [false, true]) {
      const most = Buffer.from(padded(MONITORS.http, MAX_BODY_BYTES))
      assert.equal((await sendBytes('/monitors', most, chunked)).status, 201)
      const more = Buffer.from(padded(MONITORS.http, MAX_BODY_BYTES + 1))
      assertProblem(await sendBytes('/monitors', more, chunked), 413)
      const far = Buffer.from(padded(MONITORS.http, 20 * MAX_BODY_BYTES))
      assertProblem(await sendBytes('/monitors', far, chunked), 413)
    }
  })

  it('leave the connection to the requests that follow a body that was too large', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async (method: string, path: string, headers: OutgoingHttpHeaders, body?: Buffer) => {
      const sent = request(service.url + path, { agent, method, headers })
      sent.end(body)
      const finished = once(sent, 'finish')
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      // Only a request that was sent in full leaves its connection to the next.
      await finished
      await response.toArray()
      return { status: response.statusCode, reused: sent.reusedSocket }
    }
    const headers = {
      authorization: `Bearer ${await api.token()}`,
      ...JSON_TYPE,
      'transfer-encoding': 'chunked',
    }
    const beganMs = await until('a body that was read to its end in time', async () => {
      const beganMs = performance.now()
      // A connection may end only where body and next request took longer altogether than reading the body may.
      const assertIsLate = () => assert.ok(performance.now() - beganMs > DRAIN_MS)
      try {
        const refused = await ask('POST', '/api/v1/monitors', headers, Buffer.alloc(20 * MAX_BODY_BYTES, 32))
        assert.equal(refused.status, 413)
        const { reused } = await ask('GET', '/health', {})
        if (!reused) assertIsLate()
        return reused && beganMs
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
        assertIsLate()
        return false
      }
    })
    while (performance.now() - beganMs < 1.5 * DRAIN_MS) {
      assert.deepEqual(await ask('GET', '/health', {}), { status: 200, reused: true })
      await delay(DRAIN_MS / 20)
    }
    agent.destroy()
  })

  it('refuse a body by the length that it announces, before it is sent', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.setTimeout(HANG_GUARD_MS, () => socket.destroy(new Error('no answer')))
    await once(socket, 'connect')
    socket.write(
      [
        'POST /api/v1/monitors HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${await api.token()}`,
        'Content-Type: application/json',
        `Content-Length: ${MAX_BODY_BYTES + 1}`,
        '\r\n',
      ].join('\r\n'),
    )
    const [start] = await once(socket, 'data')
    socket.destroy()
    assert.match(String(start), /^HTTP\/1\.1 413 /)
  })

  it('want JSON by its Content-Type, whatever its case and parameters', async () => {
    const body = JSON.stringify({ name: 'Named' })
    const path = `/monitors/${monitor.id}`
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;',
    ]) {
      const answer = await api.send('PATCH', path, body, { 'content-type': type })
      assert.equal(answer.status, 200, type)
    }
    for (const type of [
      'text/plain',
      'text/json',
      'application/jsonx',
      'application/merge-patch+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml; charset=application/json',
    ]) {
      const answer = await api.send('PATCH', path, body, { 'content-type': type })
      assertProblem(answer, 415)
    }
    const untyped = await documentedAsk(`${service.url}/api/v1${path}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${await api.token()}` },
      body: Buffer.from(body),
    })
    assert.equal(untyped.status, 415)
    const absent = await api.send('PATCH', path, undefined, { 'content-type': 'text/plain' })
    assert.equal(absent.status, 200, 'an absent body counts as {}')
  })

  it('say of a body that is malformed, or no object, that the body is', async () => {
    for (const path of ['/monitors', '/notification-contacts']) {
      for (const body of [
        '{',
        '{"name":}',
        "{'name':'x'}",
        '{"name":"x",}',
        'name=x',
        '   ',
        'NaN',
        '{} {}',
        '\0',
      ]) {
        assertInvalid(await api.post(path, body), ['body'])
      }
      for (const body of ['[]', '[{}]', '"text"', '5', 'true', 'null']) {
        assertInvalid(await api.post(path, body), ['body'])
      }
      for (const bytes of [
        [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
        [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
        [0x22, 0xed, 0xa0, 0x80, 0x22],
      ]) {
        assertInvalid(await sendBytes(path, Uint8Array.from(bytes), false), ['body'])
      }
    }
    for (const path of [`/monitors/${monitor.id}`, `/notification-contacts/${contact.id}`]) {
      for (const body of ['{', '[]', 'null']) assertInvalid(await api.patch(path, body), ['body'])
    }
  })

  it('are never a fault of the service, however odd the body', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const odd: [path: string, body: string][] = [
      ['/monitors', '{"__proto__":{"name":"x"},"constructor":1}'],
      ['/monitors', `{"name":${deep}}`],
      ['/monitors', `{"request_headers":{"__proto__":"x","constructor":5}}`],
      ['/monitors', '{"type":"constructor"}'],
      ['/monitors', '{"type":"__proto__","url":"http://127.0.0.1/"}'],
      [
        '/monitors',
        '{"port":1e400,"check_interval_seconds":-0.0,"request_timeout_seconds":9007199254740993}',
      ],
      ['/monitors', '{"notification_contact_ids":[9007199254740993,1e300]}'],
      ['/notification-contacts', '{"name":"x","type":"constructor","config":{}}'],
      ['/notification-contacts', '{"name":"x","type":"__proto__","config":{}}'],
      ['/notification-contacts', '{"name":"x","type":["email"],"config":{"email":"a@example.com"}}'],
      ['/notification-contacts', `{"name":"x","type":"email","config":{"email":${deep}}}`],
      [
        '/notification-contacts',
        '{"name":"x","type":"webhook","config":{"__proto__":{"url":"http://127.0.0.1/"}}}',
      ],
    ]
    for (const [path, body] of odd) {
      const answer = await api.post(path, body)
      assert.equal(answer.status, 422, `${body.slice(0, 80)} gave ${answer.status}`)
      assertProblem(answer, 422)
    }
  })

  it('do not meet a toggle, a read or a deletion for the sake of a body', async () => {
    const bodies: [body: string, type: string][] = [
      ['{', 'application/json'],
      ['[]', 'application/json'],
      ['{"is_active":5}', 'application/json'],
      ['text', 'text/plain'],
      ['x'.repeat(MAX_BODY_BYTES + 1), 'application/json'],
    ]
    let active = (await api.get(`/monitors/${monitor.id}`)).body.data.is_active
    for (const [body, type] of bodies) {
      const toggled = await api.send('POST', `/monitors/${monitor.id}/toggle`, body, { 'content-type': type })
      active = !active
      assert.deepEqual([toggled.status, toggled.body.data.is_active], [200, active])
      const doomed = (await api.post('/monitors', MONITORS.http)).body.data.id
      assert.equal(
        (await api.send('DELETE', `/monitors/${doomed}`, body, { 'content-type': type })).status,
        204,
      )
    }
  })

  it('have members in order, and a detail that is a sentence', async () => {
    const one = await api.post('/monitors', { ...MONITORS.http, port: 0 })
    assert.deepEqual(Object.entries(one.body), [
      ['type', `${service.services.docsUrl}/problems/validation-failed`],
      ['title', 'Validation failed'],
      ['status', 422],
      ['detail', 'port must be at least 1, got 0.'],
      ['errors', { port: ['port must be at least 1, got 0'] }],
    ])
    const two = await api.post('/monitors', { ...MONITORS.http, port: 0, name: '' })
    assert.match(two.body.detail, /^2 fields are invalid: .*name.*\.$/)
    const missing = await api.get('/monitors/2147483647')
    assert.deepEqual(missing.body, { type: 'about:blank', title: 'Not Found', status: 404 })
  })

  it('give their sentences as data to the dashboard, and to no program', async () => {
    const sent = { ...MONITORS.http, check_interval_minutes: 0 }
    const { body } = await api.post('/monitors', sent)
    assert.deepEqual(Object.keys(body), ['type', 'title', 'status', 'detail', 'errors'])
    const { id, owner } = await peopleOf(service).team()
    const shown = await owner.ask(id, 'POST', '/monitors', sent)
    const { said, faults, ...printed } = shown.body
    assert.deepEqual([printed, said], [body, null])
    const fault = {
      text: 'must be one of {values}, got {got}',
      values: { values: '1, 5, 15, 30, 60', got: '0' },
    }
    assert.deepEqual(faults, { check_interval_minutes: [fault] })
  })

  it('show a person who followed a link to nowhere a page, and programs the problem', async () => {
    const ask = (path: string, accept: string) => fetch(service.url + path, { headers: { accept } })
    const page = await ask('/nowhere', 'text/html,*/*;q=0.8')
    assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=UTF-8'])
    assert.match(await page.text(), /Page not found/)
    for (const [path, accept] of [
      ['/nowhere', '*/*'],
      ['/api/v1/nowhere', 'text/html'],
      ['/ping/nobody', 'text/html'],
      ['/hc/nobody', 'text/html'],
    ] as const) {
      const problem = await ask(path, accept)
      assert.deepEqual(
        [problem.status, problem.headers.get('content-type')],
        [404, 'application/problem+json'],
      )
    }
  })

  describe('of the deprecated PUT', () => {
    const SUNSET = new Date('2027-04-07T00:00:00Z')
    const DEPRECATION = {
      deprecation: '@1775520000',
      sunset: 'Wed, 07 Apr 2027 00:00:00 GMT',
    }

    /** The API in this process, as it is at another time. */
    const appAt = (now: Date) => createApi({ ...service.services, now: () => now }, () => '127.0.0.1')

    async function put(now: Date, path: string, token: string | null, body: string, headers = JSON_TYPE) {
      const response = await appAt(now).request(`/api/v1${path}`, {
        method: 'PUT',
        headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
        body,
      })
      await documented('PUT', `${service.url}/api/v1${path}`, response)
      return { status: response.status, headers: response.headers, body: await response.json() } as Answer
    }

    function assertDeprecated({ headers }: Answer) {
      assert.equal(headers.get('deprecation'), DEPRECATION.deprecation)
      assert.equal(headers.get('sunset'), DEPRECATION.sunset)
      const { docsUrl } = service.services
      assert.equal(headers.get('link'), `<${docsUrl}/changelog>; rel="deprecation"; type="text/html"`)
    }

    const before = new Date(SUNSET.getTime() - 1)

    it('do what PATCH does until its last millisecond, announcing the end', async () => {
      for (const [path, record] of [
        [`/monitors/${monitor.id}`, await api.get(`/monitors/${monitor.id}`)],
        [`/notification-contacts/${contact.id}`, await api.get(`/notification-contacts/${contact.id}`)],
      ] as const) {
        const changed = await put(before, path, await api.token(), '{"name":"Put"}')
        assert.deepEqual(
          [changed.status, changed.body],
          [200, { data: { ...record.body.data, name: 'Put' } }],
        )
        assertDeprecated(changed)
        assert.deepEqual((await api.get(path)).body, changed.body)
        assert.deepEqual((await put(before, path, await api.token(), '{}')).body, changed.body)
        const patched = await api.patch(path, {})
        for (const name of ['deprecation', 'sunset', 'link']) assert.equal(patched.headers.get(name), null)
      }
    })

    it('announce the end on refusals as well', async () => {
      const viewer = await service.createToken(team.id, 'viewer')
      const text = { 'content-type': 'text/plain' }
      for (const path of ['/monitors', '/notification-contacts']) {
        const own = `${path}/${path === '/monitors' ? monitor.id : contact.id}`
        const owner = await api.token()
        const refusals: [number, Promise<Answer>][] = [
          [401, put(before, own, null, '{}')],
          [403, put(before, own, viewer, '{}')],
          [404, put(before, `${path}/2147483647`, owner, '{}')],
          [413, put(before, own, owner, ' '.repeat(MAX_BODY_BYTES + 1))],
          [415, put(before, own, owner, '{}', text)],
          [422, put(before, own, owner, '{"name":""}')],
          [422, put(before, own, owner, '{')],
        ]
        for (const [status, refusal] of refusals) {
          assertProblem(await refusal, status)
          assertDeprecated(await refusal)
        }
      }
    })

    it('become 410 at that instant, and change nothing', async () => {
      for (const path of [`/monitors/${monitor.id}`, `/notification-contacts/${contact.id}`]) {
        const { body } = await api.get(path)
        for (const now of [SUNSET, new Date('2030-01-01T00:00:00Z')]) {
          const gone = await put(now, path, await api.token(), '{"name":"Too late"}')
          assertProblem(gone, 410)
          assertDeprecated(gone)
        }
        assert.deepEqual((await api.get(path)).body, body)
      }
    })
  })
})
