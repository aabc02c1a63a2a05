import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  certificateExpired,
  connectionFailure,
  handshakeFailed,
  nameNotFound,
  noAnswer,
  unexpectedStatus,
} from '../../../src/core/monitors/cause.ts'
import { withOtherScheme } from '../../../src/core/monitors/other-scheme.ts'

const AT = ['127.0.0.1:3000']
const BARE = 'http://localhost:3000/a?b=https'
const SECURE = 'https://localhost:3000/a?b=https'

describe('a URL with the other scheme', () => {
  const cases: [url: string, cause: string, tried: string | null][] = [
    [SECURE, handshakeFailed('the answer is not TLS'), BARE],
    [SECURE, handshakeFailed('the connection was closed'), BARE],
    [SECURE, handshakeFailed(connectionFailure('ECONNRESET', AT)), BARE],
    [SECURE, connectionFailure('ECONNREFUSED', AT), BARE],
    [SECURE, connectionFailure('ECONNRESET', AT), BARE],
    [SECURE, connectionFailure('ETIMEDOUT', AT), BARE],
    [SECURE, noAnswer(30, 'connecting'), BARE],
    [SECURE, noAnswer(30, 'TLS handshake'), BARE],
    ['HTTPS://localhost', connectionFailure('ECONNREFUSED', AT), 'http://localhost'],
    [BARE, 'no HTTP here: 127.0.0.1:3000 speaks TLS (https)', SECURE],
    [SECURE, handshakeFailed('the server asks for a client certificate'), null],
    [SECURE, certificateExpired('3 days', 'CN=shop.example'), null],
    [SECURE, noAnswer(30, 'connected, waiting for the first byte'), null],
    [SECURE, unexpectedStatus(503, [200]), null],
    [SECURE, nameNotFound('shop.example'), null],
    [BARE, connectionFailure('ECONNREFUSED', AT), null],
    ['tcp://localhost:5432', connectionFailure('ECONNREFUSED', AT), null],
  ]
  for (const [url, cause, tried] of cases) {
    it(`is ${tried ?? 'not tried'} where ${url} says: ${cause}`, () => {
      assert.equal(withOtherScheme(url, cause), tried)
    })
  }
})
