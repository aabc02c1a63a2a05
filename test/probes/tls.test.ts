import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { createSecureContext, type TlsOptions } from 'node:tls'
import { daysRemaining } from '../../src/core/monitors/certificate.ts'
import { resetSocket } from '../support/reset-socket.ts'
import {
  type Authority,
  createAuthority,
  type Leaf,
  type ServerCertificate,
  selfSigned,
} from '../support/servers/certificates.ts'
import { nextConnection } from '../support/servers/client-events.ts'
import { startHttps, startSaying, startTcp, startTls } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { turnClock } from '../support/time/turned-clock.ts'

let trusted: Authority
let stranger: Authority
let network: ReturnType<typeof testNetwork>
before(() => {
  trusted = createAuthority('Upbeat Test Root')
  stranger = createAuthority('Somebody Else')
  network = testNetwork({ extraAuthorities: [trusted.pem] })
})

describe('a certificate', () => {
  const cases: {
    name: string
    issue: () => ServerCertificate
    status: 'up' | 'down' | 'degraded'
    message: string | null | ((leaf: X509Certificate) => string)
  }[] = [
    { name: 'of an extra authority is good', issue: () => issue({}), status: 'up', message: null },
    {
      name: 'that expires in 5 days is a warning',
      issue: () => issue({ validForDays: 5.5 }),
      status: 'degraded',
      message: 'certificate expires in 5 days',
    },
    {
      name: 'that has expired says for how long',
      issue: () => issue({ validForDays: -3.5 }),
      status: 'down',
      message: 'certificate expired 3 days ago (CN=localhost)',
    },
    {
      name: 'that expired within the hour says so',
      issue: () => issue({ validForDays: -0.01 }),
      status: 'down',
      message: 'certificate expired less than an hour ago (CN=localhost)',
    },
    {
      name: 'that is not valid yet says from when',
      issue: () => issue({ validFromDays: 40 }),
      status: 'down',
      message: ({ validFromDate }) =>
        `certificate is not valid until ${validFromDate.toISOString().slice(0, 10)} (CN=localhost)`,
    },
    {
      name: 'for another host says for which',
      issue: () => issue({ names: ['other.example'] }),
      status: 'down',
      message: 'certificate is for other.example, not localhost',
    },
    {
      name: 'that has expired and is for another host says both',
      issue: () => issue({ validForDays: -3.5, names: ['other.example'] }),
      status: 'down',
      message:
        'certificate expired 3 days ago (CN=localhost); certificate is for other.example, not localhost',
    },
    {
      name: 'that signed itself is not trusted',
      issue: () => selfSigned({}),
      status: 'down',
      message: 'certificate is self-signed (CN=localhost)',
    },
    {
      name: 'of an unknown authority is not trusted',
      issue: () => stranger.issue({ commonName: 'shop.example' }),
      status: 'down',
      message: 'certificate chain is incomplete or its authority is not trusted (CN=shop.example)',
    },
  ]
  for (const { name, issue: issueCase, status, message } of cases) {
    for (const type of ['ssl', 'http'] as const) {
      test(`${name} (${type})`, async (t) => {
        const certificate = issueCase()
        const requests: unknown[] = []
        const target = await startHttps(t, certificate, (request, response) => {
          requests.push(request.url)
          response.end('OK')
        })
        const result = await check(type, { url: `https://localhost:${target.port}/` }, { network })
        const leaf = new X509Certificate(certificate.cert)
        assert.equal(result.errorMessage, typeof message === 'function' ? message(leaf) : message)
        assert.equal(result.status, status)
        assert.equal(result.certificate?.expiresAt.getTime(), leaf.validToDate.getTime())
        assert.equal(result.certificate?.fingerprint, leaf.fingerprint256.replaceAll(':', '').toLowerCase())
        assert.ok(Number.isInteger(result.phases?.tlsMs))
        assert.equal(requests.length, type === 'http' && status !== 'down' ? 1 : 0)
        await target.allClosed()
      })
    }
  }

  test('for an IP address is good for that address only', async (t) => {
    const target = await startHttps(t, issue({ names: ['127.0.0.1'] }))
    const byAddress = await check('ssl', { url: `https://127.0.0.1:${target.port}/` }, { network })
    assert.equal(byAddress.errorMessage, null)
    const byName = await check('ssl', { url: `https://localhost:${target.port}/` }, { network })
    assert.equal(byName.errorMessage, 'certificate is for 127.0.0.1, not localhost')
  })

  test('with a wildcard is good for one label', async (t) => {
    const target = await startHttps(t, issue({ names: ['*.shop.localhost'] }))
    const url = (host: string) => `https://${host}:${target.port}/`
    assert.equal((await check('ssl', { url: url('a.shop.localhost') }, { network })).status, 'up')
    assert.equal((await check('ssl', { url: url('A.Shop.Localhost.') }, { network })).status, 'up')
    const deeper = await check('ssl', { url: url('a.b.shop.localhost') }, { network })
    assert.equal(deeper.errorMessage, 'certificate is for *.shop.localhost, not a.b.shop.localhost')
  })

  const underscores: [names: string, host: string, status: 'up' | 'down'][] = [
    ['*.shop.localhost', 'a_b.shop.localhost', 'up'],
    ['*.shop.localhost', '_a.shop.localhost', 'up'],
    ['*.Shop.Localhost', 'A_B.shop.localhost', 'up'],
    ['*.s_p.localhost', 'a.s_p.localhost', 'up'],
    ['a_b.shop.localhost', 'a_b.shop.localhost', 'up'],
    ['*.shop.localhost', 'a_b.c.shop.localhost', 'down'],
    ['*.shop.localhost', 'shop_a.localhost', 'down'],
    ['a*.shop.localhost', 'a_b.shop.localhost', 'down'],
    ['*.localhost', 'a_b.localhost', 'down'],
    ['*.c_d.shop.localhost', 'a.b_d.shop.localhost', 'down'],
  ]
  for (const [name, host, status] of underscores) {
    for (const type of ['ssl', 'http', 'keyword'] as const) {
      test(`for ${name} is ${status} for ${host} (${type})`, async (t) => {
        const target = await startHttps(t, issue({ names: [name] }))
        const result = await check(type, { url: `https://${host}:${target.port}/` }, { network })
        assert.equal(result.status, status, result.errorMessage ?? '')
      })
    }
  }

  test('leads to an answer that may be as odd as one without', async (t) => {
    const answer = 'HTTP/1.1 200 OK\nX A : b\n c\nContent-Length: 2\nContent-Length: 2\n\nOK'
    const target = await startTls(t, issue({}), (socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(answer))
    })
    const result = await check('keyword', { url: `https://localhost:${target.port}/` }, { network })
    assert.equal(result.status, 'up', result.errorMessage ?? '')
    assert.match(result.note ?? '', /LF only, .* folded header lines, Content-Length given twice$/)
  })

  test('of every hop of a redirect is judged, and the one that expires first is shown', async (t) => {
    const days = async (first: number, last: number) => {
      const end = await startHttps(t, issue({ validForDays: last + 0.5, names: ['b.localhost'] }))
      const begin = await startHttps(
        t,
        issue({ validForDays: first + 0.5, names: ['a.localhost'] }),
        (_, response) => response.writeHead(301, { Location: `https://b.localhost:${end.port}/` }).end(),
      )
      return check('http', { url: `https://a.localhost:${begin.port}/` }, { network })
    }
    for (const [first, last, status, message] of [
      [5, 60, 'degraded', 'certificate expires in 5 days'],
      [60, 5, 'degraded', 'certificate expires in 5 days'],
      [6, 5, 'degraded', 'certificate expires in 5 days'],
      [60, 90, 'up', null],
    ] as const) {
      const result = await days(first, last)
      assert.deepEqual([result.status, result.errorMessage], [status, message])
      const seen = result.certificate && daysRemaining(result.certificate.expiresAt, new Date())
      assert.equal(seen, Math.min(first, last))
    }
  })

  test('is judged alike when it is seen again, and anew when the server shows another', async (t) => {
    const renewed = issue({})
    let shown = issue({ validForDays: -3.5, names: ['other.example'] })
    const SNICallback: TlsOptions['SNICallback'] = (_, use) => use(null, createSecureContext(shown))
    const target = await startTls(t, { SNICallback })
    const url = `https://localhost:${target.port}/`
    const first = await check('ssl', { url }, { network })
    const second = await check('ssl', { url }, { network })
    assert.match(first.errorMessage ?? '', /expired 3 days ago .* is for other\.example/)
    assert.equal(second.errorMessage, first.errorMessage)
    assert.deepEqual(second.certificate, first.certificate)
    shown = renewed
    const third = await check('ssl', { url }, { network })
    assert.equal(third.status, 'up')
    assert.equal(
      third.certificate?.expiresAt.getTime(),
      new X509Certificate(renewed.cert).validToDate.getTime(),
    )
  })

  test('warns within the days of the monitor', async (t) => {
    const target = await startHttps(t, issue({ validForDays: 20 }))
    const url = `https://localhost:${target.port}/`
    assert.equal((await check('ssl', { url, ssl_expiry_warning_days: 19 }, { network })).status, 'up')
    assert.equal((await check('ssl', { url, ssl_expiry_warning_days: 20 }, { network })).status, 'degraded')
  })

  test('of an https keyword check is judged as well', async (t) => {
    const target = await startHttps(t, issue({ validForDays: 5.5 }))
    const url = `https://localhost:${target.port}/`
    assert.equal((await check('keyword', { url }, { network })).status, 'degraded')
    const absent = await check('keyword', { url, expected_keyword: 'no' }, { network })
    assert.equal(absent.status, 'down')
    assert.match(absent.errorMessage ?? '', /^keyword "no" not found/)
  })
})

describe('a handshake that fails', () => {
  const alert = (code: number) => Buffer.from([21, 3, 3, 0, 2, 2, code])
  const answers: [name: string, answer: string | Buffer, message: string][] = [
    ['against plain HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'TLS handshake failed: the answer is not TLS'],
    ['when the server hangs up', '', 'TLS handshake failed: the connection was closed'],
    ['when the server refuses', alert(40), 'TLS handshake failed: the server refused (handshake failure)'],
    [
      'when the name is unknown',
      alert(112),
      'TLS handshake failed: the server does not know this name (unrecognized name)',
    ],
    ['with any other alert', alert(49), 'TLS handshake failed: access denied'],
  ]
  for (const [name, answer, message] of answers) {
    test(`${name} is down`, async (t) => {
      const target = await startSaying(t, answer)
      const result = await check('ssl', { url: `https://localhost:${target.port}/` }, { network })
      assert.equal(result.status, 'down')
      assert.equal(result.errorMessage, message)
      assert.equal(result.certificate, null)
      assert.equal(result.responseTimeMs, null)
      await target.allClosed()
    })
  }

  test('because of a reset is down', async (t) => {
    const target = await startTcp(t, (socket) => socket.once('data', () => resetSocket(socket)))
    const result = await check('http', { url: `https://127.0.0.1:${target.port}/` }, { network })
    assert.equal(result.errorMessage, `TLS handshake failed: connection reset by 127.0.0.1:${target.port}`)
  })

  test('because it stalls is down at the time limit', async (t) => {
    const clock = turnClock(t)
    const greeted = Promise.withResolvers<void>()
    const target = await startTcp(t, (socket) => socket.once('data', () => greeted.resolve()))
    const url = `https://localhost:${target.port}/`
    const checking = check('ssl', { url, request_timeout_seconds: 1 }, { network })
    const result = await clock.passLimit(1_000, checking, greeted.promise)
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, 'no answer within 1 s (TLS handshake)')
    await target.allClosed()
  })

  test('because the server wants a certificate of ours is down', async (t) => {
    const target = await startTls(t, {
      ...issue({}),
      requestCert: true,
      rejectUnauthorized: true,
      ca: [trusted.pem],
    })
    const result = await check('http', { url: `https://localhost:${target.port}/` }, { network })
    assert.equal(result.status, 'down')
    assert.equal(result.errorMessage, 'TLS handshake failed: the server asks for a client certificate')
    await target.allClosed()
  })

  test('because only old versions are spoken is down', async (t) => {
    const target = await startTls(t, {
      ...issue({}),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    const result = await check('ssl', { url: `https://localhost:${target.port}/` }, { network })
    assert.equal(
      result.errorMessage,
      'TLS handshake failed: the server accepts no version of TLS from 1.2 on',
    )
  })

  test('because our own queue for handshakes did not move is no fault of the target', async (t) => {
    const clock = turnClock(t)
    const target = await startTcp(t)
    const busy = testNetwork()
    for (let team = 1; ; team++) {
      const admitted = await Promise.race([busy.handshakes.enter(team), soon()])
      if (!admitted) break
    }
    const url = `https://127.0.0.1:${target.port}/`
    const connected = nextConnection()
    const checking = check('ssl', { url, request_timeout_seconds: 1 }, { network: busy })
    const result = await clock.passLimit(1_000, checking, connected)
    assert.equal(result.status, 'pending')
    assert.match(result.errorMessage ?? '', /too many TLS handshakes/)
    await target.allClosed()
  })
})

describe('a key exchange', () => {
  for (const ecdhCurve of ['X25519', 'P-521', 'X25519MLKEM768', 'SecP384r1MLKEM1024', 'X448']) {
    test(`by ${ecdhCurve} alone is one that we know`, async (t) => {
      const target = await startTls(t, { ...issue({}), ecdhCurve })
      const result = await check('ssl', { url: `https://localhost:${target.port}/` }, { network })
      assert.equal(result.errorMessage, null)
      await target.allClosed()
    })
  }

  test('that a server wants instead of the usual ones is offered at once from then on', async (t) => {
    const target = await startTls(t, { ...issue({}), ecdhCurve: 'X25519MLKEM768' })
    const url = `https://localhost:${target.port}/`
    assert.equal((await check('ssl', { url }, { network })).status, 'up')
    assert.equal(target.accepted(), 2)
    assert.equal((await check('ssl', { url }, { network })).status, 'up')
    assert.equal(target.accepted(), 3)
  })

  test('is offered without hybrid ones, for which servers would ask in a round trip of their own, and with the cheapest cipher first', async (t) => {
    const hellos: string[] = []
    const target = await startTcp(t, (socket) => {
      socket.once('data', (hello) => {
        hellos.push(hello.toString('hex'))
        socket.destroy()
      })
    })
    await check('ssl', { url: `https://localhost:${target.port}/` }, { network })
    // The extension supported_groups of RFC 8446: X25519, P-256, P-384, P-521.
    assert.match(hellos[0] ?? '', /000a000a0008001d001700180019/)
    // TLS_AES_128_GCM_SHA256, then the two others of TLS 1.3.
    assert.match(hellos[0] ?? '', /130113021303/)
  })
})

test('many handshakes at once all succeed', async (t) => {
  const target = await startHttps(t, issue({}))
  const url = `https://localhost:${target.port}/`
  const results = await Promise.all(Array.from({ length: 150 }, () => check('http', { url }, { network })))
  assert.deepEqual([...new Set(results.map(({ status }) => status))], ['up'])
  await target.allClosed()
})

function issue(leaf: Leaf): ServerCertificate {
  return trusted.issue(leaf)
}

function soon(): Promise<false> {
  return new Promise((resolve) => setImmediate(resolve, false))
}
