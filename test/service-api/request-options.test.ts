import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createAuthority } from '../support/servers/certificates.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'

const MASK = '********'

describe('the options of a request and its way', () => {
  let service: AskedService
  let team: TestTeam

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
  })

  /** As a member of its own each time: the rate limit is a member's. */
  const call = async (method: string, path: string, body?: unknown) =>
    service.call(await service.createToken(team.id, 'admin'), method, path, body)
  async function data(method: string, path: string, body?: unknown) {
    const answer = await call(method, path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body.data
  }
  const create = (options: object, changes: object = {}) =>
    data('POST', '/monitors', { ...MONITORS.http, ...changes, options })
  async function assertRefused(answer: { status: number; body: unknown }, field: string, message: string) {
    assertInvalid(answer as never, [field])
    assert.deepEqual((answer.body as { errors: Record<string, string[]> }).errors[field], [message])
  }

  const REFUSED: [options: Record<string, unknown>, field: string, message: string][] = [
    [{ request_body: '' }, 'options.request_body', 'options.request_body must not be empty'],
    [
      { request_body: 'ü'.repeat(32_769) },
      'options.request_body',
      'options.request_body must be at most 65536 bytes, got 65538',
    ],
    [
      { request_body: 'a\0' },
      'options.request_body',
      'options.request_body must not contain a NUL character',
    ],
    [
      { follow_redirects: 21 },
      'options.follow_redirects',
      'options.follow_redirects must be at most 20, got 21',
    ],
    [
      { follow_redirects: -1 },
      'options.follow_redirects',
      'options.follow_redirects must be at least 0, got -1',
    ],
    [{ cache_buster: 1 }, 'options.cache_buster', 'options.cache_buster must be true or false, got 1'],
    [{ ip_version: 5 }, 'options.ip_version', 'options.ip_version must be one of 4, 6, got 5'],
    [
      { ip_version: 6 },
      'options.ip_version',
      'options.ip_version must be 4 or left out: the URL has an address of IPv4',
    ],
  ]
  for (const [options, field, message] of REFUSED)
    it(`are refused as ${JSON.stringify(options).slice(0, 60)}`, async () => {
      const { id } = await create({})
      await assertRefused(await call('POST', '/monitors', { ...MONITORS.http, options }), field, message)
      await assertRefused(await call('PATCH', `/monitors/${id}`, { options }), field, message)
    })

  it('take all that is within their bounds', async () => {
    const { options } = await create({ request_body: 'ü'.repeat(32_768), follow_redirects: 0, ip_version: 4 })
    assert.equal(options.request_body.length, 32_768)
    assertInvalid(await call('POST', '/monitors', { ...MONITORS.tcp, options: { cache_buster: true } }), [
      'options.cache_buster',
    ])
  })

  it('fit the URL also when that alone is changed', async () => {
    const { id } = await create({ ip_version: 6 }, { url: 'http://box.example/' })
    const change = (body: object) => call('PATCH', `/monitors/${id}`, body)
    const message = 'options.ip_version must be 4 or left out: the URL has an address of IPv4'
    await assertRefused(await change({ url: 'http://127.1/' }), 'options.ip_version', message)
    assert.equal((await change({ url: 'http://[::1]/' })).status, 200)
    assert.equal((await change({ url: 'http://127.1/', options: { ip_version: null } })).status, 200)
  })

  it('keep the body from viewers, and a mask keeps the body', async () => {
    const { id } = await create({ request_body: 'sesame-street-7' })
    const shown = async (token: string) =>
      (await service.call(token, 'GET', `/monitors/${id}`)).body.data.options.request_body
    assert.deepEqual([await shown(team.admin), await shown(team.viewer)], ['sesame-street-7', MASK])
    await data('PATCH', `/monitors/${id}`, { options: { request_body: MASK, follow_redirects: 1 } })
    assert.equal(await shown(team.admin), 'sesame-street-7')
  })
})

describe('the option tls', () => {
  let service: AskedService
  let team: TestTeam
  const own = createAuthority('Authority of Ours')
  const pair = own.issue({ commonName: 'The Probe' })
  const pairOf = { client_certificate: pair.cert, client_key: pair.key }
  const other = own.issue({})

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
  })

  const call = async (method: string, path: string, body?: unknown) =>
    service.call(await service.createToken(team.id, 'admin'), method, path, body)

  const REFUSED: [what: string, tls: object, field: string, message: string][] = [
    ['a typing error', { verfy: true }, 'verfy', 'is not known here'],
    [
      'no PEM',
      { ca: 'trust me' },
      'ca',
      'must be one or more certificates in PEM, which begin with -----BEGIN CERTIFICATE-----',
    ],
    [
      'PEM of nothing',
      { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
      ...(['ca', 'cannot be read as certificates in PEM'] as const),
    ],
    ['no key', { client_certificate: pair.cert }, 'client_key', 'is required beside the client certificate'],
    ['a key alone', { client_key: pair.key }, 'client_certificate', 'is required beside the key'],
    [
      'the key of another',
      { ...pairOf, client_key: other.key },
      'client_key',
      'must be the key of the client certificate',
    ],
    [
      'a broken key',
      { ...pairOf, client_key: pair.key.replace(/\n.{20}/, '\nAAAAAAAAAAAAAAAAAAAA') },
      ...(['client_key', 'cannot be read as a private key in PEM without a passphrase'] as const),
    ],
    [
      'a mask of nothing',
      { ...pairOf, client_key: MASK },
      'client_key',
      `must be given: ${MASK} keeps a stored secret, and there is none for this`,
    ],
    ['an address for a name', { server_name: '127.0.0.1' }, 'server_name', 'must be the name of a host'],
    ['a URL for a name', { server_name: 'https://a.example' }, 'server_name', 'must be the name of a host'],
  ]
  for (const [what, tls, key, rule] of REFUSED)
    it(`is refused with ${what}`, async () => {
      const field = `options.tls.${key}`
      const answer = await call('POST', '/monitors', { ...MONITORS.ssl, options: { tls } })
      assertInvalid(answer, [field])
      assert.deepEqual(answer.body.errors[field], [`${field} ${rule}`])
      assert.ok(!JSON.stringify(answer.body).includes(pair.key.slice(60, 90)))
    })

  it('keeps the key from everybody, and while the server name stays', async () => {
    const created = await call('POST', '/monitors', {
      ...MONITORS.http,
      options: { tls: { ...pairOf, server_name: 'a.example' } },
    })
    assert.equal(created.status, 201)
    const { id, options } = created.body.data
    assert.deepEqual(options.tls, { ...pairOf, client_key: MASK, server_name: 'a.example' })
    const change = (tls: object) => call('PATCH', `/monitors/${id}`, { options: { tls } })
    const masked = { ...pairOf, client_key: MASK }
    assert.equal((await change({ ...masked, server_name: 'a.example', verify: false })).status, 200)
    assertInvalid(await change({ ...masked, server_name: 'b.example' }), ['options.tls.client_key'])
    assertInvalid(await change({ ...masked, client_certificate: other.cert, server_name: 'a.example' }), [
      'options.tls.client_key',
    ])
    assert.equal((await change({ verify: false })).status, 200)
    assertInvalid(await change(masked), ['options.tls.client_key'])
  })
})
