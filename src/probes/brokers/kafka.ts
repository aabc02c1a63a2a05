import { brokerRefused, noSignIn, signInRefused } from '../../core/monitors/types/protocol-causes.ts'
import type { User } from '../lines/protocol.ts'
import type { Talk } from '../lines/talk.ts'
import { type Cursor, Garbled } from '../packets/cursor.ts'
import { createScram } from '../signing-in/scram.ts'
import { type Broker, type BrokerMessage, BrokerRefusal, type BrokerSession, type Guest } from './broker.ts'
import { i16, i32, i64, text16, u8, u32 } from './fields.ts'
import { batchOf, messagesIn } from './kafka-records.ts'
import {
  type AskKafka,
  bytesIn,
  createAsk,
  errorNamed,
  KAFKA_NAME,
  listIn,
  listOf,
  textOrNull,
} from './kafka-wire.ts'

const UNSUPPORTED_MECHANISM = 33
const MAX_PARTITIONS = 1_000
const MAX_BROKERS = 32
/** A broker answers so late where there is nothing, so that it can be asked again. */
const FETCH_WAIT_MS = 1_000
const FETCH_BYTES = 1_048_576
const PRODUCE_WAIT_MS = 30_000
const LATEST = -1n
const NO_REPLICA = -1
const ALL_REPLICAS = -1

/** Ways to sign in, the best first. */
const MECHANISMS = { 'SCRAM-SHA-512': 'sha512', 'SCRAM-SHA-256': 'sha256', PLAIN: null } as const
type Mechanism = keyof typeof MECHANISMS

type Member = { id: number; host: string; port: number }
type Partition = { index: number; leader: number; error: number }
/** A partition and the offset from which it is read on. */
type Reading = { index: number; from: bigint }
type Leader = { ask: AskKafka; readings: Reading[] }

/** Kafka. Each broker that another one names is dialled as any address of a check is. */
export const KAFKA: Broker = {
  name: KAFKA_NAME,
  async signIn(talk, guest) {
    const { ask, mechanism } = await entered(talk, guest)
    // A listener that wants a sign-in, and got none, hangs up here at the latest.
    await ask('metadata', [listOf([]), u8(0)])
    return sessionOver(ask, guest, mechanism)
  },
}

/** A connection that is signed in, and by which mechanism; by none without a user. */
async function entered(talk: Talk, { user, isEncrypted, open }: Guest, known: Mechanism | null = null) {
  const ask = createAsk(talk)
  if (!user) return { ask, mechanism: null }
  const first: Mechanism = known ?? (isEncrypted ? 'PLAIN' : 'SCRAM-SHA-512')
  const offered = await agreeOn(ask, first)
  if (offered === null) {
    await prove(ask, user, first)
    return { ask, mechanism: first }
  }
  const other = (Object.keys(MECHANISMS) as Mechanism[]).find((one) => offered.includes(one))
  if (other === undefined || other === first) throw new BrokerRefusal(noSignIn(KAFKA_NAME))
  // A broker hangs up after a mechanism that it does not have.
  const again = createAsk(await open(null))
  if ((await agreeOn(again, other)) !== null) throw new BrokerRefusal(noSignIn(KAFKA_NAME))
  await prove(again, user, other)
  return { ask: again, mechanism: other }
}

/** The mechanisms that there are instead; null where the broker has this one. */
async function agreeOn(ask: AskKafka, mechanism: Mechanism): Promise<string[] | null> {
  const answer = await ask('mechanisms', [text16(mechanism)])
  const error = answer.int16()
  const offered = listIn(answer, (fields) => fields.text16())
  if (error === 0) return null
  if (error !== UNSUPPORTED_MECHANISM) throw new BrokerRefusal(signInRefused(KAFKA_NAME, errorNamed(error)))
  return offered
}

async function prove(ask: AskKafka, user: User, mechanism: Mechanism): Promise<void> {
  const say = async (text: string) => {
    const bytes = Buffer.from(text)
    const answer = await ask('authenticate', [u32(bytes.length), bytes])
    const [error, message] = [answer.int16(), textOrNull(answer)]
    if (error !== 0) throw new BrokerRefusal(signInRefused(KAFKA_NAME, message || errorNamed(error)))
    return bytesIn(answer).toString()
  }
  const hash = MECHANISMS[mechanism]
  if (hash === null) {
    await say(`\0${user.name}\0${user.password}`)
    return
  }
  const scram = createScram(hash, user)
  const final = await scram.final(await say(scram.first))
  if (final === null) throw new Garbled()
  if (!scram.isProven(await say(final))) throw new Garbled()
}

function sessionOver(first: AskKafka, guest: Guest, mechanism: Mechanism | null): BrokerSession {
  let leaders: Leader[] = []
  const buffered: BrokerMessage[] = []
  const pending = new Map<Leader, Promise<{ leader: Leader; messages: BrokerMessage[] }>>()
  let topicName = ''

  async function leaderAt({ id, host, port }: Member): Promise<AskKafka> {
    // One that the monitor names is not dialled twice.
    if (host === guest.place.host && port === guest.place.port) return first
    const talk = await guest.open({ who: `broker ${id}`, host, port })
    return (await entered(talk, guest, mechanism)).ask
  }

  return {
    async subscribe(topic, publishes) {
      topicName = topic
      const { members, partitions } = await membersOf(first, topic)
      const read = publishes ? partitions.slice(0, 1) : partitions
      const byLeader = Map.groupBy(read, ({ leader }) => leader)
      if (byLeader.size > MAX_BROKERS || read.length > MAX_PARTITIONS)
        throw refusedTopic(`more than ${MAX_PARTITIONS} partitions, or ${MAX_BROKERS} brokers`)
      leaders = []
      for (const [id, led] of byLeader) {
        const member = members.find((one) => one.id === id)
        if (!member) throw refusedTopic(errorNamed(5))
        const ask = await leaderAt(member)
        const readings = led.map(({ index }) => ({ index, from: 0n }))
        leaders.push({ ask, readings: publishes ? readings : await newest(ask, topic, readings) })
      }
    },
    async publish(topic, message) {
      const [leader] = leaders
      const [reading] = leader?.readings ?? []
      if (!leader || !reading) throw new Garbled()
      const batch = batchOf(message, Date.now())
      const partition = Buffer.concat([i32(reading.index), u32(batch.length), batch])
      const topics = listOf([Buffer.concat([text16(topic), listOf([partition])])])
      const answer = await leader.ask('produce', [i16(-1), i16(ALL_REPLICAS), i32(PRODUCE_WAIT_MS), topics])
      const [written] = partitionsIn(answer, (fields) => {
        const [error, offset] = [fields.int16(), fields.int64()]
        fields.int64()
        return { error, offset }
      })
      if (!written) throw new Garbled()
      if (written.error !== 0)
        throw new BrokerRefusal(brokerRefused(KAFKA_NAME, 'publishing', errorNamed(written.error)))
      reading.from = written.offset
    },
    async next() {
      for (;;) {
        const known = buffered.shift()
        if (known) return known
        for (const leader of leaders)
          if (!pending.has(leader)) {
            const fetching = fetchFrom(leader, topicName).then((messages) => ({ leader, messages }))
            // The others go on while one answers, and may end when nobody asks any more.
            fetching.catch(() => {})
            pending.set(leader, fetching)
          }
        const { leader, messages } = await Promise.race(pending.values())
        pending.delete(leader)
        buffered.push(...messages)
      }
    },
    // There is no word for it: whoever leaves hangs up.
    async leave() {},
  }
}

async function membersOf(
  ask: AskKafka,
  topic: string,
): Promise<{ members: Member[]; partitions: Partition[] }> {
  const answer = await ask('metadata', [listOf([text16(topic)]), u8(0)])
  answer.int32()
  const members = listIn(answer, (fields) => {
    const member = { id: fields.int32(), host: fields.text16(), port: fields.int32() }
    textOrNull(fields)
    return member
  })
  textOrNull(answer)
  answer.int32()
  const [found] = listIn(answer, (fields) => {
    const error = fields.int16()
    fields.text16()
    fields.byte()
    return { error, partitions: listIn(fields, partitionIn) }
  })
  if (!found) throw new Garbled()
  if (found.error !== 0) throw refusedTopic(errorNamed(found.error))
  const [headless] = found.partitions.filter(({ leader }) => leader < 0)
  if (headless) throw refusedTopic(`${errorNamed(headless.error)}, partition ${headless.index}`)
  return { members, partitions: found.partitions }
}

function partitionIn(fields: Cursor): Partition {
  const partition = { error: fields.int16(), index: fields.int32(), leader: fields.int32() }
  for (const _ of ['replicas', 'replicas in sync']) listIn(fields, (one) => one.int32())
  return partition
}

function refusedTopic(why: string): BrokerRefusal {
  return new BrokerRefusal(brokerRefused(KAFKA_NAME, 'subscription', why))
}

/** The offsets behind the last messages. */
async function newest(ask: AskKafka, topic: string, readings: readonly Reading[]): Promise<Reading[]> {
  const partitions = readings.map(({ index }) => Buffer.concat([i32(index), i64(LATEST)]))
  const topics = listOf([Buffer.concat([text16(topic), listOf(partitions)])])
  const answer = await ask('offsets', [i32(NO_REPLICA), topics])
  return partitionsIn(answer, (fields, index) => {
    const error = fields.int16()
    fields.int64()
    const from = fields.int64()
    if (error !== 0) throw refusedTopic(errorNamed(error))
    return { index, from }
  })
}

/** The messages that are there now, or arrive within a moment. */
async function fetchFrom({ ask, readings }: Leader, topic: string): Promise<BrokerMessage[]> {
  const partitions = readings.map(({ index, from }) =>
    Buffer.concat([i32(index), i64(from), i32(FETCH_BYTES)]),
  )
  const topics = listOf([Buffer.concat([text16(topic), listOf(partitions)])])
  const limits = [i32(NO_REPLICA), i32(FETCH_WAIT_MS), i32(1), i32(FETCH_BYTES), u8(0)]
  const answer = await ask('fetch', [...limits, topics])
  answer.int32()
  return partitionsIn(answer, (fields, index) => {
    const error = fields.int16()
    fields.take(16)
    listIn(fields, (one) => one.take(16))
    const bytes = bytesIn(fields)
    if (error !== 0) throw refusedTopic(errorNamed(error))
    const reading = readings.find((one) => one.index === index)
    if (!reading) throw new Garbled()
    const { messages, next } = messagesIn(bytes, reading.from)
    reading.from = next
    return messages
  }).flat()
}

/** The partitions of an answer about one topic; `read` begins behind the number of each. */
function partitionsIn<T>(answer: Cursor, read: (fields: Cursor, index: number) => T): T[] {
  return listIn(answer, (topic) => {
    topic.text16()
    return listIn(topic, (fields) => read(fields, fields.int32()))
  }).flat()
}
