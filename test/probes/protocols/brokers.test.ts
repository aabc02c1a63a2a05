import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import type { ProbedType } from '../../../src/core/monitors/monitor-types.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../../src/core/monitors/probe-settings.ts'
import { speakAmqp } from '../../support/brokers/amqp.ts'
import {
  type BrokerDialogue,
  type BrokerFacts,
  type BrokerServer,
  type BrokerServerOptions,
  STEPS,
  type Step,
  startBroker,
} from '../../support/brokers/broker-server.ts'
import { speakKafka } from '../../support/brokers/kafka.ts'
import { speakMqtt } from '../../support/brokers/mqtt.ts'
import { speakNats } from '../../support/brokers/nats.ts'
import type { Deed } from '../../support/line-servers/line-server.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import { turnClock } from '../../support/time/turned-clock.ts'

const authority = createAuthority('Brokers')
const certificate = authority.issue({ names: ['127.0.0.1'] })
const expired = authority.issue({ names: ['127.0.0.1'], commonName: 'shop.example', validForDays: -3.5 })
const network = testNetwork({ extraAuthorities: [authority.pem] })
const USER = { name: 'watcher', password: 'sesame-seven' }
const SIGNED_IN = { username: USER.name, password: USER.password }

type Spoken = {
  speak: (facts: BrokerFacts) => BrokerDialogue
  name: string
  /** The scheme that says TLS, and how it begins then; null where an option alone says it. */
  secure: string | null
  how: 'implicit' | 'starttls'
  /** Why a wrong password is refused, a subscription, and a message; null where the broker says nothing. */
  refusals: { signIn: string; subscribe: string; publish: string | null }
  /** The causes of nonsense in place of the first answer and of a message. */
  nonsense: { first: string; message: string }
  /** The beginning of a message that has no end. */
  endless: Buffer
  /** The step in which it waits for the first answer. */
  first: Step
}

/** Every protocol of brokers, with the server that it is tried against. */
const SPOKEN: Partial<Record<ProbedType, Spoken>> = {
  mqtt: {
    speak: speakMqtt,
    name: 'MQTT',
    secure: 'mqtts',
    how: 'implicit',
    refusals: {
      signIn: 'MQTT: sign-in refused ("5 not authorized")',
      subscribe: 'MQTT: subscription refused ("128 failure")',
      publish: null,
    },
    nonsense: {
      first: 'MQTT: answer to CONNECT is "nonsense" (expected CONNACK)',
      message: 'MQTT: no message within 4,194,304 bytes',
    },
    endless: Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f, 0, 4]),
    first: 'sign-in',
  },
  amqp: {
    speak: speakAmqp,
    name: 'AMQP',
    secure: 'amqps',
    how: 'implicit',
    refusals: {
      signIn: 'AMQP: sign-in refused ("403 ACCESS_REFUSED - Login was refused")',
      subscribe: `AMQP: subscription refused ("404 NOT_FOUND - no exchange 'amq.topic' in vhost '/'")`,
      publish: 'AMQP: publishing refused ("403 ACCESS_REFUSED - no write")',
    },
    nonsense: {
      first: 'AMQP: answer to the protocol header is "nonsense" (expected Start of AMQP 0-9-1)',
      message: 'AMQP: invalid answer',
    },
    endless: Buffer.from([8, 0, 0, 0, 0, 0, 0, 0xce]),
    first: 'sign-in',
  },
  nats: {
    speak: speakNats,
    name: 'NATS',
    secure: 'tls',
    how: 'starttls',
    refusals: {
      signIn: `NATS: sign-in refused ("-ERR 'Authorization Violation'")`,
      subscribe: `NATS: subscription refused ("-ERR 'Permissions Violation for Subscription to "hall"'")`,
      publish: `NATS: publishing refused ("-ERR 'Permissions Violation for Publish to "hall"'")`,
    },
    nonsense: {
      first: 'NATS: greeting is "nonsense" (expected INFO)',
      message: 'NATS: invalid answer',
    },
    endless: Buffer.from('+OK\r\n'),
    first: 'greeting',
  },
  kafka: {
    speak: (facts) => speakKafka(facts),
    name: 'Kafka',
    secure: null,
    how: 'implicit',
    refusals: {
      signIn: 'Kafka: sign-in refused ("Authentication failed")',
      subscribe: 'Kafka: subscription refused ("29 TOPIC_AUTHORIZATION_FAILED")',
      publish: 'Kafka: publishing refused ("29 TOPIC_AUTHORIZATION_FAILED")',
    },
    nonsense: {
      first: 'Kafka: answer is "nonsense" (expected an answer of Kafka)',
      message: 'Kafka: answer is "nonsense" (expected an answer of Kafka)',
    },
    endless: Buffer.from([0, 0x3f, 0xff, 0xff]),
    first: 'sign-in',
  },
}

type Settings = Partial<ProbeSettings> & { options?: MonitorOptions; username?: string; password?: string }
type Tried = CheckResult & { server: BrokerServer }

const said = ({ status, errorMessage }: CheckResult) => [status, errorMessage]
const heardBy = ({ heard }: BrokerServer) => Buffer.concat(heard.map(({ bytes }) => bytes)).toString('latin1')
const equals = (target: string): Assertion[] => [
  { source: 'answer', comparison: 'equals', target, severity: 'down' },
]

for (const [type, spoken] of Object.entries(SPOKEN) as [ProbedType, Spoken][]) {
  const { name, how, refusals } = spoken
  /** Plain, and without the fear that somebody reads along. */
  const plain = (options: MonitorOptions = {}): MonitorOptions => ({ security: 'none', ...options })
  const settingsAt = (port: number, { options, ...settings }: Settings): Settings => ({
    ...{ url: `${type}://127.0.0.1:${port}`, ...settings },
    ...(options && { options }),
  })

  async function look(t: TestContext, server: BrokerServerOptions, settings: Settings = {}): Promise<Tried> {
    const started = await startBroker(t, spoken.speak, { certificate, ...server })
    const result = await check(type, settingsAt(started.port, settings), { network })
    await started.allClosed()
    return { ...result, server: started }
  }
  const doing = (step: Step, deed: Deed): BrokerServerOptions => ({ user: USER, instead: { [step]: deed } })
  const overTls = (options: MonitorOptions = {}): MonitorOptions => ({ security: how, ...options })
  const TOPIC = { ...SIGNED_IN, options: plain({ topic: 'hall' }) }
  const PUBLISHING = { ...SIGNED_IN, options: plain({ topic: 'hall', publish: 'are you there?' }) }

  describe(`a check of the type ${type}`, () => {
    it('is up where the broker lets it in, with phases, and sends nothing about topics', async (t) => {
      const result = await look(t, {}, { options: plain() })
      assert.deepEqual([...said(result), result.note], ['up', null, undefined])
      assert.deepEqual([result.phases?.tlsMs, result.certificate], [null, null])
      assert.notEqual(result.phases?.firstByteMs ?? null, null)
      assert.doesNotMatch(heardBy(result.server), /hall/)
    })

    it('signs in, and tells a sign-in that is refused, without its password', async (t) => {
      const known = await look(t, { user: USER }, { ...SIGNED_IN, options: plain() })
      assert.deepEqual(said(known), ['up', null])
      const other = await look(t, { user: USER }, { ...SIGNED_IN, password: 'other-word', options: plain() })
      assert.deepEqual(said(other), ['down', refusals.signIn])
      assert.notEqual(other.responseTimeMs, null)
    })

    it('reads the certificate, refuses one that has expired, and signs in over TLS alone', async (t) => {
      const fine = await look(t, { tls: how, user: USER }, { ...SIGNED_IN, options: overTls() })
      assert.deepEqual(said(fine), ['up', null])
      assert.notEqual(fine.certificate, null)
      assert.notEqual(fine.phases?.tlsMs ?? null, null)
      assert.ok(fine.server.heard.every(({ isSecret }) => isSecret))
      const wrong = await look(
        t,
        { tls: how, certificate: expired, user: USER },
        { ...SIGNED_IN, options: overTls() },
      )
      assert.deepEqual(said(wrong), ['down', 'certificate expired 3 days ago (CN=shop.example)'])
      assert.doesNotMatch(heardBy(wrong.server), /watcher/)
      const unverified = overTls({ tls: { verify: false } })
      assert.deepEqual(said(await look(t, { tls: how, certificate: expired }, { options: unverified })), [
        'degraded',
        'certificate expired 3 days ago',
      ])
    })

    if (spoken.secure !== null)
      it('speaks TLS where its scheme says so', async (t) => {
        const server = await startBroker(t, spoken.speak, { certificate, tls: how })
        const result = await check(type, { url: `${spoken.secure}://127.0.0.1:${server.port}` }, { network })
        assert.deepEqual(said(result), ['up', null])
        assert.notEqual(result.certificate, null)
      })

    it('waits for a message of others, and judges it', async (t) => {
      const others = ['{"temperature": 21}', 'later']
      const fine = await look(t, { others, user: USER }, TOPIC)
      assert.deepEqual(said(fine), ['up', null])
      const json: Assertion = {
        ...{
          source: 'json',
          property: '$.temperature',
          comparison: 'less_than',
          target: 20,
          severity: 'down',
        },
      }
      const warm = await look(t, { others }, { options: plain({ topic: 'hall', assertions: [json] }) })
      assert.deepEqual(said(warm), ['down', '$.temperature is 21 (expected less than 20)'])
      const options = plain({ topic: 'hall', assertions: equals('later') })
      assert.deepEqual(said(await look(t, { others }, { options })), [
        'down',
        'answer is "{"temperature": 21}" (expected "later")',
      ])
    })

    it('publishes, and waits until that comes back', async (t) => {
      const others = type === 'kafka' ? [] : ['something', 'else']
      const result = await look(t, { others, user: USER }, PUBLISHING)
      assert.deepEqual(said(result), ['up', null])
      assert.match(heardBy(result.server), /are you there\?/)
      const long = 'long '.repeat(13_000)
      const judged = plain({ topic: 'hall', publish: long, assertions: equals(long.slice(1)) })
      const cut = await look(t, {}, { options: judged })
      assert.match(cut.errorMessage ?? '', /^answer is "\*{8} ?…" \(expected "/)
    })

    it('looks through a thousand messages for its own, and no further', async (t) => {
      if (type === 'kafka') return
      const others = Array.from({ length: 1_000 }, (_, at) => `other ${at}`)
      const result = await look(t, { others }, { options: plain({ topic: 'hall', publish: 'mine' }) })
      assert.deepEqual(said(result), ['down', `${name}: the published message is not among the first 1,000`])
    })

    it('tells what is refused', async (t) => {
      const denied = await look(t, { denies: 'subscribe', user: USER }, TOPIC)
      assert.deepEqual(said(denied), ['down', refusals.subscribe])
      if (refusals.publish === null) return
      const unpublished = await look(t, { denies: 'publish', user: USER }, PUBLISHING)
      assert.deepEqual(said(unpublished), ['down', refusals.publish])
    })

    it('sends no user with a NUL', async (t) => {
      const result = await look(t, {}, { username: 'a\0b', options: plain() })
      assert.deepEqual(said(result), [
        'down',
        `${name}: the user name or the password has a character that cannot be sent`,
      ])
    })

    it('tells nonsense in place of the first answer, and of a message', async (t) => {
      const first = await look(t, doing(spoken.first, { says: 'nonsense\r\n' }), TOPIC)
      assert.deepEqual(said(first), ['down', spoken.nonsense.first])
      const later = await look(
        t,
        doing('message', { says: 'nonsense\r\n'.repeat(9), thenEnds: true }),
        PUBLISHING,
      )
      assert.equal(later.status, 'down')
      assert.match(later.errorMessage ?? '', new RegExp(`^${name}: `))
    })

    it('ends what has no end', async (t) => {
      for (const repeats of [spoken.endless, Buffer.from('a'), Buffer.alloc(1)]) {
        const result = await look(t, doing('message', { repeats }), PUBLISHING)
        assert.equal(result.status, 'down')
        assert.match(result.errorMessage ?? '', new RegExp(`^${name}: `))
        const first = await look(t, doing(spoken.first, { repeats }), TOPIC)
        assert.equal(first.status, 'down')
        assert.match(first.errorMessage ?? '', new RegExp(`^${name}: `))
      }
    })

    const steps = STEPS.filter(
      (step) => step !== 'farewell' && (step !== 'greeting' || spoken.first === step),
    )
    /** A step in which the broker of this protocol has nothing to say cannot be cut. */
    const isSaid = (step: Step) => step !== 'publish' || type === 'kafka'
    for (const step of steps.filter(isSaid))
      it(`tells a broker that hangs up, resets or is silent at the step ${step}`, async (t) => {
        const closed = await look(t, doing(step, 'hangs up'), PUBLISHING)
        const awaited =
          { greeting: 'greeting', message: 'message', publish: 'message' }[step as string] ?? 'answer'
        const at = `127.0.0.1:${closed.server.port}`
        assert.equal(closed.errorMessage, `${name}: ${at} closed the connection before its ${awaited}`)
        const reset = await look(t, doing(step, 'resets'), PUBLISHING)
        assert.equal(reset.errorMessage, `connection reset by 127.0.0.1:${reset.server.port}`)
        for (const { status, responseTimeMs, address } of [closed, reset])
          assert.deepEqual([status, responseTimeMs, address], ['down', null, '127.0.0.1'])

        const clock = turnClock(t)
        const server = await startBroker(t, spoken.speak, doing(step, 'silence'))
        const checking = check(
          type,
          { ...settingsAt(server.port, PUBLISHING), request_timeout_seconds: 1 },
          { network },
        )
        const silent = await clock.passLimit(1_000, checking, server.reached)
        const waiting = {
          greeting: 'connected, waiting for the first byte',
          'sign-in': 'signing in',
          subscribe: 'waiting for the first message',
        }[step as string]
        assert.deepEqual(said(silent), [
          'down',
          `no answer within 1 s (${waiting ?? 'waiting for the published message'})`,
        ])
      })

    it('is up where the broker does not say good-bye, or hangs up at once', async (t) => {
      for (const deed of ['hangs up', 'resets', { says: 'nonsense\r\n' }] as const)
        assert.deepEqual(said(await look(t, doing('farewell', deed), PUBLISHING)), ['up', null])
    })
  })
}

describe('a check of the type mqtt', () => {
  const look = async (t: TestContext, server: BrokerServerOptions, options: MonitorOptions) => {
    const { port } = await startBroker(t, speakMqtt, server)
    return check('mqtt', { url: `mqtt://127.0.0.1:${port}`, options }, { network })
  }

  it('takes a message that was kept, but not for the one that it publishes', async (t) => {
    const kept = ['on']
    assert.deepEqual(said(await look(t, { kept }, { topic: 'hall/+', assertions: equals('on') })), [
      'up',
      null,
    ])
    const server = await startBroker(t, speakMqtt, { kept, denies: 'publish' })
    const clock = turnClock(t)
    const checking = check(
      'mqtt',
      {
        ...{ url: `mqtt://127.0.0.1:${server.port}`, request_timeout_seconds: 1 },
        options: { topic: 'hall', publish: 'on' },
      },
      { network },
    )
    const heard = async () => {
      while (!heardBy(server).includes('hallon')) await new Promise((resolve) => setImmediate(resolve))
    }
    const silent = await clock.passLimit(1_000, checking, heard())
    assert.deepEqual(said(silent), ['down', 'no answer within 1 s (waiting for the published message)'])
  })
})

describe('a check of the type nats', () => {
  const look = async (t: TestContext, server: BrokerServerOptions, settings: Settings = {}) => {
    const started = await startBroker(t, speakNats, { certificate, ...server })
    const result = await check('nats', { url: `nats://127.0.0.1:${started.port}`, ...settings } as Settings, {
      network,
    })
    return { ...result, server: started }
  }

  it('begins TLS where the server offers it, and says so where it does not', async (t) => {
    const secure = await look(t, { tls: 'starttls', user: USER }, SIGNED_IN)
    assert.deepEqual([...said(secure), secure.note], ['up', null, undefined])
    assert.ok(secure.server.heard.every(({ isSecret }) => isSecret))
    const plain = await look(t, {})
    assert.deepEqual(said(plain), ['up', null])
    assert.equal(plain.note, 'NATS: the server offers no TLS: the connection was not encrypted')
  })

  it('does not send a password that would be read by others, unless it is told to', async (t) => {
    const unsafe = await look(t, { user: USER }, SIGNED_IN)
    assert.match(unsafe.errorMessage ?? '', /^NATS: not signed in, as the server offers no TLS/)
    assert.doesNotMatch(heardBy(unsafe.server), /watcher/)
  })

  it('speaks TLS from the first byte where it is told to', async (t) => {
    assert.deepEqual(said(await look(t, { tls: 'implicit' }, { options: { security: 'implicit' } })), [
      'up',
      null,
    ])
  })

  it('reads nothing as if it had come over TLS that came before', async (t) => {
    const says = `INFO {"tls_required":true}\r\n-ERR 'go away'\r\n`
    const result = await look(t, { tls: 'starttls', instead: { greeting: { says, thenTls: true } } })
    assert.deepEqual(said(result), [
      'down',
      'NATS: the server went on without TLS after it had agreed to TLS',
    ])
  })
})

describe('a check of the type amqp', () => {
  it('enters the virtual host that the path names', async (t) => {
    const { port } = await startBroker(t, speakAmqp)
    const result = await check('amqp', { url: `amqp://127.0.0.1:${port}/%2Fmissing` }, { network })
    assert.deepEqual(said(result), [
      'down',
      'AMQP: sign-in refused ("530 NOT_ALLOWED - vhost /missing not found")',
    ])
  })
})
