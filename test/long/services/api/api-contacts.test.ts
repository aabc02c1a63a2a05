// npm test leaves this out: it tries contacts of every type, with each of their values (seconds of a core).
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type ContactType, visibilityOf } from '../../../../src/core/alerting/contact-types.ts'
import {
  CONTACT_FIELDS,
  CONTACT_TYPES,
  CONTACTS,
  MONITORS,
  neededKeysOf,
} from '../../../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../../../support/services/api-client.ts'
import { assertInvalid, assertProblem } from '../../../support/services/api-problems.ts'
import { apiService } from '../../../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../../../support/services/asked-service.ts'
import { sideBySide } from '../../../support/side-by-side.ts'

const ASTRAL = '𝒳'

/** A valid config for each type. */
const KEYS = Object.fromEntries(
  CONTACT_TYPES.map((type) => [type, Object.keys(CONTACTS[type].config)]),
) as Record<ContactType, string[]>

/** The paths of the keys that have no default. */
const neededKeys = (type: ContactType) => neededKeysOf(type).map((key) => `config.${key}`)

describe('notification contacts', () => {
  let service: AskedService
  let team: TestTeam
  let api: ApiClient

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
    api = apiClient(service, team.id)
  })

  const PATH = '/notification-contacts'
  const create = async (body: object, as = api) => {
    const created = await as.post(PATH, body)
    assert.equal(created.status, 201, JSON.stringify(created.body))
    return created.body.data
  }

  it('start with one of type email, the address of the owner', async () => {
    const owned = await service.createTeam()
    const { body } = await service.call(owned.viewer, 'GET', PATH)
    assert.deepEqual(Object.keys(body), ['data'])
    assert.equal(body.data.length, 1)
    const { id, name, ...rest } = body.data[0]
    assert.deepEqual(Object.keys(body.data[0]), CONTACT_FIELDS)
    assert.match(rest.config.email, /^owner\d+@example\.com$/)
    assert.deepEqual(rest, {
      type: 'email',
      config: rest.config,
      notify_on_down: true,
      notify_on_recovery: true,
    })
  })

  for (const type of CONTACT_TYPES) {
    it(`of type ${type} are created with their defaults, and shown alike alone and in the list`, async () => {
      const sent = CONTACTS[type]
      const created = await api.post(PATH, {
        ...sent,
        config: { ...sent.config, dropped: 'key' },
        unknown: 1,
      })
      assert.equal(created.status, 201, JSON.stringify(created.body))
      const { data } = created.body
      assert.deepEqual(Object.keys(data), CONTACT_FIELDS)
      assert.deepEqual(data, { id: data.id, ...sent, notify_on_down: true, notify_on_recovery: true })
      assert.deepEqual(Object.keys(data.config), KEYS[type])
      assert.equal(created.headers.get('location'), `${service.services.siteUrl}/api/v1${PATH}/${data.id}`)
      assert.deepEqual((await api.get(`${PATH}/${data.id}`)).body, { data })
      const listed = (await api.get(PATH)).body.data
      assert.deepEqual(
        listed.find(({ id }: { id: number }) => id === data.id),
        data,
      )
    })
  }

  it('need every key of their type, and name what is missing by its path', async () => {
    for (const type of CONTACT_TYPES) {
      const keys = KEYS[type].map((key) => `config.${key}`)
      const needed = neededKeys(type)
      const none = await api.post(PATH, { ...CONTACTS[type], config: {} })
      assertInvalid(none, needed)
      for (const key of needed) assert.deepEqual(none.body.errors[key], [`${key} is required`])
      await sideBySide([null, true, ['a'], { a: 1 }, 'ä\n'], async (value) => {
        const config = Object.fromEntries(KEYS[type].map((key) => [key, value]))
        assertInvalid(await api.post(PATH, { ...CONTACTS[type], config }), keys)
      })
      const empty = Object.fromEntries(KEYS[type].map((key) => [key, '']))
      const answer = await api.post(PATH, { ...CONTACTS[type], config: empty })
      for (const key of needed) assert.ok(key in answer.body.errors, key)
      await sideBySide([undefined, null, 'text', 5, [], [CONTACTS[type].config]], async (config) => {
        assertInvalid(await api.post(PATH, { ...CONTACTS[type], config }), ['config'])
      })
    }
  })

  it('take and refuse these values, each by its path', async () => {
    const url = (length: number) => `https://8.8.8.8/${'a'.repeat(length - 16)}`
    const urls: [value: unknown, taken: boolean][] = [
      ['https://example.com', true],
      ['http://[::1]:8080/hook', true],
      ['HTTPS://Example.com/Hook?x=ä', true],
      [url(2_048), true],
      [url(2_049), false],
      ['example.com/hook', false],
      ['ftp://example.com/hook', false],
      ['https://', false],
      ['https://exa mple.com/', false],
      ['https://example.com/\n', false],
      ['https://user:pw@example.com/', false],
      ['https://169.254.169.254/', false],
      ['https://example.com/\0', false],
    ]
    const table: {
      [Type in ContactType]: [key: string, value: unknown, taken: boolean, shown?: string | null][]
    } = {
      email: [
        ['email', 'first.last+tag@sub.example.com', true],
        ['email', 'nobody', false],
        ['email', 'a@b', false],
        ['email', 'a b@example.com', false],
        ['email', 'a@example.com, b@example.com', false],
        ['email', `a@example.com\r\nBcc: b@example.com`, false],
        ['email', `${'a'.repeat(60)}@${'b.'.repeat(100)}example.com`, false],
      ],
      slack: [
        ...urls.map(([value, taken]): [string, unknown, boolean] => ['webhook_url', value, taken]),
        ['channel', '#ops', true],
        ['channel', 'C024BE91L', true],
        ['channel', '', true, null],
        ['channel', 'two words', false],
        ['channel', '#', false],
        ['channel', 5, false],
        ['channel', null, false],
      ],
      discord: [
        ...urls.map(([value, taken]): [string, unknown, boolean] => ['webhook_url', value, taken]),
        ['thread_id', '1094358301924859904', true],
        ['thread_id', 5, true, '5'],
        ['thread_id', '', true, null],
        ['thread_id', '5&wait=false', false],
        ['thread_id', '0', false],
        ['thread_id', '1'.repeat(21), false],
      ],
      webhook: [
        ...urls.map(([value, taken]): [string, unknown, boolean] => ['url', value, taken]),
        ['verify_tls', 'no', true],
        ['verify_tls', 'yes', true, null],
        ['verify_tls', undefined, true, null],
        ['verify_tls', false, false],
        ['verify_tls', '', false],
      ],
      webpush: [
        ...urls.map(([value, taken]): [string, unknown, boolean] => [
          'endpoint',
          value,
          taken && !String(value).startsWith('http:'),
        ]),
        ['p256dh', 'AAAA', false],
        ['p256dh', `${CONTACTS.webpush.config.p256dh}=`, false],
        ['p256dh', CONTACTS.webpush.config.p256dh.replaceAll('_', '/'), false],
        ['auth', 'short', false],
        ['auth', `${CONTACTS.webpush.config.auth}==`, false],
      ],
      telegram: [
        ['chat_id', 12345, true, '12345'],
        ['chat_id', -1001234567890, true, '-1001234567890'],
        ['chat_id', '42', true],
        ['chat_id', '@status_channel', true],
        ['chat_id', '@', false],
        ['chat_id', 'status', false],
        ['chat_id', '', false],
        ['chat_id', 1.5, false],
        ['chat_id', '1.5', false],
        ['chat_id', '12 34', false],
        ['message_thread_id', 7, true, '7'],
        ['message_thread_id', '', true, null],
        ['message_thread_id', -7, false],
        ['message_thread_id', 1.5, false],
        ['message_thread_id', null, false],
        ['bot_token', '1:a', true],
        ['bot_token', 'AAE-secret', false],
        ['bot_token', '987654321', false],
        ['bot_token', '987654321:with/slash', false],
        ['bot_token', 987654321, false],
      ],
      ntfy: [
        ['topic_url', 'http://[::1]:8080/Down_4f-7a', true],
        ['topic_url', 'https://example.com/push/alerts', true],
        ['topic_url', 'https://ntfy.sh', false],
        ['topic_url', 'https://ntfy.sh/alerts/', false],
        ['topic_url', 'https://ntfy.sh/alerts?auth=x', false],
        ['topic_url', 'https://ntfy.sh/alerts.down', false],
        ['topic_url', `https://ntfy.sh/${'a'.repeat(65)}`, false],
        ['topic_url', 'ntfy.sh/alerts', false],
        ['topic_url', 'https://user:pw@ntfy.sh/alerts', false],
        ['topic_url', 'https://169.254.169.254/alerts', false],
        ['token', '', true],
        ['token', undefined, true, ''],
        ['token', 'withoutItsPrefix', false],
        ['token', 'tk_with/slash', false],
      ],
      pagerduty: [
        ['routing_key', 'A'.repeat(32), true],
        ['routing_key', 'A'.repeat(31), false],
        ['routing_key', `${'A'.repeat(31)}-`, false],
        ['region', 'us', true],
        ['region', undefined, true, 'us'],
        ['region', 'EU', false],
        ['region', 'ap', false],
        ['region', null, false],
      ],
      pushover: [
        ['app_token', 'B'.repeat(30), true],
        ['app_token', 'B'.repeat(29), false],
        ['user_key', `g${'C'.repeat(29)}`, true],
        ['user_key', 'C'.repeat(31), false],
      ],
      gotify: [
        ...urls.map(([value, taken]): [string, unknown, boolean] => ['server_url', value, taken]),
        ['app_token', 'Awq.Xx_y-z', true],
        ['app_token', 'Awq/Xx', false],
      ],
      sms: [
        ['account_sid', `AC${'9'.repeat(31)}`, false],
        ['account_sid', `SK${'9'.repeat(32)}`, false],
        ['auth_token', '9'.repeat(33), false],
        ['from', 'Upbeat 24', true],
        ['from', 'Twelve chars', false],
        ['from', '12345', true],
        ['from', `MG${'a'.repeat(32)}`, true],
        ['from', '5017122661', false],
        ['to', '+493012345678', true],
        ['to', '015558675310', false],
        ['to', '+0155586', false],
        ['to', '+1 555 867 5310', false],
        ['to', 15558675310, false],
      ],
      teams: [
        ...urls.map(([value, taken]): [string, unknown, boolean] => ['webhook_url', value, taken]),
        ['webhook_url', 'https://acme.webhook.office.com/webhookb2/1@2/IncomingWebhook/3/4', false],
        ['webhook_url', 'https://outlook.office.com/webhook/1@2/IncomingWebhook/3/4', false],
        ['webhook_url', 'https://prod-1.westus.logic.azure.com:443/workflows/1?sig=x', true],
      ],
      matrix: [
        ...urls.map(([value, taken]): [string, unknown, boolean] => ['homeserver_url', value, taken]),
        ['access_token', 'MDAxYWxvY2F0aW9u.x-y_z=', true],
        ['access_token', 'two words', false],
        ['room_id', '!31hneApxJ_1o-63DmFrpeqnkFfWppnzWso1JvH3ogLM', true],
        ['room_id', '#alerts:example.org', false],
        ['room_id', 'opaque:example.org', false],
        ['room_id', `!${'a'.repeat(255)}`, false],
      ],
      googlechat: urls.map(([value, taken]) => ['webhook_url', value, taken]),
      mattermost: urls.map(([value, taken]) => ['webhook_url', value, taken]),
    }
    for (const type of CONTACT_TYPES) {
      await sideBySide(table[type], async ([key, value, taken, shown = value]) => {
        const answer = await api.post(PATH, {
          ...CONTACTS[type],
          config: { ...CONTACTS[type].config, [key]: value },
        })
        const what = `${type} ${key} ${JSON.stringify(value)?.slice(0, 80)}`
        assert.equal(answer.status, taken ? 201 : 422, `${what}: ${JSON.stringify(answer.body)}`)
        if (taken) assert.equal(answer.body.data.config[key] ?? null, shown, what)
        else assertInvalid(answer, [`config.${key}`])
        if (!taken && value !== '' && visibilityOf(type, key) === 'nothing') {
          assert.equal(JSON.stringify(answer.body).includes(String(value)), false, 'a secret in a message')
        }
      })
    }
  })

  it('have names and switches that are judged like those of monitors', async () => {
    const table: [field: string, value: unknown, taken: boolean][] = [
      ['name', 'n'.repeat(255), true],
      ['name', ASTRAL.repeat(255), true],
      ['name', 'n'.repeat(256), false],
      ['name', ASTRAL.repeat(256), false],
      ['name', '', false],
      ['name', ' ', false],
      ['name', null, false],
      ['name', 5, false],
      ['name', undefined, false],
      ['name', 'a\nb', false],
      ['name', 'a\0b', false],
      ['name', 'a\ud800', false],
      ['type', undefined, false],
      ['type', null, false],
      ['type', 'no-such-type', false],
      ['type', 'Email', false],
      ['notify_on_down', false, true],
      ['notify_on_down', null, false],
      ['notify_on_down', 'true', false],
      ['notify_on_down', 1, false],
      ['notify_on_recovery', false, true],
      ['notify_on_recovery', null, false],
      ['notify_on_recovery', 0, false],
      ['attach_to_existing', 'yes', false],
      ['attach_to_existing', null, false],
    ]
    await sideBySide(table, async ([field, value, taken]) => {
      const answer = await api.post(PATH, { ...CONTACTS.email, [field]: value })
      assert.equal(answer.status, taken ? 201 : 422, `${field}: ${JSON.stringify(answer.body)}`)
      if (taken) assert.equal(answer.body.data[field], value)
      else assertInvalid(answer, [field])
    })
    for (const body of [undefined, {}]) assertInvalid(await api.post(PATH, body), ['name', 'type', 'config'])
    const many = { name: '', type: 'telegram', config: { chat_id: 'x' }, notify_on_down: 'no' }
    assertInvalid(await api.post(PATH, many), [
      'name',
      'config.chat_id',
      'config.bot_token',
      'notify_on_down',
    ])
  })

  it('are changed field by field; a config is replaced as a whole', async () => {
    for (const type of CONTACT_TYPES) {
      let contact = await create(CONTACTS[type])
      const path = `${PATH}/${contact.id}`
      const change = async (patch: object | undefined, expected: object) => {
        const answer = await api.patch(path, patch)
        contact = { ...contact, ...expected }
        assert.deepEqual([answer.status, answer.body], [200, { data: contact }], JSON.stringify(patch))
        assert.deepEqual((await api.get(path)).body, { data: contact })
      }
      await change({ name: 'Renamed' }, { name: 'Renamed' })
      await change({ notify_on_down: false }, { notify_on_down: false })
      await change({ notify_on_recovery: false }, { notify_on_recovery: false })
      await change({}, {})
      await change(undefined, {})
      await change({ type, id: 1, attach_to_existing: true }, {})
      const keys = neededKeys(type)
      assertInvalid(await api.patch(path, { config: {} }), keys)
      for (const config of [null, [], 'text']) assertInvalid(await api.patch(path, { config }), ['config'])
      const other = type === 'email' ? 'webhook' : 'email'
      assertInvalid(await api.patch(path, { type: other }), ['type'])
      assertInvalid(await api.patch(path, { config: CONTACTS[other].config }), keys)
      for (const field of ['name', 'notify_on_down', 'notify_on_recovery', 'type']) {
        assertInvalid(await api.patch(path, { [field]: null }), [field])
      }
      assert.deepEqual((await api.get(path)).body, { data: contact })
    }
    const telegram = await create(CONTACTS.telegram)
    const half = await api.patch(`${PATH}/${telegram.id}`, { config: { chat_id: 5 } })
    assertInvalid(half, ['config.bot_token'])
    const whole = await api.patch(`${PATH}/${telegram.id}`, {
      config: { chat_id: 5, bot_token: '1:b', url: 'x' },
    })
    assert.deepEqual(whole.body.data.config, { bot_token: '1:b', chat_id: '5' })
  })

  it('are listed in name order whatever their case, equal names by id, all of them', async () => {
    const owned = await service.createTeam()
    const asOwner = apiClient(service, owned.id)
    const first = (await asOwner.get(PATH)).body.data[0]
    await asOwner.delete(`${PATH}/${first.id}`)
    for (const name of ['beta', 'Alpha', 'alpha', 'Gamma', 'ALPHA', '1'])
      await create({ ...CONTACTS.email, name }, asOwner)
    const sorted = ['1', 'Alpha', 'alpha', 'ALPHA', 'beta', 'Gamma']
    const contacts = (await asOwner.get(PATH)).body.data
    assert.deepEqual(
      contacts.map(({ name }: { name: string }) => name),
      sorted,
    )
    const monitor = await asOwner.post('/monitors', {
      ...MONITORS.http,
      notification_contact_ids: contacts.map(({ id }: { id: number }) => id).reverse(),
    })
    assert.deepEqual(monitor.body.data.notification_contacts, contacts)
    const more = Array.from({ length: 30 }, (_, i) => ({ ...CONTACTS.email, name: `More ${i}` }))
    await sideBySide(more, async (body) => void (await create(body, asOwner)))
    assert.equal((await asOwner.get(`${PATH}?per_page=5&page=2`)).body.data.length, 36)
  })

  it('join, when asked to, exactly the monitors that have contacts of their own', async () => {
    const owned = await service.createTeam()
    const asOwner = apiClient(service, owned.id)
    const first = (await asOwner.get(PATH)).body.data[0]
    const monitor = async (body: object) =>
      (await asOwner.post('/monitors', { ...MONITORS.http, ...body })).body.data.id
    const attached = await monitor({ notification_contact_ids: [first.id] })
    const paused = await monitor({ notification_contact_ids: [first.id], is_active: false })
    const bare = await monitor({})
    const foreign = await create(CONTACTS.email)
    const foreignMonitor = await api.post('/monitors', {
      ...MONITORS.http,
      notification_contact_ids: [foreign.id],
    })
    const idsOf = async (id: number, as = asOwner) =>
      (await as.get(`/monitors/${id}`)).body.data.notification_contacts.map(
        (contact: { id: number }) => contact.id,
      )

    await create({ ...CONTACTS.webhook, attach_to_existing: false }, asOwner)
    await create(CONTACTS.webhook, asOwner)
    assert.deepEqual(await idsOf(attached), [first.id])
    const joined = await create({ ...CONTACTS.webhook, name: 'zz', attach_to_existing: true }, asOwner)
    assert.equal('attach_to_existing' in joined, false)
    assert.deepEqual(await idsOf(attached), [first.id, joined.id])
    assert.deepEqual(await idsOf(paused), [first.id, joined.id])
    assert.deepEqual(await idsOf(bare), [])
    assert.deepEqual(await idsOf(foreignMonitor.body.data.id, api), [foreign.id])
    const joins = await service.services.db.query
      .selectFrom('subject_contacts')
      .select(['kind', 'subject_id'])
      .where('contact_id', '=', joined.id)
      .orderBy('subject_id')
      .execute()
    assert.deepEqual(
      joins,
      [attached, paused].map((subject_id) => ({ kind: 'monitor', subject_id })),
      'no other team has it attached',
    )

    const gone = await asOwner.delete(`${PATH}/${first.id}`)
    assert.deepEqual([gone.status, gone.body], [204, null])
    assert.equal(gone.headers.get('content-type'), null)
    assert.deepEqual(await idsOf(attached), [joined.id])
    assertProblem(await asOwner.get(`${PATH}/${first.id}`), 404)
    assertProblem(await asOwner.delete(`${PATH}/${first.id}`), 404)
    await asOwner.delete(`${PATH}/${joined.id}`)
    assert.deepEqual(await idsOf(attached), [])
  })

  it('show a viewer no secrets, in the list, alone and within monitors', async () => {
    const owned = await service.createTeam()
    const asOwner = apiClient(service, owned.id)
    const asViewer = apiClient(service, owned.id, 'viewer')
    const masked = {
      email: CONTACTS.email.config,
      slack: { webhook_url: 'https://127.0.0.1:8443/********' },
      discord: { webhook_url: 'https://127.0.0.1/********' },
      telegram: { bot_token: '********', chat_id: '-1001234' },
      webhook: { url: 'http://127.0.0.1:8080/********' },
      webpush: { endpoint: 'https://push.invalid/********', p256dh: '********', auth: '********' },
      ntfy: { topic_url: 'https://127.0.0.1:8443/********', token: '********' },
      pagerduty: { routing_key: '********', region: 'eu' },
      pushover: { app_token: '********', user_key: '********' },
      gotify: { server_url: 'https://127.0.0.1:8443/********', app_token: '********' },
      sms: { account_sid: '********', auth_token: '********', from: '+15017122661', to: '+15558675310' },
      teams: { webhook_url: 'https://127.0.0.1:8443/********' },
      matrix: {
        homeserver_url: 'https://127.0.0.1:8443/********',
        access_token: '********',
        room_id: '!opaque:example.org',
      },
      googlechat: { webhook_url: 'https://127.0.0.1:8443/********' },
      mattermost: { webhook_url: 'https://127.0.0.1:8443/********' },
    } satisfies Record<ContactType, object>
    const tried: [body: { name: string; type: string; config: object }, shown: object][] = [
      ...CONTACT_TYPES.map((type): [(typeof CONTACTS)[ContactType], object] => [
        CONTACTS[type],
        masked[type],
      ]),
      [
        { ...CONTACTS.webhook, config: { url: 'https://[::1]:81/secret#secret' } },
        { url: 'https://[::1]:81/********' },
      ],
      [
        { ...CONTACTS.webhook, config: { url: 'https://example.com' } },
        { url: 'https://example.com/********' },
      ],
    ]
    const ids: number[] = []
    for (const [body, config] of tried) {
      const contact = await create(body, asOwner)
      ids.push(contact.id)
      assert.deepEqual((await asOwner.get(`${PATH}/${contact.id}`)).body.data.config, body.config)
      assert.deepEqual((await asViewer.get(`${PATH}/${contact.id}`)).body.data, { ...contact, config })
    }
    const monitor = await asOwner.post('/monitors', {
      ...MONITORS.http,
      notification_contact_ids: ids,
      request_headers: { Authorization: 'Bearer secret', 'X-Empty': '' },
      username: 'user',
      password: 'secret',
    })
    const shown = (await asViewer.get(`/monitors/${monitor.body.data.id}`)).body.data
    const contacts = (await asViewer.get(PATH)).body.data.filter(({ id }: { id: number }) => ids.includes(id))
    assert.deepEqual(shown, {
      ...monitor.body.data,
      request_headers: { Authorization: '********', 'X-Empty': '********' },
      notification_contacts: contacts,
    })
    for (const path of [PATH, '/monitors', `/monitors/${monitor.body.data.id}`]) {
      assert.equal(JSON.stringify((await asViewer.get(path)).body).includes('secret'), false, path)
      assert.equal(JSON.stringify((await asOwner.get(path)).body).includes('secret'), true, path)
      const asAdmin = await service.call(owned.admin, 'GET', path)
      assert.deepEqual(asAdmin.body, (await asOwner.get(path)).body)
    }
  })
})
