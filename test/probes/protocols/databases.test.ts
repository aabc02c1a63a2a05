import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { SPOKEN_DATABASES } from '../../support/databases/spoken.ts'
import {
  type Deed,
  type LineServer,
  type LineServerOptions,
  type Step,
  startLineServer,
} from '../../support/line-servers/line-server.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import { turnClock } from '../../support/time/turned-clock.ts'

const authority = createAuthority('Databases')
const certificate = authority.issue({ names: ['127.0.0.1'] })
const expired = authority.issue({ names: ['127.0.0.1'], commonName: 'shop.example', validForDays: -3.5 })
const network = testNetwork({ extraAuthorities: [authority.pem] })
const USER = { name: 'watcher', password: 'pa ss"wörd-7' }
const SIGNED_IN = { username: USER.name, password: USER.password }

type Settings = Partial<ProbeSettings> & { options?: MonitorOptions; username?: string; password?: string }
type Tried = CheckResult & { server: LineServer }

/** A server that offers no TLS, where the usual one does. */
const PLAIN = { tls: undefined } as unknown as LineServerOptions

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
const expecting = (source: 'answer' | 'json', target: string | number, property?: string): Assertion => ({
  ...{ source, comparison: 'equals', target, severity: 'down' },
  ...(property !== undefined && { property }),
})

for (const spoken of SPOKEN_DATABASES) {
  const { type, name, speak, query, late } = spoken
  const steps = Object.keys(spoken.waiting) as Step[]
  const usual: LineServerOptions = spoken.needsTls ? { tls: 'starttls' } : {}
  const lookAt = async (
    t: TestContext,
    server: LineServerOptions = {},
    { options, ...settings }: Settings = {},
    scheme: string = server.tls === 'implicit' && spoken.secureScheme ? spoken.secureScheme : type,
  ): Promise<Tried> => {
    const started = await startLineServer(t, speak, { certificate, user: USER, ...usual, ...server })
    const url = `${scheme}://127.0.0.1:${started.port}`
    // Where no scheme says TLS, an option does.
    const told: MonitorOptions =
      server.tls === 'implicit' && !spoken.secureScheme
        ? { security: 'implicit', ...options }
        : { ...options }
    const result = await check(type, { url, ...SIGNED_IN, ...settings, options: told } as Settings, {
      network,
    })
    await started.allClosed()
    return { ...result, server: started }
  }
  const tls: LineServerOptions['tls'] = late ? 'starttls' : 'implicit'
  const asking: Settings = { options: { query } }
  const doing = (step: Step, deed: Deed): LineServerOptions => ({
    ...(step === 'starttls' && { tls: 'starttls' }),
    instead: { [step]: deed },
  })

  describe(`a check of the type ${type}`, () => {
    it('signs in without TLS where none is offered, with a note where it would have been taken', async (t) => {
      if (spoken.needsTls) return
      const result = await lookAt(t)
      assert.deepEqual(said(result), ['up', null])
      const note = `${name}: the server offers no TLS: the connection was not encrypted`
      assert.equal(result.note, late ? note : undefined)
      assert.deepEqual([result.phases?.tlsMs, result.certificate], [null, null])
      assert.notEqual(result.phases?.firstByteMs ?? null, null)
    })

    it('signs in over TLS alone where that is offered, and reads the certificate', async (t) => {
      const result = await lookAt(t, { tls }, asking)
      assert.deepEqual([...said(result), result.note], ['up', null, undefined])
      assert.notEqual(result.certificate, null)
      assert.notEqual(result.phases?.tlsMs ?? null, null)
      const plain = result.server.heard.filter(({ isSecret }) => !isSecret).map(({ line }) => line)
      assert.ok(plain.length <= 1 && plain.every((line) => !line.includes(USER.name)), plain.join())
    })

    it('refuses a certificate that has expired, or takes it unverified and warns', async (t) => {
      const result = await lookAt(t, { tls, certificate: expired })
      assert.deepEqual(said(result), ['down', 'certificate expired 3 days ago (CN=shop.example)'])
      assert.ok(result.server.heard.every(({ line }) => !line.includes(USER.name)))
      const unverified = await lookAt(
        t,
        { tls, certificate: expired },
        { options: { tls: { verify: false } } },
      )
      assert.deepEqual(said(unverified), ['degraded', 'certificate expired 3 days ago'])
    })

    it('is asked again where its server takes other key exchanges', async (t) => {
      const result = await lookAt(t, { tls, tlsOptions: { ecdhCurve: 'X448' } })
      assert.deepEqual([...said(result), result.server.accepted()], ['up', null, 2])
    })

    it('judges the first value of its query and the rows', async (t) => {
      const { answer, path, value } = spoken.found
      const assertions = [expecting('answer', answer), expecting('json', value, path)]
      assert.deepEqual(said(await lookAt(t, {}, { options: { query, assertions } })), ['up', null])
      const other = [expecting('answer', 'another')]
      const result = await lookAt(t, {}, { options: { query, assertions: other } })
      assert.deepEqual(said(result), ['down', `answer is "${answer}" (expected "another")`])
    })

    it('tells a sign-in that is refused, without its password', async (t) => {
      const result = await lookAt(t, {}, { password: 'other-word' })
      assert.deepEqual(said(result), ['down', `${name}: sign-in refused ("${spoken.refused}")`])
      const echo = { says: spoken.refusal(`no ${USER.password} here`) }
      const echoed = await lookAt(t, doing('sign-in', echo))
      assert.equal(echoed.errorMessage, `${name}: sign-in refused ("no ******** here")`)
    })

    it('tells a query that fails, without the texts in it, and takes leave', async (t) => {
      const [, quoted = ''] = /['"]([^'"]{8,})['"]/.exec(spoken.secretQuery) ?? []
      const failing = doing('query', { says: spoken.refusal(`no such thing near ${quoted}`) })
      const result = await lookAt(t, failing, { options: { query: spoken.secretQuery } })
      assert.deepEqual(said(result), ['down', `${name}: query failed ("no such thing near ********")`])
    })

    it('reads no more rows, and no more bytes, than it says', async (t) => {
      const many = await lookAt(t, doing('query', { says: spoken.rows(1_001, 'x') }), asking)
      assert.deepEqual(said(many), ['down', `${name}: the query gives more than 1,000 rows`])
      const just = await lookAt(t, doing('query', { says: spoken.rows(1_000, 'x') }), {
        options: {
          query,
          assertions: [
            {
              ...{ source: 'json', comparison: 'count_equals', target: 1_000, severity: 'down' },
              ...(spoken.list !== undefined && { property: spoken.list }),
            },
          ],
        },
      })
      assert.deepEqual(said(just), ['up', null])
      const long = await lookAt(t, doing('query', { says: spoken.rows(10, 'x'.repeat(200_000)) }), asking)
      assert.deepEqual(said(long), ['down', `${name}: the query gives more than 1,048,576 bytes`])
    })

    for (const step of steps) {
      it(`tells nonsense at the step ${step}`, async (t) => {
        for (const says of ['HTTP/1.1 400 Bad Request\r\n\r\n', Buffer.alloc(64), Buffer.alloc(64, 0xff)]) {
          const deed = { says, thenEnds: true }
          const result = await lookAt(t, doing(step, deed), asking)
          assert.equal(result.status, 'down')
          assert.match(
            result.errorMessage ?? '',
            new RegExp(`^${name}: |^connection reset`),
            result.errorMessage ?? '',
          )
        }
      })

      it(`tells a server that hangs up or resets at the step ${step}, without an answer`, async (t) => {
        const closed = await lookAt(t, doing(step, 'hangs up'), asking)
        const awaited = step === steps[0] ? 'greeting' : 'answer'
        assert.equal(
          closed.errorMessage,
          `${name}: 127.0.0.1:${closed.server.port} closed the connection before its ${awaited}`,
        )
        const reset = await lookAt(t, doing(step, 'resets'), asking)
        assert.equal(reset.errorMessage, `connection reset by 127.0.0.1:${reset.server.port}`)
        for (const { status, responseTimeMs, address } of [closed, reset])
          assert.deepEqual([status, responseTimeMs, address], ['down', null, '127.0.0.1'])
      })

      it(`ends an answer without an end at the step ${step}`, async (t) => {
        for (const repeats of spoken.endless) {
          const result = await lookAt(t, doing(step, { repeats }), asking)
          assert.equal(result.status, 'down')
          assert.match(result.errorMessage ?? '', new RegExp(`^${name}: `))
        }
      })

      it(`fails at its limit where the server is silent at the step ${step}, and says so`, async (t) => {
        const clock = turnClock(t)
        const server = await startLineServer(t, speak, {
          ...{ certificate, user: USER, ...usual, ...doing(step, 'silence') },
        })
        const url = `${type}://127.0.0.1:${server.port}`
        const settings = { ...SIGNED_IN, ...asking, url, request_timeout_seconds: 1 }
        const result = await clock.passLimit(
          1_000,
          check(type, settings as Settings, { network }),
          server.reached,
        )
        assert.deepEqual(said(result), ['down', `no answer within 1 s (${spoken.waiting[step]})`])
      })
    }

    it('is up where the server does not say good-bye, or hangs up at once', async (t) => {
      for (const deed of ['hangs up', 'resets', { says: 'nonsense\r\n' }] as const)
        assert.deepEqual(said(await lookAt(t, doing('farewell', deed), asking)), ['up', null])
    })

    it('asks no address that the policy refuses', async (t) => {
      const server = await startLineServer(t, speak)
      const refusing = testNetwork({ privateTargets: 'deny' })
      const url = `${type}://127.0.0.1:${server.port}`
      const result = await check(type, { url, ...SIGNED_IN } as Settings, { network: refusing })
      assert.deepEqual([...said(result), server.accepted()], ['down', 'address 127.0.0.1 is not allowed', 0])
    })

    if (!late) return

    it('fails where TLS is wanted and none is offered', async (t) => {
      const result = await lookAt(t, PLAIN, { options: { security: 'starttls' } })
      assert.deepEqual(said(result), ['down', `${name}: the server offers no TLS`])
      assert.ok(result.server.heard.every(({ line }) => !line.includes(USER.name)))
    })

    it('asks for no TLS where the monitor wants none', async (t) => {
      const result = await lookAt(t, { tls: 'starttls' }, { options: { security: 'none' } })
      assert.deepEqual([...said(result), result.note, result.certificate], ['up', null, undefined, null])
    })

    it('reads nothing as if it had come over TLS that came before', async (t) => {
      if (late === 'behind the greeting') return
      const injected = {
        says: Buffer.concat([bytesOf(late.agrees), spoken.refusal('injected')]),
        thenTls: true,
      }
      const result = await lookAt(t, doing('starttls', injected))
      assert.deepEqual(said(result), [
        'down',
        `${name}: the server went on without TLS after it had agreed to TLS`,
      ])
      assert.ok(result.server.heard.every(({ line }) => !line.includes(USER.name)))
    })

    for (const way of spoken.clearWays)
      it(`does not send a password that others would read (${way}), unless it is told to`, async (t) => {
        const unsafe = await lookAt(t, { ...PLAIN, signIns: [way] })
        assert.deepEqual(said(unsafe), [
          'down',
          `${name}: not signed in, as the server offers no TLS and the password would be sent in the clear`,
        ])
        assert.ok(unsafe.server.heard.every(({ line }) => !line.includes('pa ss')))
        const told = await lookAt(t, { ...PLAIN, signIns: [way] }, { options: { security: 'none' } })
        assert.deepEqual(said(told), ['up', null])
        const safe = await lookAt(t, { signIns: [way], tls: 'starttls' })
        assert.deepEqual(said(safe), ['up', null])
      })

    for (const way of spoken.ways)
      it(`signs in by ${way}`, async (t) => {
        assert.deepEqual(said(await lookAt(t, { signIns: [way] })), ['up', null])
        const wrong = await lookAt(t, { signIns: [way] }, { password: 'other-word' })
        assert.deepEqual(said(wrong), ['down', `${name}: sign-in refused ("${spoken.refused}")`])
      })

    if (spoken.needsTls) return

    it('tells a server that takes no password', async (t) => {
      const result = await lookAt(t, { signIns: ['another'] })
      assert.deepEqual(said(result), [
        'down',
        `${name}: the server offers no sign-in with a user name and a password`,
      ])
    })
  })
}

function bytesOf(text: string | Buffer): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text
}
