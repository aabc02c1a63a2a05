import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { smtpOptions } from '../../src/alerts/mail/smtp-options.ts'
import { ATTEMPT_TIMEOUT_MS } from '../../src/core/alerting/delivery.ts'

describe('without a word in the URL, as the server is near or far', () => {
  const policies: [url: string, requireTLS: boolean, rejectUnauthorized: boolean][] = [
    ['smtp://mail.example:25', false, true],
    ['smtp://u:p@mail.example:587', true, true],
    ['smtp://u:p@mail.example:587?requireTLS=false', false, true],
    ['smtps://u:p@mail.example', false, true],
    ['smtps://u:p@mail.example?tls.rejectUnauthorized=false', false, false],
    ['smtp://u:p@localhost:25', false, false],
    ['smtp://127.0.0.1:25', false, false],
    ['smtp://[::1]:25', false, false],
    ['smtp://127.example:25', false, true],
  ]
  for (const [url, requireTLS, rejectUnauthorized] of policies) {
    test(`${url} requires TLS: ${requireTLS}, a certificate: ${rejectUnauthorized}`, () => {
      const { options } = smtpOptions(url, ATTEMPT_TIMEOUT_MS)
      assert.equal(options.requireTLS, requireTLS)
      assert.equal(options.tls?.rejectUnauthorized, rejectUnauthorized)
    })
  }
})

test('a password is kept out of the log in the forms in which it travels', () => {
  const { secrets } = smtpOptions('smtp://us%40er:p%40ss@mail.example', ATTEMPT_TIMEOUT_MS)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  assert.deepEqual(secrets, ['p@ss', base64('p@ss'), base64('\0us@er\0p@ss')])
  assert.deepEqual(smtpOptions('smtp://mail.example', ATTEMPT_TIMEOUT_MS).secrets, [])
})
