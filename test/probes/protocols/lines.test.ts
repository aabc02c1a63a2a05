import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { ProbedType } from '../../../src/core/monitors/monitor-types.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { speakFtp } from '../../support/line-servers/ftp.ts'
import { speakImap } from '../../support/line-servers/imap.ts'
import {
  type Deed,
  type Dialogue,
  type DialogueOptions,
  type LineServer,
  type LineServerOptions,
  STEPS,
  type Step,
  startLineServer,
} from '../../support/line-servers/line-server.ts'
import { speakPop3 } from '../../support/line-servers/pop3.ts'
import { speakSmtp } from '../../support/line-servers/smtp.ts'
import { speakSsh } from '../../support/line-servers/ssh.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import { turnClock } from '../../support/time/turned-clock.ts'

const authority = createAuthority('Line Servers')
const certificate = authority.issue({ names: ['127.0.0.1'] })
const expired = authority.issue({ names: ['127.0.0.1'], commonName: 'shop.example', validForDays: -3.5 })
const network = testNetwork({ extraAuthorities: [authority.pem] })
const USER = { name: 'watcher', password: 'pa ss"wörd-7' }

type Spoken = {
  speak: (options: DialogueOptions) => Dialogue
  name: string
  /** The first line of an honest server that counts. */
  banner: string
  /** The causes of nonsense, by the step at which it is said. */
  wanted: Partial<Record<Step, string>>
  /** An answer that refuses. */
  refusal: string
  /** One that agrees to STARTTLS. */
  go: string
  /** The words for STARTTLS. */
  startTls: string
  /** Lines after each of which another one must come. */
  endless: Partial<Record<Step, string>>
}

/** Every protocol of lines, with the server that it is tried against. */
const SPOKEN: Partial<Record<ProbedType, Spoken>> = {
  smtp: {
    speak: speakSmtp,
    name: 'SMTP',
    banner: '220 mail.example ESMTP Test',
    wanted: {
      greeting: 'greeting is "nonsense" (expected 220)',
      ask: 'answer to EHLO is "nonsense" (expected 250)',
      starttls: 'answer to STARTTLS is "nonsense" (expected 220)',
    },
    refusal: '554 5.7.1 go away',
    go: '220 go',
    startTls: 'STARTTLS',
    endless: { greeting: '220-a\r\n', ask: '250-a\r\n' },
  },
  imap: {
    speak: speakImap,
    name: 'IMAP',
    banner: '* OK [CAPABILITY IMAP4rev1] Test ready',
    wanted: {
      greeting: 'greeting is "nonsense" (expected * OK)',
      ask: 'answer to CAPABILITY is "nonsense" (expected a1 OK)',
      starttls: 'answer to STARTTLS is "nonsense" (expected a2 OK)',
    },
    refusal: 'a3 NO go away',
    go: 'a2 OK go',
    startTls: 'STARTTLS',
    endless: { ask: '* a\r\n', starttls: '* a\r\n' },
  },
  pop3: {
    speak: speakPop3,
    name: 'POP3',
    banner: '+OK Test ready.',
    wanted: {
      greeting: 'greeting is "nonsense" (expected +OK)',
      starttls: 'answer to STLS is "nonsense" (expected +OK)',
    },
    refusal: '-ERR go away',
    go: '+OK go',
    startTls: 'STLS',
    endless: { ask: '+OK\r\n' },
  },
  ftp: {
    speak: speakFtp,
    name: 'FTP',
    banner: '220-Welcome',
    wanted: {
      greeting: 'greeting is "nonsense" (expected 220)',
      starttls: 'answer to AUTH TLS is "nonsense" (expected 234)',
    },
    refusal: '530 go away',
    go: '234 go',
    startTls: 'AUTH TLS',
    endless: { greeting: '120 soon\r\n', ask: '211-a\r\n' },
  },
}

type Settings = Partial<ProbeSettings> & { options?: MonitorOptions; username?: string; password?: string }
type Tried = CheckResult & { server: LineServer }

async function look(
  t: TestContext,
  type: ProbedType,
  server: LineServerOptions = {},
  { options, ...settings }: Settings = {},
): Promise<Tried> {
  const { speak } = SPOKEN[type] as Spoken
  const started = await startLineServer(t, speak, { certificate, ...server })
  const scheme = server.tls === 'implicit' ? `${type}s` : type
  const url = `${scheme}://127.0.0.1:${started.port}`
  const result = await check(type, { url, ...settings, ...(options && { options }) } as Settings, { network })
  await started.allClosed()
  return { ...result, server: started }
}

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
const signedIn = { username: USER.name, password: USER.password }
const expecting = (target: string): Assertion[] => [
  { source: 'answer', comparison: 'equals', target, severity: 'down' },
]

/** The words for silence at each step. */
const WAITING = {
  greeting: 'connected, waiting for the first byte',
  ask: 'reading the answer',
  starttls: 'reading the answer',
  'sign-in': 'signing in',
} as const satisfies Partial<Record<Step, string>>

for (const [type, spoken] of Object.entries(SPOKEN) as [ProbedType, Spoken][]) {
  const { name, banner, wanted, refusal, go } = spoken
  const lookAt = (t: TestContext, server?: LineServerOptions, settings?: Settings) =>
    look(t, type, server, settings)
  const doing = (step: Step, deed: Deed): LineServerOptions => ({
    ...{ tls: 'starttls', user: USER, instead: { [step]: deed } },
  })

  describe(`a check of the type ${type}`, () => {
    it('is up without TLS where none is offered, with a note, and takes leave', async (t) => {
      const result = await lookAt(t)
      assert.deepEqual(said(result), ['up', null])
      assert.equal(result.note, `${name}: the server offers no STARTTLS: the connection was not encrypted`)
      assert.deepEqual([result.phases?.tlsMs, result.certificate], [null, null])
      assert.notEqual(result.phases?.firstByteMs ?? null, null)
      assert.match(result.server.heard.at(-1)?.line ?? '', /QUIT|LOGOUT/)
    })

    it('says nothing of that where the monitor wants none', async (t) => {
      const result = await lookAt(t, { tls: 'starttls' }, { options: { security: 'none' } })
      assert.deepEqual([...said(result), result.note], ['up', null, undefined])
      assert.ok(result.server.heard.every(({ isSecret }) => !isSecret))
    })

    for (const security of ['auto', 'starttls'] as const)
      it(`is up over STARTTLS (${security}), signs in over it alone, and reads the certificate`, async (t) => {
        const result = await lookAt(
          t,
          { tls: 'starttls', user: USER },
          { ...signedIn, options: { security } },
        )
        assert.deepEqual([...said(result), result.note], ['up', null, undefined])
        assert.notEqual(result.certificate, null)
        assert.notEqual(result.phases?.tlsMs ?? null, null)
        const before = result.server.heard.filter(({ isSecret }) => !isSecret).map(({ line }) => line)
        assert.match(before.at(-1) ?? '', /STARTTLS|STLS|AUTH TLS/)
        assert.ok(before.length <= 2, before.join())
      })

    it('is up over TLS from the first byte, by its scheme or by the option', async (t) => {
      const byScheme = await lookAt(t, { tls: 'implicit', user: USER }, signedIn)
      assert.deepEqual([...said(byScheme), byScheme.note], ['up', null, undefined])
      const server = await startLineServer(t, spoken.speak, { tls: 'implicit', certificate })
      const url = `${type}://127.0.0.1:${server.port}`
      const byOption = await check(type, { url, options: { security: 'implicit' } } as Settings, { network })
      assert.deepEqual(said(byOption), ['up', null])
    })

    it('refuses a certificate that has expired, or takes it unverified and warns', async (t) => {
      for (const tls of ['starttls', 'implicit'] as const) {
        const result = await lookAt(t, { tls, certificate: expired, user: USER }, signedIn)
        assert.deepEqual(said(result), ['down', 'certificate expired 3 days ago (CN=shop.example)'])
        assert.ok(result.server.heard.every(({ line }) => !line.includes(USER.name)))
        const unverified = await lookAt(
          t,
          { tls, certificate: expired },
          { options: { tls: { verify: false } } },
        )
        assert.deepEqual(said(unverified), ['degraded', 'certificate expired 3 days ago'])
      }
    })

    it('warns of a certificate that expires soon', async (t) => {
      const soon = authority.issue({ names: ['127.0.0.1'], validForDays: 5.5 })
      const result = await lookAt(t, { tls: 'starttls', certificate: soon })
      assert.deepEqual(said(result), ['degraded', 'certificate expires in 5 days'])
    })

    it('is asked again where a server of STARTTLS takes other key exchanges', async (t) => {
      const result = await lookAt(t, { tls: 'starttls', tlsOptions: { ecdhCurve: 'X448' } })
      assert.deepEqual([...said(result), result.server.accepted()], ['up', null, 2])
    })

    it('judges its greeting, and the days of its certificate', async (t) => {
      const fine = await lookAt(t, { tls: 'starttls' }, { options: { assertions: expecting(banner) } })
      assert.deepEqual(said(fine), ['up', null])
      const other = await lookAt(t, {}, { options: { assertions: expecting('another') } })
      assert.deepEqual(said(other), ['down', `answer is "${banner}" (expected "another")`])
      const days: Assertion = {
        source: 'certificate_days',
        comparison: 'at_least',
        target: 90,
        severity: 'degraded',
      }
      const early = await lookAt(t, { tls: 'implicit' }, { options: { assertions: [days] } })
      assert.deepEqual(said(early), ['degraded', 'certificate has 59 days left (expected at least 90)'])
    })

    it('does not send a password that would be read by others, unless it is told to', async (t) => {
      const server: LineServerOptions = { user: USER }
      const unsafe = await lookAt(t, server, signedIn)
      assert.match(unsafe.errorMessage ?? '', /^\w+: not signed in, as the server offers no STARTTLS/)
      assert.ok(unsafe.server.heard.every(({ line }) => !/watcher|d2F0Y2hlc|AUTH|LOGIN/.test(line)))
      const told = await lookAt(t, server, { ...signedIn, options: { security: 'none' } })
      assert.deepEqual(said(told), ['up', null])
    })

    it('tells a sign-in that is refused, without its password', async (t) => {
      const result = await lookAt(t, { tls: 'implicit', user: USER }, { ...signedIn, password: 'other-word' })
      assert.equal(result.status, 'down')
      assert.match(result.errorMessage ?? '', new RegExp(`^${name}: sign-in refused \\("`))
      const echo = `${refusal} ${USER.password} ${Buffer.from(USER.password).toString('base64')}\r\n`
      const echoed = await lookAt(t, doing('sign-in', { says: echo }), signedIn)
      assert.match(echoed.errorMessage ?? '', /sign-in refused \(".*\*{8} \*{8}/)
    })

    it('sends no user whose name or password would begin another line', async (t) => {
      for (const user of [{ username: 'a\r\nQUIT' }, { username: 'a', password: 'b\nc' }]) {
        const result = await lookAt(t, { tls: 'implicit', user: USER }, user)
        assert.deepEqual(said(result), [
          'down',
          `${name}: the user name or the password has a character that cannot be sent`,
        ])
        assert.ok(result.server.heard.every(({ line }) => !/^(AUTH|USER|PASS|\S+ LOGIN)/.test(line)))
      }
    })

    it('fails where STARTTLS is wanted and refused', async (t) => {
      const result = await lookAt(t, { user: USER }, { ...signedIn, options: { security: 'starttls' } })
      assert.match(result.errorMessage ?? '', new RegExp(`^${name}: answer to ${spoken.startTls} is "`))
      assert.ok(result.server.heard.every(({ line }) => !line.includes(USER.name)))
    })

    it('reads nothing as if it had come over TLS that came before', async (t) => {
      const injected = { says: `${go}\r\n${refusal}\r\n`, thenTls: true }
      const result = await lookAt(t, doing('starttls', injected), signedIn)
      assert.deepEqual(said(result), [
        'down',
        `${name}: the server went on without TLS after it had agreed to STARTTLS`,
      ])
      assert.ok(result.server.heard.every(({ line }) => !line.includes(USER.name)))
    })

    for (const [step, cause] of Object.entries(wanted) as [Step, string][])
      it(`tells nonsense at the step ${step}`, async (t) => {
        assert.deepEqual(said(await lookAt(t, doing(step, { says: 'nonsense\r\n' }), signedIn)), [
          'down',
          `${name}: ${cause}`,
        ])
      })

    for (const [step, repeats] of Object.entries(spoken.endless) as [Step, string][])
      it(`ends an answer that goes on line by line at the step ${step}`, async (t) => {
        assert.deepEqual(said(await lookAt(t, doing(step, { repeats }), signedIn)), [
          'down',
          `${name}: the answer is longer than an answer of this protocol may be`,
        ])
      })

    for (const step of STEPS.filter((one) => one !== 'query' && one !== 'farewell')) {
      it(`tells a server that hangs up or resets at the step ${step}, without an answer`, async (t) => {
        const closed = await lookAt(t, doing(step, 'hangs up'), signedIn)
        const before = step === 'greeting' ? 'greeting' : 'answer'
        assert.equal(
          closed.errorMessage,
          `${name}: 127.0.0.1:${closed.server.port} closed the connection before its ${before}`,
        )
        const reset = await lookAt(t, doing(step, 'resets'), signedIn)
        assert.equal(reset.errorMessage, `connection reset by 127.0.0.1:${reset.server.port}`)
        for (const { status, responseTimeMs, address } of [closed, reset])
          assert.deepEqual([status, responseTimeMs, address], ['down', null, '127.0.0.1'])
      })

      it(`ends an answer without an end at the step ${step}`, async (t) => {
        const line = await lookAt(t, doing(step, { repeats: 'a' }), signedIn)
        assert.deepEqual(said(line), [
          'down',
          `${name}: the answer is longer than an answer of this protocol may be`,
        ])
      })
    }

    for (const [step, at] of Object.entries(WAITING) as [Step, string][])
      it(`fails at its limit where the server is silent at the step ${step}, and says so`, async (t) => {
        const clock = turnClock(t)
        const server = await startLineServer(t, spoken.speak, { certificate, ...doing(step, 'silence') })
        const settings = {
          ...signedIn,
          url: `${type}://127.0.0.1:${server.port}`,
          request_timeout_seconds: 1,
        }
        const checking = check(type, settings, { network })
        const result = await clock.passLimit(1_000, checking, server.reached)
        assert.deepEqual(said(result), ['down', `no answer within 1 s (${at})`])
      })

    it('is up where the server does not say good-bye, or hangs up at once', async (t) => {
      for (const deed of ['hangs up', 'resets', { says: 'nonsense\r\n' }] as const)
        assert.deepEqual(said(await lookAt(t, doing('farewell', deed), signedIn)), ['up', null])
    })

    it('tells a port that is no server of this kind', async (t) => {
      const { tls, ...plain } = doing('greeting', {
        says: 'HTTP/1.1 400 Bad Request\r\n\r\n',
        thenEnds: true,
      })
      const result = await lookAt(t, plain)
      assert.match(result.errorMessage ?? '', new RegExp(`^${name}: greeting is "HTTP/1.1 400 Bad Request"`))
    })

    it('asks no address that the policy refuses', async (t) => {
      const server = await startLineServer(t, spoken.speak)
      const refusing = testNetwork({ privateTargets: 'deny' })
      const url = `${type}://127.0.0.1:${server.port}`
      const result = await check(type, { url }, { network: refusing })
      assert.deepEqual([...said(result), server.accepted()], ['down', 'address 127.0.0.1 is not allowed', 0])
    })
  })
}

describe('a check of the type smtp', () => {
  it('signs in by LOGIN where the server knows no PLAIN, and by nothing where it knows neither', async (t) => {
    const server: LineServerOptions = { tls: 'implicit', user: USER, signIns: ['LOGIN'] }
    assert.deepEqual(said(await look(t, 'smtp', server, signedIn)), ['up', null])
    const wrong = await look(t, 'smtp', server, { ...signedIn, password: 'other-word' })
    assert.match(wrong.errorMessage ?? '', /^SMTP: sign-in refused \("535 /)
    const none = await look(t, 'smtp', { ...server, signIns: ['XOAUTH2'] }, signedIn)
    assert.equal(none.errorMessage, 'SMTP: the server offers no sign-in with a user name and a password')
  })

  it('greets a server that knows no EHLO by HELO', async (t) => {
    const speak = (options: DialogueOptions): Dialogue => {
      const { greeting, answer } = speakSmtp(options)
      return { greeting, answer: (line) => answer(line.replace(/^EHLO/, 'XXXX')) }
    }
    const server = await startLineServer(t, speak)
    const result = await check('smtp', { url: `smtp://127.0.0.1:${server.port}` })
    assert.deepEqual(said(result), ['up', null])
    assert.deepEqual(
      server.heard.map(({ line }) => line.split(' ')[0]),
      ['EHLO', 'HELO', 'QUIT'],
    )
  })
})

describe('a check of the type imap', () => {
  it('signs in by AUTHENTICATE where LOGIN is switched off, and by nothing where both are', async (t) => {
    const server: LineServerOptions = { tls: 'implicit', user: USER, signIns: ['PLAIN'] }
    assert.deepEqual(said(await look(t, 'imap', server, signedIn)), ['up', null])
    const none = await look(t, 'imap', { ...server, signIns: [] }, signedIn)
    assert.equal(none.errorMessage, 'IMAP: the server offers no sign-in with a user name and a password')
  })

  it('sends texts of ASCII in quotes, and others behind their length', async (t) => {
    const user = { name: 'wa"tch\\er', password: 'pässwörd' }
    const server: LineServerOptions = { tls: 'implicit', user }
    const result = await look(t, 'imap', server, { username: user.name, password: user.password })
    assert.deepEqual(said(result), ['up', null])
    const [line] = result.server.heard.filter(({ line }) => line.includes('LOGIN'))
    assert.equal(line?.line, 'a3 LOGIN "wa\\"tch\\\\er" {10}')
  })

  it('is up where the server knows us already', async (t) => {
    const preauth: LineServerOptions = { instead: { greeting: { says: '* PREAUTH welcome\r\n' } } }
    assert.deepEqual(said(await look(t, 'imap', preauth)), ['up', null])
  })
})

describe('a check of the type ftp', () => {
  it('waits for a server that says that it is not ready yet', async (t) => {
    const late: LineServerOptions = { instead: { greeting: { says: '120 soon\r\n220 ready\r\n' } } }
    assert.deepEqual(said(await look(t, 'ftp', late)), ['up', null])
  })

  it('is signed in where the name needs no password', async (t) => {
    const open: LineServerOptions = { tls: 'implicit', instead: { 'sign-in': { says: '230 welcome\r\n' } } }
    assert.deepEqual(said(await look(t, 'ftp', open, { username: 'anonymous' })), ['up', null])
  })
})

describe('a check of the type ssh', () => {
  const at = async (t: TestContext, greeting?: Deed, settings: Settings = {}) => {
    const server = await startLineServer(t, speakSsh, greeting ? { instead: { greeting } } : {})
    const url = `ssh://127.0.0.1:${server.port}`
    const result = await check('ssh', { url, ...settings } as Settings)
    await server.allClosed()
    return { ...result, server }
  }

  it('is up with a server that says what it is, behind other lines, and says what we are', async (t) => {
    const result = await at(t, undefined, { options: { assertions: expecting('SSH-2.0-Test_1.0') } })
    assert.deepEqual([...said(result), result.note], ['up', null, undefined])
    assert.deepEqual(
      result.server.heard.map(({ line }) => line),
      ['SSH-2.0-Upbeat'],
    )
  })

  it('takes a server that speaks version 1 as well, and none that speaks it alone', async (t) => {
    assert.deepEqual(said(await at(t, { says: 'SSH-1.99-Old\r\n' })), ['up', null])
    assert.deepEqual(said(await at(t, { says: 'SSH-1.5-Older\n' })), [
      'down',
      'SSH: greeting is "SSH-1.5-Older" (expected SSH-2.0)',
    ])
  })

  it('tells a server of something else, hostile ones, and silence', async (t) => {
    const http = await at(t, { says: 'HTTP/1.1 400 Bad Request\r\n\r\n' })
    assert.equal(http.errorMessage, 'SSH: greeting is "HTTP/1.1 400 Bad Request" (expected SSH-2.0)')
    for (const repeats of ['a', 'hello\r\n'])
      assert.deepEqual(said(await at(t, { repeats })), [
        'down',
        'SSH: the answer is longer than an answer of this protocol may be',
      ])
    const long = await at(t, { says: `SSH-2.0-${'a'.repeat(300)}\r\n` })
    assert.match(long.errorMessage ?? '', /^SSH: greeting is "SSH-2\.0-a+…" \(expected SSH-2\.0\)$/)
    const closed = await at(t, 'hangs up')
    assert.match(
      closed.errorMessage ?? '',
      /^SSH: 127\.0\.0\.1:\d+ closed the connection before its greeting$/,
    )
    const reset = await at(t, 'resets')
    assert.match(reset.errorMessage ?? '', /^connection reset by 127\.0\.0\.1:\d+$/)
  })
})
