import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { findMonitor } from '../../src/store/monitors/monitors.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { MONITORS } from '../support/services/api-bodies.ts'
import { assertInvalid } from '../support/services/api-problems.ts'
import { apiService } from '../support/services/api-service.ts'
import type { AskedService, TestTeam } from '../support/services/asked-service.ts'
import { commander } from '../support/services/remote-command.ts'

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

describe('the secrets of signing in and of proxies', () => {
  let service: AskedService
  let team: TestTeam

  before(async () => {
    service = await apiService()
    team = await service.createTeam()
  })

  const call = async (method: string, path: string, body?: unknown) =>
    service.call(await service.createToken(team.id, 'admin'), method, path, body)
  async function data(method: string, path: string, body?: unknown) {
    const answer = await call(method, path, body)
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body.data
  }
  const storedOf = async (id: number) => {
    const { db, vault } = service.services
    const record = await findMonitor(db.query, vault, team.id, id)
    return record?.options
  }
  const OAUTH = {
    type: 'oauth2',
    token_url: 'http://127.0.0.1:9/t',
    client_id: 'me',
    client_secret: 'sesame-7',
  }

  const REFUSED: [what: string, body: object, field: string, message: string][] = [
    [
      'an unknown way',
      { options: { auth: { type: 'ntlm' } } },
      'options.auth.type',
      'must be one of bearer, oauth2, digest, got "ntlm"',
    ],
    ['no token', { options: { auth: { type: 'bearer' } } }, 'options.auth.token', 'is required'],
    [
      'a token of two lines',
      { options: { auth: { type: 'bearer', token: 'a\nb' } } },
      'options.auth.token',
      'must be a text of one line',
    ],
    [
      'a key of another way',
      { options: { auth: { type: 'digest', token: 'x' } } },
      'options.auth.token',
      'is not known here',
    ],
    [
      'a user name beside a token',
      { username: 'ada', options: { auth: { type: 'bearer', token: 'x' } } },
      'options.auth',
      'must be left out while the monitor has a user name',
    ],
    [
      'Digest without a user name',
      { options: { auth: { type: 'digest' } } },
      'options.auth',
      'must be left out while the monitor has no user name',
    ],
    [
      'a token URL of files',
      { options: { auth: { ...OAUTH, token_url: 'file:///etc/passwd' } } },
      'options.auth.token_url',
      'must be a full URL of http or https',
    ],
    [
      'a token URL of a cloud',
      { options: { auth: { ...OAUTH, token_url: 'http://169.254.169.254/' } } },
      'options.auth.token_url',
      'is refused: must name another host: address 169.254.169.254 is not allowed',
    ],
    [
      'a proxy of SOCKS 4',
      { options: { proxy: 'socks4://proxy.example' } },
      'options.proxy',
      'must be a URL of http, https or socks5 with a host, and with nothing behind its port',
    ],
    [
      'a proxy with a path',
      { options: { proxy: 'http://proxy.example/a' } },
      'options.proxy',
      'must be a URL of http, https or socks5 with a host, and with nothing behind its port',
    ],
    [
      'a proxy of a cloud',
      { options: { proxy: 'http://169.254.169.254:80' } },
      'options.proxy',
      'is refused: must name another host: address 169.254.169.254 is not allowed',
    ],
    [
      'a mask without a proxy',
      { options: { proxy: `http://u:${MASK}@proxy.example` } },
      'options.proxy',
      `must be given: ${MASK} keeps a stored secret, and there is none for this`,
    ],
    [
      'a name for a name server',
      { options: { resolver: 'dns.example' } },
      'options.resolver',
      'must be the address of a name server, such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:53',
    ],
    [
      'a name server of a cloud',
      { options: { resolver: '169.254.169.254:53' } },
      'options.resolver',
      'is refused: must name another host: address 169.254.169.254 is not allowed',
    ],
  ]
  for (const [what, body, field, rule] of REFUSED)
    it(`are refused with ${what}`, async () => {
      const answer = await call('POST', '/monitors', { ...MONITORS.http, ...body })
      assertInvalid(answer, [field])
      assert.deepEqual(answer.body.errors[field], [`${field} ${rule}`])
    })

  it('of OAuth 2 are kept by a mask while the way and its URL stay', async () => {
    const { id, options } = await data('POST', '/monitors', { ...MONITORS.http, options: { auth: OAUTH } })
    const masked = { ...OAUTH, client_secret: MASK }
    assert.deepEqual(options.auth, masked)
    await data('PATCH', `/monitors/${id}`, { options: { auth: { ...masked, scope: 'a' } } })
    assert.deepEqual((await storedOf(id))?.auth, { ...OAUTH, scope: 'a' })
    const moved = { ...masked, token_url: 'http://127.0.0.1:8/t' }
    assertInvalid(await call('PATCH', `/monitors/${id}`, { options: { auth: moved } }), [
      'options.auth.client_secret',
    ])
    const other = { type: 'bearer', token: MASK }
    assertInvalid(await call('PATCH', `/monitors/${id}`, { options: { auth: other } }), [
      'options.auth.token',
    ])
    assertInvalid(await call('PATCH', `/monitors/${id}`, { username: 'ada' }), ['options.auth'])
  })

  it('of a proxy are a part of its URL, kept by a mask while the host stays', async () => {
    const url = 'http://u%40x:p%3Aw@proxy.example:3128'
    const shown = `http://u%40x:${MASK}@proxy.example:3128`
    const { id, options } = await data('POST', '/monitors', { ...MONITORS.http, options: { proxy: url } })
    assert.equal(options.proxy, shown)
    const { rows } = await service.services.db.pool.query('SELECT * FROM monitors WHERE id = $1', [id])
    assert.doesNotMatch(JSON.stringify(rows), /p%3Aw/)
    await data('PATCH', `/monitors/${id}`, {
      options: { proxy: `http://other:${MASK}@PROXY.example:3128/`, ip_version: 4 },
    })
    assert.equal((await storedOf(id))?.proxy, 'http://other:p%3Aw@PROXY.example:3128/')
    for (const moved of [
      'http://u:********@evil.example:3128',
      'http://u:********@proxy.example',
      'socks5://u:********@proxy.example:3128',
    ])
      assertInvalid(await call('PATCH', `/monitors/${id}`, { options: { proxy: moved } }), ['options.proxy'])
    assert.equal(
      (await data('PATCH', `/monitors/${id}`, { options: { proxy: 'http://proxy.example' } })).options.proxy,
      'http://proxy.example',
    )
  })

  it('are exported as references, which apply keeps or fills', async () => {
    const fresh = await service.createTeam()
    const person = commander(service.services)
    try {
      const run = async (
        args: string[],
        around: { files?: Record<string, string>; variables?: Record<string, string> } = {},
      ) => {
        const environment = { url: service.url, token: await service.createToken(fresh.id, 'admin') }
        const ran = await person.run(args, { ...around, environment })
        assert.equal(ran.status, 0, ran.err)
        return ran
      }
      const proxy = 'http://u:secret-of-proxy@proxy.example:3128'
      const body = { ...MONITORS.http, name: 'Exported', options: { auth: OAUTH, proxy } }
      const { id } = (await service.call(fresh.admin, 'POST', '/monitors', body)).body.data
      const { out, err } = await run(['export', '--format', 'json'])
      const [secret, password] = [`MONITOR_${id}_AUTH_CLIENT_SECRET`, `MONITOR_${id}_PROXY`]
      assert.match(err, new RegExp(`${secret}, ${password}`))
      const [monitor] = JSON.parse(out).monitors
      assert.equal(monitor.options.auth.client_secret, `\${secret.${secret}}`)
      assert.equal(monitor.options.proxy, `http://u:\${secret.${password}}@proxy.example:3128`)
      const files = { 'all.json': out }
      assert.match((await run(['apply', 'all.json'], { files })).out, /Nothing to change/)
      const stored = async () => {
        const { db, vault } = service.services
        return (await findMonitor(db.query, vault, fresh.id, id))?.options
      }
      assert.equal((await stored())?.proxy, proxy)
      await run(['apply', 'all.json', '--passwords'], { files, variables: { [password]: 'another-one' } })
      assert.equal((await stored())?.proxy, 'http://u:another-one@proxy.example:3128')
      assert.deepEqual((await stored())?.auth, OAUTH)
    } finally {
      await person.close()
    }
  })
})
