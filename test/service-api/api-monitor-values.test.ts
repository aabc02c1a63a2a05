import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { MonitorCreate } from '../../src/core/monitors/monitor.ts'
import { keysOf } from '../../src/core/shape.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { type ApiClient, apiClient } from '../support/services/api-client.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService } from '../support/services/asked-service.ts'
import { sideBySide } from '../support/side-by-side.ts'

const ASTRAL = '𝒳' // one code point, two UTF-16 units

describe('the values of a monitor', () => {
  let service: AskedService
  let api: ApiClient

  before(async () => {
    service = await apiService()
    const team = await service.createTeam()
    api = apiClient(service, team.id)
  })

  it('takes each of these values and shows it as expected', async () => {
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'v']))
    const url = (length: number) => `http://127.0.0.1/${'a'.repeat(length - 17)}`
    const codes = Array.from({ length: 50 }, (_, i) => 599 - i)
    const taken: [field: string, sent: unknown, shown?: unknown][] = [
      ['name', 'n'],
      ['name', 'n'.repeat(255)],
      ['name', ASTRAL.repeat(255)],
      ['name', '  spaces stay  '],
      ['name', 'é 日本 👩‍👩‍👧 "quoted" <b>'],
      ['url', url(500)],
      ['url', `http://127.0.0.1/${ASTRAL.repeat(483)}`],
      ['check_interval_minutes', 1],
      ['check_interval_minutes', 5],
      ['check_interval_minutes', 15],
      ['check_interval_minutes', 30],
      ['check_interval_minutes', 60],
      ['check_interval_seconds', null],
      ['check_interval_seconds', 1],
      ['check_interval_seconds', 31_536_000],
      ['is_active', false],
      ['is_active', true],
      ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((m): [string, string] => ['http_method', m]),
      ['expected_status_codes', [100]],
      ['expected_status_codes', [599, 100]],
      ['expected_status_codes', codes],
      ['expected_keyword', null],
      ['expected_keyword', 'k'.repeat(255)],
      ['expected_keyword', ASTRAL.repeat(255)],
      ['expected_keyword', 'two\nlines\tand a tab'],
      ['port', null],
      ['port', 1],
      ['port', 65_535],
      ['request_timeout_seconds', 1],
      ['request_timeout_seconds', 60],
      ['request_headers', null],
      ['request_headers', {}, null],
      ['request_headers', headers(50)],
      ['request_headers', { 'X-Long': 'v'.repeat(4_096) }],
      ['request_headers', { 'X-Empty': '' }],
      ['request_headers', { "!#$%&'*+-.^_`|~09azAZ": 'token' }],
      ['username', null],
      ['username', '', null],
      ['username', 'u'.repeat(255)],
      ['username', ASTRAL.repeat(255)],
      ['ssl_expiry_warning_days', 1],
      ['ssl_expiry_warning_days', 90],
      ['notification_contact_ids', null, undefined],
      ['unknown_member', { any: ['thing'] }, undefined],
    ]
    await sideBySide(taken, async ([field, sent, shown = sent]) => {
      const { status, body } = await api.post('/monitors', { ...MONITORS.http, [field]: sent })
      assert.equal(status, 201, `${field}: ${JSON.stringify(body)}`)
      if (field in body.data) assert.deepEqual(body.data[field], shown, field)
      else assert.ok(field === 'notification_contact_ids' || field === 'unknown_member')
    })
  })

  it('says of each password whether there is one now, and never shows it', async () => {
    const table: [password: unknown, has: boolean][] = [
      ['p', true],
      ['p'.repeat(255), true],
      [ASTRAL.repeat(255), true],
      ['', false],
      [null, false],
    ]
    await sideBySide(table, async ([password, has]) => {
      const { body } = await api.post('/monitors', { ...MONITORS.http, username: 'u', password })
      assert.equal(body.data.has_password, has)
      assert.equal('password' in body.data, false)
    })
  })

  it('refuses each of these values, naming the field', async () => {
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, 'v']))
    const long = `http://127.0.0.1/${'a'.repeat(484)}`
    assert.equal(long.length, 501)
    const codes = Array.from({ length: 51 }, (_, i) => 200 + i)
    const notIntegers = ['5', 1.5, true, [5], {}]
    const required: [string, unknown][] = [
      ['name', undefined],
      ['type', undefined],
      ['url', undefined],
      ['check_interval_minutes', undefined],
    ]
    const neverNull = [
      'name',
      'type',
      'check_interval_minutes',
      'is_active',
      'http_method',
      'expected_status_codes',
      'request_timeout_seconds',
      'ssl_expiry_warning_days',
    ]
    const integers = [
      'check_interval_minutes',
      'check_interval_seconds',
      'port',
      'request_timeout_seconds',
      'ssl_expiry_warning_days',
    ]
    const texts = ['name', 'url', 'expected_keyword', 'username', 'password']
    const refused: [field: string, sent: unknown, key?: string][] = [
      ...required,
      ...neverNull.map((field): [string, null] => [field, null]),
      ['url', null],
      ...integers.flatMap((field) => notIntegers.map((value): [string, unknown] => [field, value])),
      ...texts.flatMap((field) => [5, true, ['a'], {}].map((value): [string, unknown] => [field, value])),
      ...texts.map((field): [string, string] => [field, 'http://127.0.0.1/\0']),
      ...texts.map((field): [string, string] => [field, 'http://127.0.0.1/\ud800']),
      ['name', ''],
      ['name', '   '],
      ['name', 'n'.repeat(256)],
      ['name', ASTRAL.repeat(256)],
      ['name', 'a\nb'],
      ['name', 'a\tb'],
      ['name', 'a\u007fb'],
      ['name', 'a\u0085b'],
      ['type', 'HTTP'],
      ['type', 'no-such-type'],
      ['url', long],
      ['check_interval_minutes', 0],
      ['check_interval_minutes', 2],
      ['check_interval_minutes', 61],
      ['check_interval_minutes', -5],
      ['check_interval_seconds', 0],
      ['check_interval_seconds', -1],
      ['check_interval_seconds', 31_536_001],
      ['is_active', 'true'],
      ['is_active', 1],
      ['http_method', 'get'],
      ['http_method', 'OPTIONS'],
      ['http_method', ''],
      ['expected_status_codes', []],
      ['expected_status_codes', codes],
      ['expected_status_codes', 200],
      ['expected_status_codes', '200'],
      ['expected_status_codes', [200, 99], 'expected_status_codes.1'],
      ['expected_status_codes', [600], 'expected_status_codes.0'],
      ['expected_status_codes', ['200'], 'expected_status_codes.0'],
      ['expected_status_codes', [200.5], 'expected_status_codes.0'],
      ['expected_status_codes', [null], 'expected_status_codes.0'],
      ['expected_status_codes', [200, 301, 200], 'expected_status_codes.2'],
      ['expected_keyword', 'k'.repeat(256)],
      ['expected_keyword', ASTRAL.repeat(256)],
      ['port', 0],
      ['port', 65_536],
      ['port', -1],
      ['request_timeout_seconds', 0],
      ['request_timeout_seconds', 61],
      ['request_headers', headers(51)],
      ['request_headers', [['X-A', '1']]],
      ['request_headers', 'X-A: 1'],
      ['request_headers', { 'X-A': 'v'.repeat(4_097) }, 'request_headers.X-A'],
      ['request_headers', { 'X-A': 5 }, 'request_headers.X-A'],
      ['request_headers', { 'X-A': null }, 'request_headers.X-A'],
      ['request_headers', { 'X-A': ['1'] }, 'request_headers.X-A'],
      ['request_headers', { 'X-A': 'a\rb' }, 'request_headers.X-A'],
      ['request_headers', { 'X-A': 'a\nb' }, 'request_headers.X-A'],
      ['request_headers', { 'X-A': 'a\0b' }, 'request_headers.X-A'],
      ['request_headers', { 'X A': '1' }, 'request_headers.X A'],
      ['request_headers', { 'X-Ä': '1' }, 'request_headers.X-Ä'],
      ['request_headers', { 'X:': '1' }, 'request_headers.X:'],
      ['request_headers', { Host: 'a' }, 'request_headers.Host'],
      ['request_headers', { 'content-length': '1' }, 'request_headers.content-length'],
      ['request_headers', { 'Transfer-Encoding': 'chunked' }, 'request_headers.Transfer-Encoding'],
      ['request_headers', { CONNECTION: 'close' }, 'request_headers.CONNECTION'],
      ['username', 'u'.repeat(256)],
      ['username', ASTRAL.repeat(256)],
      ['password', 'p'.repeat(256)],
      ['password', ASTRAL.repeat(256)],
      ['ssl_expiry_warning_days', 0],
      ['ssl_expiry_warning_days', 91],
      ['notification_contact_ids', 5],
      ['notification_contact_ids', {}],
      ['notification_contact_ids', ['1'], 'notification_contact_ids.0'],
      ['notification_contact_ids', [1.5], 'notification_contact_ids.0'],
      ['notification_contact_ids', [null], 'notification_contact_ids.0'],
    ]
    const tried = new Set([...refused.map(([field]) => field), 'options'])
    assert.deepEqual(
      keysOf(MonitorCreate.shape).filter((field) => !tried.has(field)),
      [],
      'options have files of their own',
    )
    await sideBySide(refused, async ([field, sent, key = field]) => {
      const answer = await api.post('/monitors', { ...MONITORS.http, [field]: sent })
      assert.equal(
        answer.status,
        422,
        `${field}: ${JSON.stringify(sent)?.slice(0, 80)} gave ${answer.status}`,
      )
      assertInvalid(answer, [key])
    })
  })

  it('takes no contact that is not of the team, and attaches one that is named twice once', async () => {
    const other = await service.createTeam()
    const foreign = (await service.call(other.owner, 'GET', '/notification-contacts')).body.data[0].id
    const own = (await api.get('/notification-contacts')).body.data[0].id
    const post = (ids: unknown) => api.post('/monitors', { ...MONITORS.http, notification_contact_ids: ids })
    assertInvalid(await post([foreign]), ['notification_contact_ids.0'])
    assertInvalid(await post([own, foreign, 0, -1, 2_147_483_648]), [
      'notification_contact_ids.1',
      'notification_contact_ids.2',
      'notification_contact_ids.3',
      'notification_contact_ids.4',
    ])
    const twice = await post([own, own])
    assert.equal(twice.status, 201, JSON.stringify(twice.body))
    assert.deepEqual(
      twice.body.data.notification_contacts.map(({ id }: { id: number }) => id),
      [own],
    )
    assert.deepEqual((await post([])).body.data.notification_contacts, [])
  })

  it('takes the URLs that a type can check and returns them as they were sent', async () => {
    const taken = {
      http: [
        'http://127.0.0.1',
        'https://example.com/?a=1&b=%20',
        'http://[::1]:8080/x',
        'HTTP://EXAMPLE.com',
      ],
      keyword: ['http://localhost:1/', 'https://münchen.example/straße'],
      ssl: ['https://example.com', 'https://127.0.0.1:8443/path'],
      tcp: ['tcp://127.0.0.1', 'http://example.com/x', 'redis://[::1]', 'svn+ssh://example.com:22'],
      icmp: ['icmp://example.com', 'https://127.0.0.1', 'ping://[::1]/'],
    }
    for (const [type, urls] of Object.entries(taken)) {
      await sideBySide(urls, async (url) => {
        const { status, body } = await api.post('/monitors', { ...MONITORS[type as keyof typeof taken], url })
        assert.equal(status, 201, `${type} ${url}: ${JSON.stringify(body)}`)
        assert.equal(body.data.url, url)
      })
    }
  })

  it('refuses URLs that a type cannot check, with the reason', async () => {
    const everywhere: [url: string, reason: RegExp][] = [
      ['', /full URL/],
      ['example.com', /full URL/],
      ['127.0.0.1:80', /full URL/],
      ['//example.com/', /full URL/],
      ['http:example.com', /full URL/],
      ['http:///path', /full URL/],
      ['mailto:a@example.com', /full URL/],
      ['javascript:alert(1)', /full URL/],
      [' https://example.com', /spaces|full URL/],
      ['https://exa mple.com', /spaces/],
      ['https://example.com/a\nb', /control characters/],
      ['https://user:pw@example.com/', /username and password/],
      ['https://user@example.com/', /username and password/],
      ['https://example.com:99999/', /full URL/],
      ['https://[::1/', /full URL/],
      ['https://169.254.169.254/latest/', /not allowed/],
      ['https://[fd00:ec2::254]/', /not allowed/],
      ['https://224.0.0.1/', /never answers \(multicast\)/],
      ['https://255.255.255.255/', /never answers \(broadcast\)/],
      ['https://0:8443/', /never answers \(unspecified\)/],
      ['https://[ff02::1]/', /never answers \(multicast\)/],
      ['https://2852039166/', /not allowed/],
    ]
    const byType = {
      http: [['ftp://example.com', /http:\/\/ or https:\/\//]],
      keyword: [['file://localhost/etc/passwd', /http:\/\/ or https:\/\//]],
      ssl: [
        ['http://example.com', /https:\/\//],
        ['tls://example.com', /https:\/\//],
      ],
      tcp: [['tcp://user:pw@example.com', /username and password/]],
      icmp: [['icmp:example.com', /full URL/]],
    } as const
    for (const [type, own] of Object.entries(byType)) {
      await sideBySide([...everywhere, ...own], async ([url, reason]) => {
        const answer = await api.post('/monitors', { ...MONITORS[type as keyof typeof byType], url })
        assert.equal(answer.status, 422, `${type} ${url} gave ${answer.status}`)
        assertInvalid(answer, ['url'])
        assert.match(answer.body.errors.url[0], reason, `${type} ${url}`)
      })
    }
  })

  it('repeats no secret in a message', async () => {
    const secret = 'tr0ub4dor'
    const long = secret.repeat(500)
    for (const body of [
      { password: long },
      { request_headers: { 'X-Key': long } },
      { request_headers: { 'X-Key': `${secret}\n` } },
      { url: `https://user:${secret}@example.com/` },
    ]) {
      const answer = await api.post('/monitors', { ...MONITORS.http, ...body })
      assert.equal(answer.status, 422)
      assert.equal(JSON.stringify(answer.body).includes(secret), false, JSON.stringify(answer.body))
    }
  })
})
