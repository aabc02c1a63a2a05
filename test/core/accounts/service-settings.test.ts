import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mailTestAdvice } from '../../../src/core/accounts/mail-test-advice.ts'
import {
  MailServer,
  mailServerOf,
  passwordFor,
  readMailFrom,
  readSiteUrl,
  smtpUrlOf,
} from '../../../src/core/accounts/service-settings.ts'
import { readSmtpUrl } from '../../../src/core/alerting/smtp-url.ts'

const SERVER: MailServer = {
  ...{ host: 'mail.example.com', port: 587, security: 'starttls', verifies_certificate: true },
  ...{ user: 'robot@example.com', password: 'p@ss/wörd?#%' },
}

describe('the mail server of a form', () => {
  for (const [what, changes] of [
    ['STARTTLS', {}],
    ['TLS from the start', { security: 'tls', port: 465 }],
    ['a relay without a login', { security: 'opportunistic', port: 25, user: null, password: null }],
    ['no encryption', { security: 'off', verifies_certificate: false }],
    ['an address', { host: '2001:db8::1', port: 2525 }],
    ['a login without a password', { password: null }],
  ] as const) {
    it(`with ${what} is the same as an address such as SMTP_URL`, () => {
      const server: MailServer = { ...SERVER, ...changes }
      const url = smtpUrlOf(server, server.password)
      assert.ok(readSmtpUrl(url), url)
      const { password, ...shown } = server
      assert.deepEqual(mailServerOf(url), { server: { ...shown, has_password: password !== null }, password })
    })
  }

  it('is shown as SMTP_URL has it, with the ports and the encryption that it leaves out', () => {
    const shown = (url: string) => mailServerOf(url)?.server
    assert.deepEqual(shown('smtp://user:secret@mail.example.com'), {
      ...{ host: 'mail.example.com', port: 587, security: 'starttls', verifies_certificate: true },
      ...{ user: 'user', has_password: true },
    })
    assert.deepEqual(shown('smtps://mail.example.com?verify=false&name=mx.example.com'), {
      ...{ host: 'mail.example.com', port: 465, security: 'tls', verifies_certificate: false },
      ...{ user: null, has_password: false },
    })
  })

  it('takes a name or an address as its host, and nothing that is more', () => {
    const takes = (host: string) => MailServer.safeParse({ ...SERVER, host }).success
    for (const host of [
      'smtp.example.com',
      ' localhost ',
      '192.0.2.7',
      '2001:db8::1',
      '2001:DB8::1',
      '[2001:db8::1]',
      'Smtp.Example.com',
      'a_b',
    ])
      assert.ok(takes(host), host)
    for (const host of [
      '',
      'a b',
      'a/b',
      'a?b',
      'a#b',
      'u@a',
      'a:25',
      '[::1]:25',
      'smtp://a',
      '2001:db8::zz',
      'a\nb',
    ])
      assert.ok(!takes(host), host)
  })

  it('gives a saved password to its own host, port and user alone', () => {
    const saved = smtpUrlOf(SERVER, SERVER.password)
    const kept = { ...SERVER, password: null }
    assert.deepEqual(passwordFor(kept, saved), { password: SERVER.password })
    assert.deepEqual(passwordFor({ ...kept, security: 'tls' }, saved), { password: SERVER.password })
    for (const changes of [{ host: 'other.example.com' }, { port: 25 }, { user: 'ada' }])
      assert.ok('refused' in passwordFor({ ...kept, ...changes }, saved), JSON.stringify(changes))
    assert.deepEqual(passwordFor({ ...kept, host: 'other.example.com', user: null }, saved), {
      password: null,
    })
    assert.deepEqual(passwordFor({ ...SERVER, host: 'other.example.com', password: 'new' }, saved), {
      password: 'new',
    })
    assert.deepEqual(passwordFor(kept, null), { password: null })
  })
})

it('a public address has no path, and a sender is an address, with a name of its own or that of the service', () => {
  for (const text of ['https://up.example.com/', 'HTTPS://Up.example.com:443', 'https:up.example.com'])
    assert.equal(readSiteUrl(text), 'https://up.example.com', text)
  for (const text of [
    'up.example.com',
    'ftp://a',
    'https://a/b',
    'https://a?b',
    'https://u:p@a',
    'https://:p@a',
  ])
    assert.equal(readSiteUrl(text), null, text)
  assert.equal(readMailFrom('up@example.com'), 'Upbeat <up@example.com>')
  assert.equal(readMailFrom('Ops <up@example.com>'), 'Ops <up@example.com>')
  for (const text of ['up', 'a@b\r\nBcc: c@d', '<a@b> c']) assert.equal(readMailFrom(text), null, text)
})

it('each way in which a test mail fails has its advice', () => {
  for (const [status, detail, advice] of [
    [535, 'Invalid login: 535 5.7.8 authentication failed', /app password/],
    [null, 'connection refused by 192.0.2.7:587', /Nothing answers/],
    [null, 'no answer within 10 s', /does not answer/],
    [null, 'name not found: smtp.example.com', /leads nowhere/],
    [null, 'self-signed certificate', /certificate is not trusted/],
    [null, 'C0:error:0A00010B:SSL routines::wrong version number', /do not fit each other/],
    [502, 'Error upgrading connection with STARTTLS: 502 not implemented', /offers no STARTTLS/],
    [553, 'Mail command failed: 553 sender not owned by user', /does not take this mail/],
    [451, 'Mail command failed: 451 try later', /at the moment/],
    [555, 'something else', /Check each of the fields/],
  ] as const) {
    assert.match(mailTestAdvice(status, detail), advice, detail)
  }
})
