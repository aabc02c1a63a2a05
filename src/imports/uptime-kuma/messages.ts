import { said } from '../../core/language/said.ts'
import { MAX_TIMEOUT_SECONDS } from '../../core/monitors/monitor.ts'
import { type MonitorType, portOfScheme } from '../../core/monitors/monitor-types.ts'
import { type MonitorFacts, urlOfHost } from '../draft-monitor.ts'
import { expect, expected } from '../expectations.ts'
import { type Fields, isFields, isOn, numberOf, textOf, textsOf } from '../fields.ts'
import type { Rule } from '../reasons.ts'
import { equalQueryOf } from './json-query.ts'

/** A message is waited for there as long as this part of the interval. */
const WAIT_SHARE = 0.8
/** Ways to sign in to Kafka that there are here. */
const MECHANISMS = ['', 'none', 'plain', 'scram-sha-256', 'scram-sha-512']
/** A name or an address, behind the scheme that may stand before it. */
const HOST = /^(?:(mqtts?|wss?):\/\/)?(.*)$/i

const isMqtt = ({ type }: Fields) => textOf(type) === 'mqtt'
const isKafka = ({ type }: Fields) => textOf(type) === 'kafka-producer'

export const MESSAGE_BLOCKERS: Rule[] = [
  [
    said('judges its message by conditions: checks here judge it by assertions'),
    (monitor) => isMqtt(monitor) && !['', '[]'].includes(textOf(monitor.conditions)),
  ],
  [
    said('judges its message by a JSON query that no JSONPath says'),
    (monitor) => isMqtt(monitor) && asksJson(monitor) && equalQueryOf(monitor) === null,
  ],
  [
    said('signs in to Kafka by a mechanism that checks here do not have'),
    (monitor) => isKafka(monitor) && !MECHANISMS.includes(textOf(saslOf(monitor).mechanism).toLowerCase()),
  ],
  [
    said('names no broker of Kafka, or sends an empty message'),
    (monitor) => isKafka(monitor) && (brokersOf(monitor).length === 0 || messageOf(monitor) === ''),
  ],
]

export const MESSAGE_DIFFERENCES: Rule[] = [
  [
    said('asked several brokers of Kafka: here the first one is asked, and says where the others are'),
    (monitor) => isKafka(monitor) && brokersOf(monitor).length > 1,
  ],
  [
    said('had its topic created: here it must exist'),
    (monitor) =>
      isKafka(monitor) &&
      isOn(monitor.kafka_producer_allow_auto_topic_creation ?? monitor.kafkaProducerAllowAutoTopicCreation),
  ],
  [said('only sent its message to Kafka: here it must come back'), (monitor) => isKafka(monitor)],
]

/** The broker of a monitor, and the message that it waits for. */
export function messageFacts(
  monitor: Fields,
  type: MonitorType,
  intervalSeconds: number,
): Partial<MonitorFacts> {
  return isKafka(monitor) ? kafkaFacts(monitor) : mqttFacts(monitor, type, intervalSeconds)
}

function mqttFacts(monitor: Fields, type: MonitorType, intervalSeconds: number): Partial<MonitorFacts> {
  const [, written = type, host = ''] = HOST.exec(textOf(monitor.hostname)) ?? []
  const scheme = written.toLowerCase()
  const port = numberOf(monitor.port) ?? portOfScheme(type, scheme)
  const wanted = textOf(monitor.mqtt_success_message, monitor.mqttSuccessMessage)
  const contains = wanted === '' ? [] : [expected(wanted, expect('answer', 'contains', { target: wanted }))]
  return {
    url: `${urlOfHost(scheme, host)}:${port}${pathOf(monitor, scheme)}`,
    username: textOf(monitor.mqtt_username, monitor.mqttUsername) || null,
    password: textOf(monitor.mqtt_password, monitor.mqttPassword) || null,
    own: { topic: textOf(monitor.mqtt_topic, monitor.mqttTopic) || null },
    timeoutSeconds: Math.min(intervalSeconds * WAIT_SHARE, MAX_TIMEOUT_SECONDS),
    expected: asksJson(monitor)
      ? [{ words: textOf(monitor.json_path), assertions: ofMessage(monitor) }]
      : contains,
  }
}

/** Only a WebSocket has one. */
function pathOf(monitor: Fields, scheme: string): string {
  const path = textOf(monitor.mqtt_websocket_path, monitor.mqttWebsocketPath)
  if (!scheme.startsWith('ws') || path === '') return ''
  return path.startsWith('/') ? path : `/${path}`
}

function asksJson(monitor: Fields): boolean {
  return textOf(monitor.mqtt_check_type, monitor.mqttCheckType) === 'json-query'
}

/** Assertions about a body, about the message. */
function ofMessage(monitor: Fields): NonNullable<MonitorFacts['expected']>[number]['assertions'] {
  return (equalQueryOf(monitor) ?? []).map((assertion) =>
    assertion.source === 'body' ? { ...assertion, source: 'answer' } : assertion,
  )
}

function kafkaFacts(monitor: Fields): Partial<MonitorFacts> {
  const sasl = saslOf(monitor)
  const [first = ''] = brokersOf(monitor)
  const isSecure = isOn(monitor.kafka_producer_ssl ?? monitor.kafkaProducerSsl)
  return {
    url: `kafka://${first.replace(/^[a-z]+:\/\//i, '')}`,
    username: textOf(sasl.username) || null,
    password: textOf(sasl.password) || null,
    own: {
      topic: textOf(monitor.kafka_producer_topic, monitor.kafkaProducerTopic) || null,
      publish: messageOf(monitor),
    },
    ...(isSecure && { security: 'implicit' as const }),
  }
}

function brokersOf(monitor: Fields): string[] {
  return textsOf(monitor.kafka_producer_brokers ?? monitor.kafkaProducerBrokers)
}

function messageOf(monitor: Fields): string {
  return textOf(monitor.kafka_producer_message, monitor.kafkaProducerMessage)
}

function saslOf(monitor: Fields): Fields {
  const options = monitor.kafka_producer_sasl_options ?? monitor.kafkaProducerSaslOptions
  try {
    const read = typeof options === 'string' ? JSON.parse(options) : options
    return isFields(read) ? read : {}
  } catch {
    return {}
  }
}
