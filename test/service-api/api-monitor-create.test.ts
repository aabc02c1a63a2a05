import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  hasInterval,
  neededOptionsOf,
  schemesOf,
  usualSchemeOf,
} from '../../src/core/monitors/monitor-types.ts'
import { shownOptions } from '../../src/core/monitors/options/secret-options.ts'
import {
  MONITOR_DEFAULTS,
  MONITOR_FIELDS,
  MONITOR_SAMPLES,
  MONITOR_TYPES,
  MONITORS,
  sampleOf,
} from '../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../support/services/api-client.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService } from '../support/services/asked-service.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('creating a monitor', () => {
  let service: AskedService
  let api: ApiClient

  before(async () => {
    service = await apiService()
    const team = await service.createTeam()
    api = apiClient(service, team.id)
  })

  for (const type of MONITOR_TYPES) {
    it(`answers 201 with every field in order and every default for a monitor of type ${type}`, async () => {
      const sent = MONITORS[type]
      const created = await api.post('/monitors', sent)
      assert.equal(created.status, 201, JSON.stringify(created.body))
      assert.equal(created.headers.get('content-type'), 'application/json')
      assert.deepEqual(Object.keys(created.body), ['data'])
      const { data } = created.body
      assert.deepEqual(Object.keys(data), MONITOR_FIELDS)
      const { id, created_at, heartbeat_token, heartbeat_url, ...rest } = data
      assert.ok(Number.isInteger(id) && id > 0)
      assert.match(created_at, INSTANT)
      assert.deepEqual(rest, {
        ...MONITOR_DEFAULTS,
        ...sent,
        ...('options' in sent && { options: shownOptions(sent.options, 'owner') }),
        status: 'pending',
        last_checked_at: null,
        ssl_days_remaining: null,
        ssl_expires_at: null,
        open_incident: null,
        notification_contacts: [],
      })
      const siteUrl = service.services.siteUrl
      const called = { heartbeat: 'ping', manual: 'manual' }[type as string]
      if (called !== undefined) {
        assert.match(heartbeat_token, UUID)
        assert.equal(heartbeat_url, `${siteUrl}/${called}/${heartbeat_token}`)
      } else {
        assert.deepEqual([heartbeat_token, heartbeat_url], [null, null])
      }
      assert.equal(created.headers.get('location'), `${siteUrl}/api/v1/monitors/${id}`)
      assert.deepEqual((await api.get(`/monitors/${id}`)).body, created.body)
    })
  }

  it('keeps every field that is sent, whether its type uses it or not', async () => {
    const contact = (await api.get('/notification-contacts')).body.data[0]
    // Options are those of the type, and have a file of their own.
    const { name, password, type: _, options: __, ...sample } = sampleOf(MONITOR_SAMPLES, 0)
    const shownOtherwise = { name, password, notification_contact_ids: [contact.id] }
    for (const type of MONITOR_TYPES) {
      const whole: { name: string; options?: object } = MONITORS[type]
      const needed = neededOptionsOf(type).length > 0 && { options: whole.options }
      // Some types have schemes of their own.
      const own =
        schemesOf(type)?.includes('https') === false ? { url: `${usualSchemeOf(type)}://shop.example` } : {}
      const body = {
        ...sample,
        ...own,
        ...shownOtherwise,
        type,
        ...needed,
      }
      const { status, body: answer } = await api.post('/monitors', body)
      assert.equal(status, 201, JSON.stringify(answer))
      const unused = {
        ...(!('url' in MONITORS[type]) && { url: null }),
        ...(!hasInterval(type) && { check_interval_minutes: 60, check_interval_seconds: null }),
      }
      const expected = { ...sample, ...own, ...unused }
      for (const [field, value] of Object.entries(expected))
        assert.deepEqual(answer.data[field], value, field)
      assert.deepEqual(Object.keys(answer.data.request_headers), ['X-B', 'X-A', 'Authorization'])
      assert.equal(answer.data.has_password, true)
      assert.equal('password' in answer.data, false)
      assert.deepEqual(answer.data.notification_contacts, [contact])
    }
  })

  it('requires what a type needs, and of the others nothing', async () => {
    const without = (type: keyof typeof MONITORS, field: string) => {
      const { [field]: _, ...rest } = MONITORS[type] as Record<string, unknown>
      return rest
    }
    assertInvalid(await api.post('/monitors', without('group', 'options')), ['options.members'])
    const { options } = MONITORS.udp
    for (const [sent, missing] of [
      [null, ['options.send', 'options.assertions']],
      [{ ...options, assertions: [] }, ['options.assertions']],
      [{ ...options, send: null }, ['options.send']],
    ] as const)
      assertInvalid(await api.post('/monitors', { ...MONITORS.udp, options: sent }), [...missing])
    for (const type of MONITOR_TYPES.filter((type) => 'url' in MONITORS[type])) {
      assertInvalid(await api.post('/monitors', without(type, 'url')), ['url'])
      assertInvalid(await api.post('/monitors', { ...MONITORS[type], url: null }), ['url'])
    }
    assertInvalid(await api.post('/monitors', without('keyword', 'expected_keyword')), ['expected_keyword'])
    for (const value of [null, '']) {
      const answer = await api.post('/monitors', { ...MONITORS.keyword, expected_keyword: value })
      assertInvalid(answer, ['expected_keyword'])
    }
    assertInvalid(await api.post('/monitors', without('tcp', 'port')), ['port'])
    assertInvalid(await api.post('/monitors', { ...MONITORS.tcp, port: null }), ['port'])
    const missing = await api.post('/monitors', without('http', 'url'))
    assert.deepEqual(missing.body.errors, { url: ['url is required unless the type is heartbeat'] })
  })

  it('ignores a url sent for a heartbeat, whatever it is', async () => {
    for (const url of ['https://example.com', 'nonsense', '', null, 5, 'x'.repeat(600)]) {
      const { status, body } = await api.post('/monitors', { ...MONITORS.heartbeat, url })
      assert.equal(status, 201, JSON.stringify(body))
      assert.equal(body.data.url, null)
    }
  })

  it('gives every heartbeat a token of its own', async () => {
    const tokens = new Set<string>()
    for (let i = 0; i < 3; i++)
      tokens.add((await api.post('/monitors', MONITORS.heartbeat)).body.data.heartbeat_token)
    assert.equal(tokens.size, 3)
  })

  it('names all required fields at once when the body is absent or empty', async () => {
    for (const body of [undefined, {}]) {
      assertInvalid(await api.post('/monitors', body), ['name', 'type', 'check_interval_minutes'])
    }
    assertInvalid(await api.post('/monitors', { type: 'keyword' }), [
      'name',
      'check_interval_minutes',
      'url',
      'expected_keyword',
    ])
  })

  it('tells several errors at once, each by its path with dots', async () => {
    const answer = await api.post('/monitors', {
      name: '',
      type: 'tcp',
      url: 'example.com',
      check_interval_minutes: 3,
      expected_status_codes: [200, 'x', 1],
      request_headers: { 'X-Name': 'a\nb', Host: 'a' },
      notification_contact_ids: [1.5],
      password: 5,
    })
    assertInvalid(answer, [
      'name',
      'url',
      'port',
      'check_interval_minutes',
      'expected_status_codes.1',
      'expected_status_codes.2',
      'request_headers.X-Name',
      'request_headers.Host',
      'notification_contact_ids.0',
      'password',
    ])
  })

  it('holds each plan to its shortest interval', async () => {
    const plans = {
      free: { minutes: 5, seconds: 300 },
      starter: { minutes: 1, seconds: 60 },
      pro: { minutes: 1, seconds: 30 },
      business: { minutes: 1, seconds: 1 },
    } as const
    for (const [plan, { minutes, seconds }] of Object.entries(plans)) {
      const team = await service.createTeam(plan as keyof typeof plans)
      const post = (body: object) =>
        service.call(team.owner, 'POST', '/monitors', {
          ...MONITORS.http,
          check_interval_minutes: minutes,
          ...body,
        })
      assert.equal((await post({})).status, 201)
      assert.equal((await post({ check_interval_seconds: seconds })).status, 201)
      assertInvalid(await post({ check_interval_seconds: seconds - 1 }), ['check_interval_seconds'])
      if (minutes > 1) assertInvalid(await post({ check_interval_minutes: 1 }), ['check_interval_minutes'])
    }
  })
})
