import type { Talk } from '../lines/talk.ts'
import { Cursor, Garbled } from './cursor.ts'
import type { GameFacts } from './game-queries.ts'

/** Servers of any version answer a question for the status. */
const ANY_VERSION = 47
const STATUS = 1
const MORE = 0x80
const BITS = 7
const MAX_BYTES_OF_NUMBER = 5

/** Asks a server of Minecraft's Java edition for its status. Rejects with `TalkEnded`, and with `Garbled` for another answer. */
export async function askMinecraft(
  talk: Talk,
  { host, port }: { host: string; port: number },
): Promise<GameFacts> {
  const name = Buffer.from(host)
  const handshake = packet(
    number(0),
    number(ANY_VERSION),
    number(name.length),
    name,
    Buffer.from([port >> 8, port & 0xff]),
    number(STATUS),
  )
  talk.write(Buffer.concat([handshake, packet(number(0))]))
  const cursor = new Cursor(await talk.frame(lengthOf))
  numberIn(cursor)
  if (numberIn(cursor) !== 0) throw new Garbled('another packet')
  return factsIn(cursor.take(numberIn(cursor)).toString())
}

function factsIn(text: string): GameFacts {
  const status = parsed(text)
  if (!isObject(status)) throw new Garbled('no status')
  const { description, players } = status
  const counts = isObject(players) ? players : {}
  return {
    name: textOf(description).replace(/§./g, '').replace(/\s+/g, ' ').trim(),
    map: null,
    players: countOf(counts.online),
    max_players: countOf(counts.max),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Garbled('no JSON')
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A description is a text, or texts in texts. */
function textOf(description: unknown): string {
  const texts: string[] = []
  const left = [description]
  for (let one = left.shift(); left.length > 0 || one !== undefined; one = left.shift()) {
    if (typeof one === 'string') texts.push(one)
    if (!isObject(one)) continue
    if (typeof one.text === 'string') texts.push(one.text)
    if (Array.isArray(one.extra)) left.unshift(...one.extra)
  }
  return texts.join('')
}

function countOf(value: unknown): number | null {
  return Number.isSafeInteger(value) ? (value as number) : null
}

function packet(...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([number(body.length), body])
}

/** Seven bits in each byte, the lowest first. */
function number(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= MORE; left = Math.floor(left / MORE)) bytes.push((left % MORE) | MORE)
  return Buffer.from([...bytes, left])
}

function numberIn(cursor: Cursor): number {
  let value = 0
  for (let place = 0; place < MAX_BYTES_OF_NUMBER; place++) {
    const byte = cursor.byte()
    value += (byte & ~MORE) * 2 ** (BITS * place)
    if (byte < MORE) return value
  }
  throw new Garbled('no number')
}

/** The length of the packet that the bytes begin with, with its head. */
function lengthOf(held: Buffer): number | null {
  const cursor = new Cursor(held)
  const isThere = held.subarray(0, MAX_BYTES_OF_NUMBER).some((byte) => byte < MORE)
  if (!isThere) {
    if (held.length >= MAX_BYTES_OF_NUMBER) throw new Garbled('no length')
    return null
  }
  const length = numberIn(cursor)
  return cursor.at + length
}
