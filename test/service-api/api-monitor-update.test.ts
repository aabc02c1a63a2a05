import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { MONITOR_FIELDS, MONITORS } from '../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../support/services/api-client.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { Answer, AskedService } from '../support/services/asked-service.ts'
import { sideBySide } from '../support/side-by-side.ts'

/** A monitor with every field off its default. */
const FULL = {
  name: 'Full',
  type: 'http',
  url: 'https://example.com/a',
  check_interval_minutes: 15,
  check_interval_seconds: 90,
  is_active: false,
  http_method: 'POST',
  expected_status_codes: [201, 200],
  expected_keyword: 'fine',
  port: 8080,
  request_timeout_seconds: 10,
  request_headers: { 'X-One': '1' },
  username: 'user',
  password: 'secret',
  ssl_expiry_warning_days: 21,
}

describe('changing a monitor', () => {
  let service: AskedService
  let api: ApiClient
  let contacts: { id: number }[]

  before(async () => {
    service = await apiService()
    const team = await service.createTeam()
    api = apiClient(service, team.id)
    const body = (name: string) => ({ name, type: 'email', config: { email: 'a@example.com' } })
    contacts = []
    for (const name of ['A', 'B', 'C'])
      contacts.push((await api.post('/notification-contacts', body(name))).body.data)
  })

  const idsOf = (...places: number[]) => places.map((place) => contacts[place]?.id)
  const create = async (body: object) => {
    const created = await api.post('/monitors', body)
    assert.equal(created.status, 201, JSON.stringify(created.body))
    return created.body.data
  }
  const full = (body: object = {}) => create({ ...FULL, notification_contact_ids: idsOf(0, 1), ...body })

  /** Sends a change; the answer and what is stored must be what was before, with `expected` on top. */
  async function assertChanges(before: Answer['body'], patch: object, expected: object) {
    const answer = await api.patch(`/monitors/${before.id}`, patch)
    assert.equal(answer.status, 200, `${JSON.stringify(patch)}: ${JSON.stringify(answer.body)}`)
    assert.deepEqual(Object.keys(answer.body.data), MONITOR_FIELDS)
    assert.deepEqual(answer.body, { data: { ...before, ...expected } }, JSON.stringify(patch))
    assert.deepEqual((await api.get(`/monitors/${before.id}`)).body, answer.body)
    return answer.body.data
  }

  it('changes only the field that is sent', async () => {
    const table: [patch: object, expected?: object][] = [
      [{ name: 'Other' }],
      [{ url: 'http://example.org:81/b' }],
      [{ check_interval_minutes: 30 }, { check_interval_minutes: 30, check_interval_seconds: null }],
      [{ check_interval_minutes: 15 }, { check_interval_seconds: null }],
      [{ check_interval_seconds: 120 }],
      [{ check_interval_minutes: 60, check_interval_seconds: 45 }],
      [{ check_interval_minutes: 60, check_interval_seconds: null }],
      [{ is_active: true }],
      [{ is_active: false }],
      [{ http_method: 'DELETE' }],
      [{ expected_status_codes: [404] }],
      [{ expected_keyword: 'other' }],
      [{ expected_keyword: '' }],
      [{ port: 1 }],
      [{ request_timeout_seconds: 60 }],
      [{ request_headers: { 'X-Two': '2', 'X-Three': '3' } }],
      [{ username: 'other' }],
      [{ password: 'other' }, {}],
      [{ ssl_expiry_warning_days: 1 }],
      [{ notification_contact_ids: idsOf(2) }, { notification_contacts: [contacts[2]] }],
      [{ notification_contact_ids: idsOf(2, 0) }, { notification_contacts: [contacts[0], contacts[2]] }],
      [{ name: 'Two', port: 2 }],
    ]
    const before = await full()
    for (const [patch, expected = patch] of table) {
      await assertChanges(before, patch, expected)
      // Back to where it was, for the next row.
      const { type, ...back } = FULL
      await assertChanges({ ...before }, { ...back, notification_contact_ids: idsOf(0, 1) }, {})
    }
  })

  it('clears with null what is optional', async () => {
    const table: [patch: object, expected?: object][] = [
      [{ check_interval_seconds: null }],
      [{ expected_keyword: null }],
      [{ port: null }],
      [{ request_headers: null }],
      [{ request_headers: {} }, { request_headers: null }],
      [{ username: null }, { username: null, has_password: false }],
      [{ notification_contact_ids: null }, { notification_contacts: [] }],
    ]
    await sideBySide(table, async ([patch, expected = patch]) => {
      await assertChanges(await full(), patch, expected)
    })
    await assertChanges(await full(), { notification_contact_ids: [] }, { notification_contacts: [] })
    await assertChanges(await full(), { username: '' }, { username: null, has_password: false })
  })

  it('removes a password with its user name for good, and keeps it when a password is null or empty', async () => {
    const monitor = await full()
    const path = `/monitors/${monitor.id}`
    for (const password of [null, '']) await assertChanges(monitor, { password }, {})
    await assertChanges(monitor, { username: 'renamed' }, { username: 'renamed' })
    const cleared = { username: null, has_password: false }
    await assertChanges(monitor, { username: null, password: 'new' }, cleared)
    await assertChanges(monitor, { username: 'again' }, { username: 'again', has_password: false })
    await assertChanges(monitor, { password: 'new' }, { username: 'again', has_password: true })
    assert.equal((await api.get(path)).body.data.has_password, true)
  })

  it('refuses null where a value is needed, and changes nothing then', async () => {
    const monitor = await full()
    for (const field of [
      'name',
      'type',
      'url',
      'check_interval_minutes',
      'is_active',
      'http_method',
      'expected_status_codes',
      'request_timeout_seconds',
      'ssl_expiry_warning_days',
    ]) {
      assertInvalid(await api.patch(`/monitors/${monitor.id}`, { [field]: null, port: 99 }), [field])
    }
    assert.deepEqual((await api.get(`/monitors/${monitor.id}`)).body.data, monitor)
  })

  it('refuses what a creation refuses, and changes nothing then', async () => {
    const table: [field: string, value: unknown, key?: string][] = [
      ['name', ''],
      ['name', 'n'.repeat(256)],
      ['name', 5],
      ['url', 'example.com'],
      ['url', `http://127.0.0.1/${'a'.repeat(484)}`],
      ['url', 'ftp://example.com'],
      ['url', 'https://user:pw@example.com/'],
      ['url', 'http://169.254.169.254/'],
      ['check_interval_minutes', 2],
      ['check_interval_minutes', '5'],
      ['check_interval_seconds', 0],
      ['check_interval_seconds', 31_536_001],
      ['check_interval_seconds', '60'],
      ['is_active', 'false'],
      ['http_method', 'post'],
      ['expected_status_codes', []],
      ['expected_status_codes', [200, 200], 'expected_status_codes.1'],
      ['expected_keyword', 'k'.repeat(256)],
      ['port', 0],
      ['port', 65_536],
      ['request_timeout_seconds', 61],
      ['request_headers', { Host: 'a' }, 'request_headers.Host'],
      ['username', 'u'.repeat(256)],
      ['password', 'p'.repeat(256)],
      ['password', 5],
      ['ssl_expiry_warning_days', 91],
      ['notification_contact_ids', [0], 'notification_contact_ids.0'],
      ['notification_contact_ids', ['1'], 'notification_contact_ids.0'],
      ['type', 'keyword'],
      ['type', 'no-such-type'],
    ]
    const monitor = await full()
    await sideBySide(table, async ([field, value, key = field]) => {
      const answer = await api.patch(`/monitors/${monitor.id}`, { port: 99, [field]: value })
      assert.equal(answer.status, 422, `${field} ${JSON.stringify(value)} gave ${answer.status}`)
      assertInvalid(answer, [key])
    })
    assert.deepEqual((await api.get(`/monitors/${monitor.id}`)).body.data, monitor)
  })

  it('takes no contact of another team', async () => {
    const other = await service.createTeam()
    const foreign = (await service.call(other.owner, 'GET', '/notification-contacts')).body.data[0].id
    const monitor = await full()
    const answer = await api.patch(`/monitors/${monitor.id}`, {
      name: 'Not written',
      notification_contact_ids: [contacts[0]?.id, foreign],
    })
    assertInvalid(answer, ['notification_contact_ids.1'])
    assert.deepEqual((await api.get(`/monitors/${monitor.id}`)).body.data, monitor)
  })

  it('ignores the type when it is equal, and unknown and read-only members always', async () => {
    const monitor = await full()
    await assertChanges(monitor, { type: 'http' }, {})
    await assertChanges(
      monitor,
      { id: 1, status: 'up', heartbeat_token: 'x', created_at: '2000-01-01', has_password: false, other: [] },
      {},
    )
  })

  it('changes nothing with an empty body or none', async () => {
    const monitor = await full()
    await assertChanges(monitor, {}, {})
    const path = `/monitors/${monitor.id}`
    const bare = await service.call(await api.token(), 'PATCH', path)
    assert.deepEqual([bare.status, bare.body], [200, { data: monitor }])
  })

  it('never lets a monitor lose what its type needs', async () => {
    const table = [
      ['keyword', 'expected_keyword', null],
      ['keyword', 'expected_keyword', ''],
      ['keyword', 'url', null],
      ['tcp', 'port', null],
      ['tcp', 'url', null],
      ['ssl', 'url', null],
      ['ssl', 'url', 'http://example.com'],
      ['icmp', 'url', null],
      ['icmp', 'url', 'example.com'],
    ] as const
    await sideBySide(table, async ([type, field, value]) => {
      const monitor = await create(MONITORS[type])
      assertInvalid(await api.patch(`/monitors/${monitor.id}`, { [field]: value }), [field])
    })
  })

  it('ignores a url sent for a heartbeat, and keeps its token', async () => {
    const monitor = await create(MONITORS.heartbeat)
    for (const url of ['https://example.com', null, 5, 'nonsense']) await assertChanges(monitor, { url }, {})
    await assertChanges(
      monitor,
      { name: 'Renamed', check_interval_seconds: 90_000 },
      {
        name: 'Renamed',
        check_interval_seconds: 90_000,
      },
    )
  })

  it('judges only the interval that is sent by the plan', async () => {
    const team = await service.createTeam('business')
    const asOwner = apiClient(service, team.id)
    const made = await asOwner.post('/monitors', {
      ...MONITORS.http,
      check_interval_minutes: 1,
      check_interval_seconds: 2,
    })
    await service.services.db.query
      .updateTable('teams')
      .set({ plan: 'free' })
      .where('id', '=', team.id)
      .execute()
    const path = `/monitors/${made.body.data.id}`
    const renamed = await asOwner.patch(path, { name: 'Still fast' })
    assert.deepEqual(renamed.body.data, { ...made.body.data, name: 'Still fast' })
    assertInvalid(await asOwner.patch(path, { check_interval_minutes: 1 }), ['check_interval_minutes'])
    assertInvalid(await asOwner.patch(path, { check_interval_seconds: 299 }), ['check_interval_seconds'])
    assertInvalid(await asOwner.patch(path, { check_interval_minutes: 1, check_interval_seconds: 2 }), [
      'check_interval_minutes',
      'check_interval_seconds',
    ])
    assert.equal((await asOwner.patch(path, { check_interval_seconds: 300 })).status, 200)
  })

  it('pauses and resumes alike by PATCH and by toggle', async () => {
    const monitor = await create(MONITORS.http)
    const toggle = (body?: unknown) => api.post(`/monitors/${monitor.id}/toggle`, body)
    assert.deepEqual((await toggle()).body, { data: { ...monitor, is_active: false } })
    await assertChanges(monitor, { is_active: true }, {})
    await assertChanges(monitor, { is_active: false }, { is_active: false })
    assert.deepEqual((await toggle({ is_active: false })).body, { data: monitor })
  })

  it('loses no change when several are made at once', async () => {
    const monitor = await full()
    const changes = [
      { name: 'X' },
      { port: 77 },
      { username: 'x' },
      { expected_keyword: 'x' },
      { http_method: 'PUT' },
    ]
    const answers = await Promise.all(changes.map((change) => api.patch(`/monitors/${monitor.id}`, change)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      changes.map(() => 200),
    )
    const { data } = (await api.get(`/monitors/${monitor.id}`)).body
    assert.deepEqual(data, { ...monitor, ...Object.assign({}, ...changes) })
  })
})
