import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import type { ProbeSettings } from '../../src/core/monitors/probe-settings.ts'
import { speakAmqp } from '../support/brokers/amqp.ts'
import {
  type BrokerDialogue,
  type BrokerFacts,
  type BrokerServerOptions,
  type Step,
  startBroker,
} from '../support/brokers/broker-server.ts'
import { speakKafka } from '../support/brokers/kafka.ts'
import { speakMqtt } from '../support/brokers/mqtt.ts'
import { speakNats } from '../support/brokers/nats.ts'
import type { Deed } from '../support/line-servers/line-server.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { testNetwork } from '../support/servers/targets-settings.ts'
import type { Case, Group } from './case.ts'

const authority = createAuthority('Brokers of the catalogue')
const network = testNetwork({ extraAuthorities: [authority.pem] })
const expired = authority.issue({ names: ['127.0.0.1'], commonName: 'shop.example', validForDays: -3.5 })
const USER = { name: 'watcher', password: 'sesame-7' }
const SIGNED_IN = { username: USER.name, password: USER.password }

type Speak = (facts: BrokerFacts) => BrokerDialogue
const SPEAK: Record<'mqtt' | 'amqp' | 'nats' | 'kafka', Speak> = {
  mqtt: speakMqtt,
  amqp: speakAmqp,
  nats: speakNats,
  kafka: (facts) => speakKafka(facts),
}
type Type = keyof typeof SPEAK
type Settings = { path?: string } & Partial<ProbeSettings> &
  Partial<typeof SIGNED_IN> & { options?: MonitorOptions }
type Broker = BrokerServerOptions & { speak?: Speak }

/** A check of a broker that knows one user, over a connection that nobody else reads. */
function of(
  type: Type,
  name: string,
  cause: string | null,
  broker: Broker,
  { path = '', ...settings }: Settings = {},
): Case {
  return {
    ...{ name, type, status: cause === null ? 'up' : 'down', cause },
    start: async (scope) => {
      const { speak = SPEAK[type], ...options } = broker
      const { port, reached } = await startBroker(scope, speak, { user: USER, ...options })
      return {
        settings: {
          ...{ url: `${type}://127.0.0.1:${port}${path}`, ...SIGNED_IN },
          ...{ options: { security: 'none' }, ...settings },
        } as Partial<ProbeSettings>,
        ...{ network, authority: authority.pem, words: { address: `127.0.0.1:${port}` } },
        saidAll: () => reached,
      }
    },
  }
}

const doing = (step: Step, deed: Deed): Broker => ({ instead: { [step]: deed } })
const says = (text: string): Deed => ({ says: text })
const on = (options: MonitorOptions = {}): Settings => ({
  options: { security: 'none', topic: 'hall', ...options },
})
const PUBLISHING = on({ publish: 'are you there?' })
/** Everybody is let in. */
const ANYBODY: Broker = { speak: (facts) => speakNats({ ...facts, user: null }) }
const WRONG = { password: 'sesame-8' }
const elsewhere: Speak = (facts) => speakKafka(facts, { members: [{ host: '169.254.169.254', port: 9092 }] })

/** Checks that speak with brokers of messages. */
export const brokers: Group = {
  title: 'Brokers of messages',
  cases: [
    of('mqtt', 'The broker knows another password', 'MQTT: sign-in refused ("5 not authorized")', {}, WRONG),
    of('amqp', 'The same', 'AMQP: sign-in refused ("403 ACCESS_REFUSED - Login was refused")', {}, WRONG),
    of(
      'nats',
      'The same',
      `NATS: sign-in refused ("-ERR 'Authorization Violation'")`,
      {},
      {
        ...WRONG,
        options: { security: 'none' },
      },
    ),
    of('kafka', 'The same', 'Kafka: sign-in refused ("Authentication failed")', {}, WRONG),
    of(
      'amqp',
      'There is no such virtual host',
      'AMQP: sign-in refused ("530 NOT_ALLOWED - vhost /missing not found")',
      {},
      { path: '/%2Fmissing' },
    ),
    of(
      'mqtt',
      'Something else listens there',
      'MQTT: answer to CONNECT is "HTTP/1.1 400 Bad Request" (expected CONNACK)',
      doing('sign-in', says('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ),
    of(
      'amqp',
      'The server speaks another version of AMQP',
      'AMQP: answer to the protocol header is "41 4d 51 50 03 01 00 00" (expected Start of AMQP 0-9-1)',
      doing('sign-in', { says: Buffer.from('AMQP\x03\x01\x00\x00', 'latin1'), thenEnds: true }),
    ),
    of(
      'nats',
      'Something else listens there',
      'NATS: greeting is "220 mail.example ESMTP" (expected INFO)',
      doing('greeting', says('220 mail.example ESMTP\r\n')),
    ),
    of(
      'kafka',
      'Something else listens there',
      'Kafka: answer is "HTTP/1.1 400 Bad Request" (expected an answer of Kafka)',
      doing('sign-in', says('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ),
    of('nats', 'The server offers no TLS: up, with a note', null, ANYBODY, { username: '', options: {} }),
    of(
      'nats',
      'The same, and a user would sign in',
      'NATS: not signed in, as the server offers no TLS and the password would be sent in the clear',
      {},
      { options: {} },
    ),
    of(
      'nats',
      'The server, or somebody between, says more before TLS begins',
      'NATS: the server went on without TLS after it had agreed to TLS',
      {
        tls: 'starttls',
        certificate: expired,
        ...doing('greeting', { says: 'INFO {"tls_required":true}\r\n-ERR\r\n', thenTls: true }),
      },
      { options: {} },
    ),
    of(
      'mqtt',
      'The certificate has expired',
      'certificate expired 3 days ago (CN=shop.example)',
      { tls: 'implicit', certificate: expired },
      { options: { security: 'implicit' } },
    ),
    of(
      'mqtt',
      'The user name has a NUL',
      'MQTT: the user name or the password has a character that cannot be sent',
      {},
      { username: 'a\0b' },
    ),
    of(
      'mqtt',
      'The user may not read the topic',
      'MQTT: subscription refused ("128 failure")',
      { denies: 'subscribe' },
      on(),
    ),
    of(
      'amqp',
      'There is no such exchange',
      `AMQP: subscription refused ("404 NOT_FOUND - no exchange 'amq.topic' in vhost '/'")`,
      { denies: 'subscribe' },
      on(),
    ),
    of(
      'nats',
      'The user may not write to the topic',
      `NATS: publishing refused ("-ERR 'Permissions Violation for Publish to "hall"'")`,
      { denies: 'publish' },
      PUBLISHING,
    ),
    of(
      'kafka',
      'A broker says that another one is at an address that checks must not connect to',
      'Kafka: broker 1 says it is at 169.254.169.254:9092, which is not allowed',
      { speak: elsewhere },
      on(),
    ),
    of(
      'kafka',
      'The broker takes no password',
      'Kafka: the server offers no sign-in with a user name and a password',
      { speak: (facts) => speakKafka(facts, { mechanisms: ['GSSAPI'] }) },
    ),
    of(
      'mqtt',
      'The message is another one than an assertion expects',
      'answer is "off" (expected "on")',
      { kept: ['off'] },
      on({ assertions: [{ source: 'answer', comparison: 'equals', target: 'on', severity: 'down' }] }),
    ),
    of(
      'mqtt',
      'Others send a thousand messages before the published one comes back',
      'MQTT: the published message is not among the first 1,000',
      { others: Array.from({ length: 1_000 }, (_, at) => `message ${at}`) },
      PUBLISHING,
    ),
    of(
      'amqp',
      'The server goes on and on without a message',
      'AMQP: no message within 20,000 parts',
      doing('message', { repeats: Buffer.from([8, 0, 0, 0, 0, 0, 0, 0xce]) }),
      PUBLISHING,
    ),
    of(
      'mqtt',
      'The message is larger than what is read',
      'MQTT: no message within 4,194,304 bytes',
      doing('message', { repeats: Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]) }),
      PUBLISHING,
    ),
    of(
      'amqp',
      'The server breaks the rules of its protocol',
      'AMQP: invalid answer',
      doing('message', { repeats: 'a' }),
      PUBLISHING,
    ),
    of(
      'amqp',
      'The server hangs up before it lets anybody in',
      'AMQP: <address> closed the connection before its answer',
      doing('sign-in', 'hangs up'),
    ),
    of(
      'kafka',
      'The connection is reset in the middle',
      'connection reset by <address>',
      doing('subscribe', 'resets'),
      on(),
    ),
    {
      ...of(
        'mqtt',
        'The broker says nothing',
        'no answer within <limit> s (signing in)',
        doing('sign-in', 'silence'),
      ),
      atLimit: true,
    },
    {
      ...of(
        'mqtt',
        'Nobody sends a message',
        'no answer within <limit> s (waiting for the first message)',
        { others: ['late'], ...doing('message', 'silence') },
        on(),
      ),
      atLimit: true,
    },
    {
      ...of(
        'amqp',
        'The published message does not come back',
        'no answer within <limit> s (waiting for the published message)',
        doing('message', 'silence'),
        PUBLISHING,
      ),
      atLimit: true,
    },
  ],
}
