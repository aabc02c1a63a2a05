import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { smtpOptions } from '../../../src/alerts/mail/smtp-options.ts'
import { ATTEMPT_TIMEOUT_MS } from '../../../src/core/alerting/delivery.ts'

const settingsOf = (smtpUrl: string) => smtpOptions({ smtpUrl, name: null }, ATTEMPT_TIMEOUT_MS)

describe('TLS to a mail server follows the URL, or else the login and how near it is', () => {
  type Tls = 'required' | 'opportunistic' | 'off'
  const policies: [url: string, tls: Tls | null, verifies: boolean][] = [
    ['smtp://mail.example:25', 'opportunistic', false],
    ['smtp://mail.example:25?tls=required', 'required', true],
    ['smtp://mail.example:25?tls=required&verify=false', 'required', false],
    ['smtp://mail.example:25?verify=true', 'opportunistic', true],
    ['smtp://mail.example:25?tls=off', 'off', false],
    ['smtp://u:p@mail.example:587', 'required', true],
    ['smtp://u:p@mail.example:587?verify=false', 'required', false],
    ['smtp://u:p@mail.example:587?tls=opportunistic', 'opportunistic', false],
    ['smtp://u:p@mail.example:587?tls=off', 'off', false],
    ['smtp://u:p@mail.example:587?requireTLS=false', null, true],
    ['smtp://u:p@mail.example:587?requireTLS=false&ignoreTLS=true', 'off', true],
    ['smtp://u:p@localhost:25', 'opportunistic', false],
    ['smtp://127.0.0.1:25', 'opportunistic', false],
    ['smtp://[::1]:25', 'opportunistic', false],
    ['smtp://127.example:25', 'opportunistic', false],
  ]
  for (const [url, tls, verifies] of policies) {
    test(`${url}: ${tls ?? 'as offered'}, a certificate that is ${verifies ? '' : 'not '}verified`, () => {
      const { requireTLS, opportunisticTLS, ignoreTLS, tls: certificate } = settingsOf(url).options
      const expected = [tls === 'required', tls === 'opportunistic', tls === 'off', verifies]
      assert.deepEqual([requireTLS, opportunisticTLS, ignoreTLS, certificate?.rejectUnauthorized], expected)
    })
  }

  const secure: [url: string, verifies: boolean][] = [
    ['smtps://u:p@mail.example', true],
    ['smtps://mail.example?tls=required', true],
    ['smtps://u:p@mail.example?verify=false', false],
    ['smtps://u:p@mail.example?tls.rejectUnauthorized=false', false],
    ['smtps://localhost', false],
  ]
  for (const [url, verifies] of secure) {
    test(`${url}: from the start, a certificate that is ${verifies ? '' : 'not '}verified`, () => {
      const { secure, requireTLS, tls } = settingsOf(url).options
      assert.deepEqual([secure, requireTLS, tls?.rejectUnauthorized], [true, false, verifies])
    })
  }
})

test('what the library is told beside it stays as it is written', () => {
  const { options } = settingsOf('smtp://mail.example?name=a%20b&tls=off&tls.servername=c%2Bd&verify=false')
  assert.deepEqual([options.name, options.tls?.servername, options.ignoreTLS], ['a b', 'c+d', true])
})

test('a password is kept out of the log in the forms in which it travels', () => {
  const { secrets } = settingsOf('smtp://us%40er:p%40ss@mail.example')
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  assert.deepEqual(secrets, ['p@ss', base64('p@ss'), base64('\0us@er\0p@ss')])
  assert.deepEqual(settingsOf('smtp://mail.example').secrets, [])
})
