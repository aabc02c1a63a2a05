import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import tls from 'node:tls'
import { certificateIn } from '../../src/net/tls/session-certificate.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { startTls } from '../support/servers/targets.ts'

const authority = createAuthority('Upbeat Test Root')

describe('the certificate in a session', () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    for (const [kind, leaf] of [
      ['an elliptic key', {}],
      [
        'an RSA key and many names',
        { rsaBits: 2_048, names: Array.from({ length: 50 }, (_, at) => `${at}.example`) },
      ],
    ] as const) {
      test(`with ${kind} is the one that Node gives (${version})`, async (t) => {
        const target = await startTls(t, {
          ...authority.issue(leaf),
          maxVersion: version,
          ALPNProtocols: ['http/1.1'],
        })
        const options = {
          port: target.port,
          host: '127.0.0.1',
          servername: 'localhost',
          ALPNProtocols: ['http/1.1'],
        }
        const socket = tls.connect({ ...options, rejectUnauthorized: false })
        await once(socket, 'secureConnect')
        const found = certificateIn(socket.getSession() ?? Buffer.alloc(0))
        assert.deepEqual(found && Buffer.from(found), socket.getPeerX509Certificate()?.raw)
        socket.destroy()
      })
    }
  }

  test('is nowhere in bytes that are no session, or only a part of one', () => {
    const certificate = Buffer.from('3003020101', 'hex')
    const field = (tag: number, content: Buffer) =>
      Buffer.concat([Buffer.from([tag, content.length]), content])
    const session = (...fields: Buffer[]) => field(0x30, Buffer.concat(fields))
    const version = Buffer.from('020101', 'hex')
    assert.deepEqual(certificateIn(session(version, field(0xa3, certificate))), certificate)
    // A choice of the server, such as a ticket, is inside a field of its own.
    assert.equal(certificateIn(session(version, field(0x04, field(0xa3, certificate)))), null)
    const whole = session(version, field(0xa3, certificate))
    for (let length = 0; length < whole.length; length++)
      assert.equal(certificateIn(whole.subarray(0, length)), null, `${length} bytes`)
    for (const odd of ['3080a3030201010000', '3084ffffffff', '30850000000001', '31050201010000'])
      assert.equal(certificateIn(Buffer.from(odd, 'hex')), null, odd)
  })
})
