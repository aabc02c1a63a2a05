import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import net from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { emailChannel } from '../../src/alerts/email.ts'
import { escapeHtml } from '../../src/alerts/text/markup.ts'
import type { FailingAnswer } from '../../src/core/probing/failing-answer.ts'
import { createNetwork, type Network } from '../../src/net/network.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import type { Scope } from '../support/scope.ts'
import { selfSigned } from '../support/servers/certificates.ts'
import { nextConnection } from '../support/servers/client-events.ts'
import { listen } from '../support/servers/receivers.ts'
import { DEGRADED, DOWN, RECOVERY, SENT_AT, SITE_URL, sendingTo } from '../support/servers/receivers-alert.ts'
import { smtpReply, startSmtpReceiver } from '../support/servers/smtp-receiver.ts'
import { closedPort } from '../support/servers/targets.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { turnClock } from '../support/time/turned-clock.ts'

const FROM = 'Upbeat <upbeat@example.com>'
const PASSWORD = 'p@ss:wörd'
const certificate = selfSigned({})
/** The operator's own choice of a mail server holds even here. */
const network = createNetwork({ privateTargets: 'deny' })
const config = { email: 'owner@example.com' }

/** A network in which `relay.example` leads here: a server called by a loopback address counts as this machine. */
async function nearRelay(scope: Pick<Scope, 'after'>): Promise<Network> {
  const hostsFile = join(temporaryFolder(scope), 'hosts')
  await writeFile(hostsFile, '127.0.0.1 relay.example\n')
  return createNetwork({ privateTargets: 'deny', hostsFile })
}

function channelTo(smtpUrl: string, through: Network = network) {
  return emailChannel(through, { smtpUrl, from: FROM, name: 'upbeat.example' }, SITE_URL, HANG_GUARD_MS)
}

// Every connection waits for a while until the server greets: side by side.
describe('a mail', { concurrency: true }, () => {
  test('reaches its address and says what happened', async (t) => {
    const { port, mails } = await startSmtpReceiver(t)
    const outcome = await channelTo(`smtp://127.0.0.1:${port}`)(sendingTo(config, { alert: RECOVERY }))
    assert.equal(outcome.kind, 'sent')
    assert.equal(outcome.statusCode, 250)
    const [mail] = mails
    assert.ok(mail)
    assert.equal(mail.from, 'upbeat@example.com')
    assert.deepEqual(mail.to, ['owner@example.com'])
    assert.equal(mail.headers.get('subject'), 'Shop has recovered')
    assert.equal(mail.headers.get('from'), FROM)
    assert.equal(mail.headers.get('to'), 'owner@example.com')
    assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
    assert.equal(new Date(mail.headers.get('date') ?? '').getTime(), SENT_AT.getTime())
    assert.equal(
      mail.text.replaceAll('\r\n', '\n').trim(),
      'Shop has recovered\n\nTarget: https://shop.example/\nWas down for: 4 minutes 10 seconds\n' +
        'Cause: HTTP 503 (expected 200)\nRecovered at: 2026-11-21 09:30:00 UTC\nTeam: Acme\n\n' +
        SITE_URL,
    )
    assert.match(mail.html, /<h1 [^>]*>Shop has recovered<\/h1>/)
    assert.match(mail.html, /<b>Was down for:<\/b> 4 minutes 10 seconds/)
    assert.doesNotMatch(mail.html, /<img|<table|src=/)
  })

  test('finds a server by its name', async (t) => {
    const { port, mails } = await startSmtpReceiver(t)
    const outcome = await channelTo(`smtp://localhost:${port}`)(sendingTo(config))
    assert.equal(outcome.kind, 'sent', outcome.detail)
    assert.equal(mails.length, 1)
  })

  test('keeps its Message-ID over retries', async (t) => {
    const { port, mails } = await startSmtpReceiver(t)
    const channel = channelTo(`smtp://127.0.0.1:${port}`)
    await channel(sendingTo(config))
    await channel(sendingTo(config, { sentAt: new Date(SENT_AT.getTime() + 5_000) }))
    await channel(sendingTo(config, { messageId: 'msg_other' }))
    assert.deepEqual(
      mails.map(({ headers }) => headers.get('message-id')),
      ['<msg_2f1c@example.com>', '<msg_2f1c@example.com>', '<msg_other@example.com>'],
    )
  })

  test('of a recovery answers that of the outage, for readers that build conversations', async (t) => {
    const { port, mails } = await startSmtpReceiver(t)
    const channel = channelTo(`smtp://127.0.0.1:${port}`)
    await channel(sendingTo(config))
    await channel(sendingTo(config, { alert: RECOVERY, messageId: 'msg_up', inReplyTo: 'msg_2f1c' }))
    await channel(sendingTo(config, { alert: DEGRADED, incidentId: null, messageId: 'msg_warning' }))
    const threads = mails.map(({ headers }) =>
      ['message-id', 'in-reply-to', 'references'].map((name) => headers.get(name)),
    )
    const incident = '<monitor-incident-7@example.com>'
    assert.deepEqual(threads, [
      ['<msg_2f1c@example.com>', undefined, incident],
      ['<msg_up@example.com>', '<msg_2f1c@example.com>', `${incident} <msg_2f1c@example.com>`],
      ['<msg_warning@example.com>', undefined, undefined],
    ])
  })

  test('a name cannot add a header or a recipient', async (t) => {
    const { port, mails } = await startSmtpReceiver(t)
    const name = 'Shop\r\nBcc: everybody@example.com\r\n\r\nHello'
    await channelTo(`smtp://127.0.0.1:${port}`)(sendingTo(config, { alert: { ...DOWN, name } }))
    assert.deepEqual(mails[0]?.to, ['owner@example.com'])
    assert.equal(mails[0]?.headers.has('bcc'), false)
    assert.equal(mails[0]?.headers.get('subject'), 'Shop Bcc: everybody@example.com Hello is down')
  })

  const page = (text: string, isCut = false): FailingAnswer => ({
    ...{ status_line: 'HTTP/1.1 503 Service Unavailable', headers: [], headers_left_out: 0 },
    body: { kind: 'text', text, is_cut: isCut },
  })
  const many = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`)
  const bodies: Record<string, [answer: FailingAnswer, shown: string]> = {
    'as it is': [page('{\n  "error": "<no> & no"\n}'), '{\n  "error": "<no> & no"\n}'],
    'cut after some lines': [page(many.join('\n')), `${many.slice(0, 20).join('\n')}\n…`],
    'cut within a long line': [page('x'.repeat(4_000)), `${'x'.repeat(999)}…`],
    'as cut as it was kept': [page('Sorry', true), 'Sorry\n…'],
  }
  for (const [how, [answer, shown]] of Object.entries(bodies)) {
    test(`the answer of the target is shown ${how}`, async (t) => {
      const { port, mails } = await startSmtpReceiver(t)
      const sending = { ...sendingTo(config), answer: async () => answer }
      const outcome = await channelTo(`smtp://127.0.0.1:${port}`)(sending)
      assert.equal(outcome.kind, 'sent')
      const text = mails[0]?.text.replaceAll('\r\n', '\n') ?? ''
      assert.ok(text.includes(`\n\nAnswer:\n${answer.status_line}\n\n${shown}\n\n`), text)
      const markup = Array.from(`${answer.status_line}\n\n${shown}`, escapeHtml).join('')
      const html = mails[0]?.html.replaceAll('\r\n', '\n') ?? ''
      assert.ok(/<pre style="[^"]*white-space:pre-wrap/.test(html) && html.includes(`>${markup}</pre>`), html)
    })
  }

  test('an address cannot hold a second recipient', async (t) => {
    const { port, mails } = await startSmtpReceiver(t)
    const two = { email: 'owner@example.com, everybody@example.com' }
    const outcome = await channelTo(`smtp://127.0.0.1:${port}`)(sendingTo(two))
    assert.notEqual(outcome.kind, 'sent')
    assert.equal(mails.length, 0)
  })

  const names = ['Größe 日本 👩‍🚀', '=?UTF-8?Q?x?=', '<script>alert("1")</script> & co', '👩'.repeat(255)]
  for (const name of names) {
    test(`the name ${[...name].slice(0, 40).join('')} arrives unharmed`, async (t) => {
      const { port, mails } = await startSmtpReceiver(t)
      const outcome = await channelTo(`smtp://127.0.0.1:${port}`)(
        sendingTo(config, { alert: { ...DOWN, name } }),
      )
      assert.equal(outcome.kind, 'sent')
      assert.equal(mails[0]?.headers.get('subject')?.replaceAll('\u2060', ''), `${name} is down`)
      assert.ok(mails[0]?.text.includes(`${name} is down`))
      assert.ok(!mails[0]?.html.includes('<script>'))
    })
  }
})

describe('a login', { concurrency: true }, () => {
  const user = 'user@example.com'
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(PASSWORD)}`
  const asksForLogin = {
    ...certificate,
    disabledCommands: [],
    onAuth(
      auth: { username?: string | undefined; password?: string | null | undefined },
      _: unknown,
      done: (error: Error | null, response?: { user: string }) => void,
    ) {
      if (auth.username === user && auth.password === PASSWORD) done(null, { user })
      else done(smtpReply(535, `wrong password ${auth.password}`))
    },
  }
  const authority = encodeURIComponent(certificate.cert)
  const trusted = `tls.rejectUnauthorized=true&tls.servername=localhost&tls.ca=${authority}`

  test('goes over STARTTLS with a certificate that is verified', async (t) => {
    const { port, mails } = await startSmtpReceiver(t, asksForLogin)
    const outcome = await channelTo(`smtp://${credentials}@127.0.0.1:${port}?${trusted}`)(sendingTo(config))
    assert.equal(outcome.kind, 'sent', outcome.detail)
    assert.equal(mails[0]?.isSecure, true)
    assert.equal(mails[0]?.user, user)
  })

  test('goes over TLS from the start with smtps', async (t) => {
    const { port, mails } = await startSmtpReceiver(t, { ...asksForLogin, secure: true })
    const outcome = await channelTo(`smtps://${credentials}@127.0.0.1:${port}?${trusted}`)(sendingTo(config))
    assert.equal(outcome.kind, 'sent', outcome.detail)
    assert.equal(mails[0]?.isSecure, true)
    assert.equal(mails[0]?.user, user)
  })

  test('is not given to a server whose certificate no authority vouches for', async (t) => {
    const { port, mails } = await startSmtpReceiver(t, asksForLogin)
    const url = `smtp://${credentials}@127.0.0.1:${port}?tls.rejectUnauthorized=true`
    const outcome = await channelTo(url)(sendingTo(config))
    assert.equal(outcome.kind, 'retry')
    assert.match(outcome.detail, /self-signed certificate/)
    assert.equal(mails.length, 0)
  })

  test('is not given in the clear where TLS is required', async (t) => {
    const onAuth = t.mock.fn()
    const { port } = await startSmtpReceiver(t, { ...asksForLogin, onAuth, disabledCommands: ['STARTTLS'] })
    const url = `smtp://${credentials}@127.0.0.1:${port}?requireTLS=true`
    const outcome = await channelTo(url)(sendingTo(config))
    assert.notEqual(outcome.kind, 'sent')
    assert.match(outcome.detail, /STARTTLS/)
    assert.equal(onAuth.mock.callCount(), 0)
  })

  test('that fails is rejected, without the password even when the server repeats it', async (t) => {
    const { port } = await startSmtpReceiver(t, asksForLogin)
    const outcome = await channelTo(`smtp://${encodeURIComponent(user)}:n0t-it@127.0.0.1:${port}`)(
      sendingTo(config),
    )
    assert.equal(outcome.kind, 'rejected')
    assert.equal(outcome.statusCode, 535)
    assert.match(outcome.detail, /wrong password \*{8}/)
  })
})

describe('a relay of a local network, without a login', { concurrency: true }, () => {
  const relays: [what: string, options: SMTPServerOptions, query: string, isSecure: boolean][] = [
    ['with a certificate of its own', { ...certificate, disabledCommands: ['AUTH'] }, '', true],
    ['without STARTTLS', {}, '', false],
    ['whose STARTTLS is not wanted', { ...certificate, disabledCommands: ['AUTH'] }, '?tls=off', false],
    [
      'whose TLS is required',
      { ...certificate, disabledCommands: ['AUTH'] },
      '?tls=required&verify=false',
      true,
    ],
  ]
  for (const [what, options, query, isSecure] of relays) {
    test(`${what} gets the mail`, async (t) => {
      const names: string[] = []
      const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, session, done) => {
        names.push(session.hostNameAppearsAs as string)
        done()
      }
      const { port, mails } = await startSmtpReceiver(t, { ...options, onMailFrom })
      const outcome = await channelTo(
        `smtp://relay.example:${port}${query}`,
        await nearRelay(t),
      )(sendingTo(config))
      assert.equal(outcome.kind, 'sent', outcome.detail)
      assert.equal(mails[0]?.isSecure, isSecure)
      assert.deepEqual(names, ['upbeat.example'])
    })
  }

  test('gets the mail in the clear when it offers STARTTLS and cannot do it', async (t) => {
    const commands: string[] = []
    const { port } = await startRelay(t, (line) => {
      commands.push(line)
      if (line.startsWith('EHLO')) return '250-relay.example\r\n250 STARTTLS'
      if (line === 'STARTTLS') return '454 TLS not available due to temporary reason'
      if (line === 'DATA') return '354 go on'
      return line === '.' || /^(MAIL|RCPT|QUIT)/.test(line) ? '250 fine' : null
    })
    const outcome = await channelTo(`smtp://relay.example:${port}`, await nearRelay(t))(sendingTo(config))
    assert.equal(outcome.kind, 'sent', outcome.detail)
    assert.ok(commands.includes('STARTTLS'))
  })

  /** A server that answers each line by `reply`, if at all. */
  async function startRelay(scope: Pick<Scope, 'after'>, reply: (line: string) => string | null) {
    const server = net.createServer((socket) => {
      socket.on('error', () => {})
      socket.write('220 relay.example\r\n')
      createInterface(socket).on('line', (line) => {
        const said = reply(line)
        if (said !== null) socket.write(`${said}\r\n`)
      })
    })
    scope.after(async () => void server.close())
    return { port: await listen(server) }
  }

  test('gets none where its certificate must be verified', async (t) => {
    const { port, mails } = await startSmtpReceiver(t, { ...certificate, disabledCommands: ['AUTH'] })
    const url = `smtp://relay.example:${port}?tls=required`
    const outcome = await channelTo(url, await nearRelay(t))(sendingTo(config))
    assert.equal(outcome.kind, 'retry')
    assert.match(outcome.detail, /certificate/)
    assert.equal(mails.length, 0)
  })
})

describe('a mail that the server does not take', { concurrency: true }, () => {
  const replies: [code: number, kind: string][] = [
    [421, 'retry'],
    [450, 'retry'],
    [452, 'retry'],
    [503, 'retry'],
    [550, 'rejected'],
    [554, 'rejected'],
  ]
  for (const [code, kind] of replies) {
    test(`${code} for the recipient is ${kind}`, async (t) => {
      const { port } = await startSmtpReceiver(t, {
        onRcptTo: (_address, _session, done) => done(smtpReply(code, 'not today')),
      })
      const outcome = await channelTo(`smtp://127.0.0.1:${port}`)(sendingTo(config))
      assert.equal(outcome.kind, kind)
      assert.equal(outcome.statusCode, code)
      assert.match(outcome.detail, /not today/)
    })

    test(`${code} for the message is ${kind}`, async (t) => {
      const { port } = await startSmtpReceiver(t, {
        onData: (stream, _session, done) => {
          stream.resume()
          stream.once('end', () => done(smtpReply(code, 'not this one')))
        },
      })
      const outcome = await channelTo(`smtp://127.0.0.1:${port}`)(sendingTo(config))
      assert.equal(outcome.kind, kind)
      assert.equal(outcome.statusCode, code)
    })
  }

  test('a greeting that refuses is judged by its code', async (t) => {
    const { port } = await startSmtpReceiver(t, { onConnect: (_, done) => done(smtpReply(421, 'too busy')) })
    const outcome = await channelTo(`smtp://127.0.0.1:${port}`)(sendingTo(config))
    assert.equal(outcome.kind, 'retry')
    assert.equal(outcome.statusCode, 421)
  })
})

describe('a mail server in trouble', () => {
  /** A server that never says what SMTP expects; `speak` gets every connection. */
  async function startMute(scope: { after: (close: () => void) => void }, speak: (socket: Socket) => void) {
    const sockets: Socket[] = []
    const server = net.createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      speak(socket)
    })
    scope.after(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return { port: await listen(server), sockets }
  }

  test('a greeting that never comes is tried again, and the connection is closed', {
    timeout: HANG_GUARD_MS,
  }, async (t) => {
    const clock = turnClock(t)
    const connected = nextConnection()
    const closed = Promise.withResolvers<void>()
    const { port } = await startMute(t, (socket) => socket.resume().once('close', () => closed.resolve()))
    const sending = channelTo(`smtp://127.0.0.1:${port}`)(sendingTo(config))
    await connected
    await clock.pass(HANG_GUARD_MS)
    const outcome = await sending
    assert.equal(outcome.kind, 'retry')
    assert.match(outcome.detail, /no answer within 300 s|Greeting never received/)
    await closed.promise
  })

  test('a greeting that drips for ever is bounded too', async (t) => {
    const clock = turnClock(t)
    const greeting = nextConnection().then((socket) => new Promise((resolve) => socket.once('data', resolve)))
    let drip: NodeJS.Timeout | undefined
    t.after(() => clearInterval(drip))
    const { port } = await startMute(t, (socket) => {
      drip = setInterval(() => socket.write('220-still here\r\n'), 20)
    })
    const sending = channelTo(`smtp://127.0.0.1:${port}`)(sendingTo(config))
    await greeting
    await clock.pass(HANG_GUARD_MS)
    assert.equal((await sending).kind, 'retry')
  })

  test('a refused connection is tried again', async (t) => {
    const port = await closedPort(t)
    const outcome = await channelTo(`smtp://127.0.0.1:${port}`)(sendingTo(config))
    assert.equal(outcome.kind, 'retry')
    assert.equal(outcome.statusCode, null)
    assert.equal(outcome.detail, `connection refused by 127.0.0.1:${port}`)
  })

  test('a stop of ours ends the attempt at once', async (t) => {
    const controller = new AbortController()
    const { port } = await startMute(t, () => controller.abort())
    const outcome = await channelTo(`smtp://127.0.0.1:${port}`)(
      sendingTo(config, { signal: controller.signal }),
    )
    assert.deepEqual(outcome, {
      kind: 'retry',
      statusCode: null,
      detail: 'interrupted',
      retryAfterSeconds: null,
    })
  })

  test('without SMTP_URL the log says what to do', async () => {
    assert.deepEqual(await emailChannel(network, null, SITE_URL, HANG_GUARD_MS)(sendingTo(config)), {
      kind: 'rejected',
      statusCode: null,
      detail: 'mail is not set up: set SMTP_URL',
    })
  })
})
