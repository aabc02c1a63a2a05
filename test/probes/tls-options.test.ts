import assert from 'node:assert/strict'
import type { ServerOptions } from 'node:https'
import { describe, it, type TestContext } from 'node:test'
import type { SecureVersion, TLSSocket } from 'node:tls'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import { tlsFailure } from '../../src/net/tls/tls-failure.ts'
import { createAuthority, selfSigned } from '../support/servers/certificates.ts'
import { startHttp, startHttps } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'

type Tls = NonNullable<MonitorOptions['tls']>

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
const own = createAuthority('Authority of Ours')
const stranger = createAuthority('Somebody Else')

/** A server, and a check of it with this TLS. The names that clients asked for and the certificates they showed are kept. */
async function startAsked(t: TestContext, options: ServerOptions) {
  const seen: { name: string | false; certificate: string | null }[] = []
  const { port } = await startHttps(t, options as never, (request, response) => {
    const socket = request.socket as TLSSocket
    const shown = socket.getPeerCertificate()
    seen.push({
      name: (socket as { servername?: string }).servername ?? false,
      certificate: [shown?.subject?.CN ?? null].flat()[0] ?? null,
    })
    response.end('OK')
  })
  const network = testNetwork()
  const checked = (tls: Tls, changes: object = {}, type: 'http' | 'ssl' = 'http') =>
    check(type, { url: `https://localhost:${port}/`, options: { tls }, ...changes }, { network })
  return { seen, port, checked, network }
}

describe('an authority of one’s own', () => {
  it('is trusted besides the others, by checks of the web and of certificates', async (t) => {
    const { checked } = await startAsked(t, own.issue({}))
    assert.deepEqual(said(await checked({ ca: own.pem })), ['up', null])
    assert.deepEqual(said(await checked({ ca: stranger.pem + own.pem }, {}, 'ssl')), ['up', null])
    const untrusted = /^certificate is not signed by/
    assert.equal((await checked({ ca: stranger.pem })).status, 'down')
    assert.equal((await checked({})).status, 'down')
    assert.doesNotMatch((await checked({ ca: own.pem })).errorMessage ?? '', untrusted)
  })

  it('still needs the right name and dates', async (t) => {
    const { checked } = await startAsked(t, own.issue({ names: ['other.example'] }))
    assert.deepEqual(said(await checked({ ca: own.pem })), [
      'down',
      'certificate is for other.example, not localhost',
    ])
    const expired = await startAsked(t, own.issue({ validForDays: -3.5 }))
    assert.deepEqual(said(await expired.checked({ ca: own.pem })), [
      ...['down', 'certificate expired 3 days ago (CN=localhost)'],
    ])
  })
})

describe('without verification', () => {
  for (const [what, certificate, expected] of [
    ['of nobody', selfSigned({}), ['up', null]],
    ['for another name', stranger.issue({ names: ['other.example'] }), ['up', null]],
    ['that expires soon', selfSigned({ validForDays: 5.5 }), ['degraded', 'certificate expires in 5 days']],
    ['that has expired', selfSigned({ validForDays: -3.5 }), ['degraded', 'certificate expired 3 days ago']],
    [
      'that expired today',
      selfSigned({ validForDays: -0.1 }),
      ['degraded', 'certificate expired less than a day ago'],
    ],
  ] as const)
    it(`a certificate ${what} is taken, read and warned about`, async (t) => {
      const { checked } = await startAsked(t, certificate)
      for (const type of ['http', 'ssl'] as const) {
        const result = await checked({ verify: false }, { ssl_expiry_warning_days: 14 }, type)
        assert.deepEqual(said(result), expected)
        assert.match(result.certificate?.fingerprint ?? '', /^[0-9a-f]{64}$/)
      }
    })

  it('holds where a redirect leads', async (t) => {
    const { port, network } = await startAsked(t, selfSigned({}))
    const first = await startHttp(t, (_, response) =>
      response.writeHead(302, { Location: `https://localhost:${port}/` }).end(),
    )
    const url = `http://127.0.0.1:${first.port}/`
    const result = await check('http', { url, options: { tls: { verify: false } } }, { network })
    assert.deepEqual(said(result), ['up', null])
  })
})

describe('a client certificate', () => {
  const server = (changes: object = {}) => ({ ...own.issue({}), ca: own.pem, requestCert: true, ...changes })
  const client = (authority = own) => {
    const { cert, key } = authority.issue({ commonName: 'The Probe' })
    return { ca: own.pem, client_certificate: cert, client_key: key }
  }

  for (const version of ['TLSv1.2', 'TLSv1.3'] as SecureVersion[]) {
    const only = { minVersion: version, maxVersion: version }

    it(`is shown to a server that asks for it (${version})`, async (t) => {
      const { checked, seen } = await startAsked(t, server(only))
      assert.deepEqual(said(await checked(client())), ['up', null])
      assert.deepEqual(seen, [{ name: 'localhost', certificate: 'The Probe' }])
    })

    it(`that the server refuses is told from none (${version})`, async (t) => {
      const { checked } = await startAsked(t, server(only))
      assert.deepEqual(said(await checked({ ca: own.pem })), [
        ...['down', 'TLS handshake failed: the server asks for a client certificate'],
      ])
      // A server of Node says nothing, and hangs up.
      assert.equal((await checked(client(stranger))).status, 'down')
    })
  }

  for (const [reason, shown] of [
    ['tlsv1 alert unknown ca', 'the server refuses the client certificate (unknown ca)'],
    ['ssl/tls alert bad certificate', 'the server refuses the client certificate (bad certificate)'],
    ['sslv3 alert handshake failure', 'the server refuses the client certificate'],
    ['tlsv1 alert internal error', 'the server reports an internal error'],
  ])
    it(`that was sent is what an alert is about: ${reason}`, () => {
      const error = Object.assign(new Error(), { code: 'ERR_SSL_ALERT', reason })
      const told = tlsFailure(error, '127.0.0.1:443', { isWanted: true, isSent: true })
      assert.equal(told, `TLS handshake failed: ${shown}`)
      assert.doesNotMatch(tlsFailure(error, '127.0.0.1:443', { isWanted: true }), /refuses the client/)
    })

  it('is shown to no other origin, nor once a redirect led there', async (t) => {
    const target = await startAsked(t, server({ rejectUnauthorized: false }))
    const routes: Record<string, string> = {}
    const other = await startHttps(t, server({ rejectUnauthorized: false }) as never, (request, response) => {
      const { CN } = (request.socket as TLSSocket).getPeerCertificate()?.subject ?? {}
      target.seen.push({ name: false, certificate: [CN ?? null].flat()[0] ?? null })
      response.writeHead(302, { Location: routes[request.url ?? ''] ?? '/' }).end()
    })
    routes['/away'] = `https://localhost:${target.port}/`
    const url = `https://localhost:${other.port}/away`
    const result = await check('http', { url, options: { tls: client() } }, { network: target.network })
    assert.deepEqual(said(result), ['up', null])
    assert.deepEqual(target.seen, [
      { name: false, certificate: 'The Probe' },
      { name: 'localhost', certificate: null },
    ])
  })

  it('that this machine cannot use is said, and no bug', async (t) => {
    const { checked } = await startAsked(t, own.issue({}))
    const { cert } = own.issue({})
    const { key } = own.issue({})
    const result = await checked({ ca: own.pem, client_certificate: cert, client_key: key })
    assert.equal(result.status, 'down')
    assert.match(
      result.errorMessage ?? '',
      /^TLS handshake failed: the certificates of the monitor cannot be used \(key values mismatch\)$/,
    )
  })
})

describe('a server name', () => {
  it('is asked for, and what the certificate must be for', async (t) => {
    const { checked, seen } = await startAsked(t, own.issue({ names: ['inner.example'] }))
    assert.deepEqual(said(await checked({ ca: own.pem, server_name: 'inner.example' })), ['up', null])
    assert.equal(seen[0]?.name, 'inner.example')
    assert.deepEqual(said(await checked({ ca: own.pem, server_name: 'else.example' })), [
      ...['down', 'certificate is for inner.example, not else.example'],
    ])
    const byAddress = {
      url: `https://127.0.0.1:${(await startAsked(t, own.issue({ names: ['a.example'] }))).port}/`,
    }
    assert.deepEqual(said(await checked({ ca: own.pem, server_name: 'a.example' }, byAddress)), ['up', null])
  })
})

it('a check without these options does not know of them', async (t) => {
  const { network, port } = await startAsked(t, own.issue({}))
  let made = 0
  const { with: create } = network.secureContexts
  network.secureContexts.with = (credentials) => {
    made++
    return create(credentials)
  }
  await check('http', { url: `https://localhost:${port}/` }, { network })
  assert.equal(made, 0)
  const options = { tls: { ca: own.pem } }
  for (let n = 0; n < 2; n++) await check('http', { url: `https://localhost:${port}/`, options }, { network })
  assert.equal(made, 2)
  assert.equal(create({ ca: own.pem }), create({ ca: own.pem }))
})
