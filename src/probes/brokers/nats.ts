import { brokerRefused, signInRefused, unlikeLine } from '../../core/monitors/types/protocol-causes.ts'
import type { Talk } from '../lines/talk.ts'
import { Garbled } from '../packets/cursor.ts'
import { type Broker, type BrokerMessage, BrokerRefusal, type BrokerSession } from './broker.ts'

const NAME = 'NATS'
const SUBSCRIPTION = '1'
const GREETING = /^INFO\s+(\{.*\})\s*$/i
const MESSAGE = /^MSG\s+\S+\s+1\s+(?:\S+\s+)?(\d+)\s*$/i
const LINE_END = 2

type Info = { tls_required?: unknown; tls_available?: unknown }

/** The client protocol of NATS. Addresses of other servers in its greeting are not read. */
export const NATS: Broker = {
  name: NAME,
  async greet(talk) {
    const line = await talk.line()
    const info = infoIn(line)
    if (info === null) return { offersTls: false, refusal: { what: 'greeting', line, expected: 'INFO' } }
    return { offersTls: info.tls_required === true || info.tls_available === true, refusal: null }
  },
  async signIn(talk, { user }) {
    const options = {
      ...{ verbose: false, pedantic: false, name: 'Upbeat', lang: 'upbeat', version: '1', protocol: 0 },
      // A server that wants a token looks at that alone.
      ...(user && { user: user.name, pass: user.password, auth_token: user.password }),
    }
    talk.say(`CONNECT ${JSON.stringify(options)}`)
    talk.say('PING')
    for (;;) {
      const line = await talk.line()
      if (isOf(line, 'PONG')) return sessionOver(talk)
      if (isOf(line, '-ERR')) throw new BrokerRefusal(signInRefused(NAME, line))
      if (isOf(line, 'PING')) talk.say('PONG')
      else if (!isOf(line, '+OK') && infoIn(line) === null)
        throw new BrokerRefusal(unlikeLine(NAME, 'answer to CONNECT', line, 'PONG'))
    }
  },
}

function sessionOver(talk: Talk): BrokerSession {
  /** Messages may arrive before the subscription is confirmed. */
  const early: BrokerMessage[] = []

  /** Reads what is a message, or an answer to ours; `deed`: what an error refuses. */
  const read = async (deed: string): Promise<BrokerMessage | 'PONG'> => {
    for (;;) {
      const line = await talk.line()
      const size = MESSAGE.exec(line)?.[1]
      if (size !== undefined) {
        const bytes = await talk.frame(() => Number(size))
        if ((await talk.frame(() => LINE_END)).toString() !== '\r\n') throw new Garbled()
        return { bytes }
      }
      if (isOf(line, 'PONG')) return 'PONG'
      if (isOf(line, '-ERR')) throw new BrokerRefusal(brokerRefused(NAME, deed, line))
      if (isOf(line, 'PING')) talk.say('PONG')
      else if (!isOf(line, '+OK') && infoIn(line) === null) throw new Garbled()
    }
  }
  return {
    async subscribe(topic) {
      talk.say(`SUB ${topic} ${SUBSCRIPTION}`)
      talk.say('PING')
      for (;;) {
        const found = await read('subscription')
        if (found === 'PONG') return
        early.push(found)
      }
    },
    async publish(topic, message) {
      talk.write(
        Buffer.concat([Buffer.from(`PUB ${topic} ${message.length}\r\n`), message, Buffer.from('\r\n')]),
      )
    },
    async next() {
      for (;;) {
        const found = early.shift() ?? (await read('publishing'))
        if (found !== 'PONG') return found
      }
    },
    // There is no word for it: whoever leaves hangs up.
    async leave() {},
  }
}

function infoIn(line: string): Info | null {
  const [, json] = GREETING.exec(line) ?? []
  if (json === undefined) return null
  try {
    return JSON.parse(json) as Info
  } catch {
    return null
  }
}

/** Words of the protocol have no case. */
function isOf(line: string, word: string): boolean {
  return line.toUpperCase().startsWith(word)
}
