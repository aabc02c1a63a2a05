import { phrase } from '../../language/phrase.ts'
import {
  CONNECTED_OVER_TLS,
  DIALLED,
  OF_MESSAGES,
  SECURITIES,
  SIGNED_IN_SETTINGS,
  type TypeEntry,
} from './entry.ts'

const BROKER = {
  ...CONNECTED_OVER_TLS,
  group: 'messages',
  // Several topics of one broker are several monitors.
  identity: ['url', 'name'],
  settings: SIGNED_IN_SETTINGS,
  answer: OF_MESSAGES,
} as const

/** The types that speak with brokers of messages (`src/probes/brokers`). */
export const MESSAGE_TYPES = {
  mqtt: {
    ...BROKER,
    word: 'MQTT',
    title: phrase('MQTT broker'),
    sentence: phrase('An MQTT broker lets you sign in, and a message arrives.'),
    icon: 'rss',
    place: 50,
    url: {
      ...DIALLED,
      schemes: ['mqtts', 'ws', 'wss', 'mqtt'],
      ports: { mqtt: 1883, mqtts: 8883, ws: 80, wss: 443 },
      secure: { mqtts: ['implicit'], wss: ['implicit'] },
      example: 'mqtt://broker.example.com',
    },
    security: ['none', 'implicit'],
    // A `+` is a whole level, and so is a `#`, which is the last one (MQTT 3.1.1, section 4.7.1).
    topics: { written: /^(?:(?:\+|[^+#/]*)\/)*(?:\+|#|[^+#/]*)$/, several: /[+#]/ },
    importNames: { 'uptime-kuma': ['mqtt'] },
    example: {
      name: 'Sensors',
      url: 'mqtts://broker.example.com',
      check_interval_minutes: 5,
      username: 'watcher',
      password: 'secret',
      options: {
        topic: 'sensors/hall',
        assertions: [{ source: 'json', property: '$.temperature', comparison: 'less_than', target: 30 }],
      },
    },
  },
  amqp: {
    ...BROKER,
    word: 'AMQP',
    title: phrase('AMQP broker'),
    sentence: phrase('An AMQP broker, such as RabbitMQ, lets you sign in, and a message arrives.'),
    icon: 'rabbit',
    place: 51,
    url: {
      ...DIALLED,
      schemes: ['amqps', 'amqp'],
      ports: { amqp: 5672, amqps: 5671 },
      example: 'amqp://rabbit.example.com',
    },
    security: ['none', 'implicit'],
    // An exchange and the key behind it, or a key alone. A word `*` or `#` stands for any.
    topics: { written: /^(?:[\w.:-]{1,127}\/[^/]+|[^/]+)$/, several: /(?:^|[./])[*#](?:$|\.)/ },
    importNames: {},
    example: {
      name: 'Orders',
      url: 'amqps://rabbit.example.com/shop',
      check_interval_minutes: 5,
      username: 'watcher',
      password: 'secret',
      options: { topic: 'health', publish: 'are you there?' },
    },
  },
  nats: {
    ...BROKER,
    word: 'NATS',
    title: phrase('NATS server'),
    sentence: phrase('A NATS server lets you sign in, and a message arrives.'),
    icon: 'send-horizontal',
    place: 52,
    url: {
      ...DIALLED,
      schemes: ['tls', 'nats'],
      ports: { nats: 4222, tls: 4222 },
      secure: { tls: ['starttls', 'implicit'] },
      example: 'nats://nats.example.com',
    },
    security: SECURITIES,
    // Words between dots; `*` stands for one, and `>` for all that follow.
    topics: { written: /^(?:(?:\*|[^\s.*>]+)\.)*(?:\*|>|[^\s.*>]+)$/, several: /[*>]/ },
    importNames: {},
    example: {
      name: 'Bus',
      url: 'tls://nats.example.com',
      check_interval_minutes: 5,
      username: 'watcher',
      password: 'secret',
      options: { topic: 'health.check', publish: 'are you there?' },
    },
  },
  kafka: {
    ...BROKER,
    word: 'Kafka',
    title: phrase('Kafka broker'),
    sentence: phrase('A Kafka broker lets you sign in, and a message arrives.'),
    icon: 'waypoints',
    place: 53,
    url: {
      ...DIALLED,
      schemes: ['kafka'],
      ports: { kafka: 9092 },
      example: 'kafka://kafka.example.com:9092',
    },
    security: ['none', 'implicit'],
    topics: { written: /^[\w.-]+$/ },
    importNames: { 'uptime-kuma': ['kafka-producer'] },
    example: {
      name: 'Events',
      url: 'kafka://kafka.example.com:9093',
      check_interval_minutes: 5,
      username: 'watcher',
      password: 'secret',
      options: { security: 'implicit', topic: 'health', publish: 'are you there?' },
    },
  },
} as const satisfies Record<string, TypeEntry>
