import { randomBytes } from 'node:crypto'
import type { GameQuery } from '../../core/monitors/options/protocols/games.ts'
import type { PacketMeaning } from '../../net/packets.ts'
import { Cursor, Garbled } from './cursor.ts'

/** The facts that a game server tells of itself; null for one that it leaves out. */
export type GameFacts = {
  name: string
  map: string | null
  players: number | null
  max_players: number | null
}

export type GameDialogue = { packet: Buffer; read: (bytes: Buffer) => PacketMeaning<GameFacts> }

const UNCONNECTED = Buffer.from([0xff, 0xff, 0xff, 0xff])
const MAX_PAIRS = 500

/** The queries of game servers by packets, each begun anew, as their makers or the community describe them. */
export const PACKET_QUERIES: Record<Exclude<GameQuery, 'minecraft'>, () => GameDialogue> = {
  source: () => askSource(),
  quake1: () => askQuake('status', 'n'),
  quake2: () => askQuake('status', 'print\n'),
  quake3: () => askQuake('getstatus', 'statusResponse\n'),
  gamespy1: () => askGameSpy1(),
  gamespy2: () => askGameSpy2(),
  gamespy3: () => askGameSpy3(),
  unreal2: () => askUnreal2(),
  bedrock: () => askBedrock(),
}

/** A2S_INFO of Valve, whose answer may be a challenge. */
function askSource(): GameDialogue {
  const KINDS = { info: 0x49, challenge: 0x41, oldInfo: 0x6d }
  const question = Buffer.concat([UNCONNECTED, Buffer.from('TSource Engine GameDialogue\0')])
  return {
    packet: question,
    read: (bytes) => {
      const cursor = behindHead(bytes)
      const kind = cursor.byte()
      if (kind === KINDS.challenge) return { instead: Buffer.concat([question, cursor.take(4)]) }
      if (kind !== KINDS.info && kind !== KINDS.oldInfo) throw new Garbled('another answer')
      if (kind === KINDS.info) cursor.byte()
      else cursor.text()
      const [name, map] = [cursor.text(), cursor.text()]
      cursor.text()
      cursor.text()
      if (kind === KINDS.info) cursor.take(2)
      return { answer: { name, map, players: cursor.byte(), max_players: cursor.byte() } }
    },
  }
}

/** `status` of QuakeWorld and Quake II, `getstatus` of Quake III. */
function askQuake(word: string, answer: string): GameDialogue {
  return {
    packet: Buffer.concat([UNCONNECTED, Buffer.from(`${word}\0`)]),
    read: (bytes) => {
      const cursor = behindHead(bytes)
      if (cursor.take(answer.length).toString('latin1') !== answer) throw new Garbled('another answer')
      const [info = '', ...others] = cursor.rest().toString('latin1').split('\n')
      const pairs = pairsIn(info.replace(/^\\/, '').split('\\'))
      const players = others.filter((line) => line.replaceAll('\0', '').trim() !== '').length
      return { answer: { ...factsOf(pairs), players: countIn(pairs.clients) ?? players } }
    },
  }
}

/** The packet with the name is enough, where there are several. */
function askGameSpy1(): GameDialogue {
  return {
    packet: Buffer.from('\\status\\'),
    read: (bytes) => {
      const [first = '', ...words] = bytes.toString('latin1').split('\\')
      if (first !== '') throw new Garbled('no pairs')
      const pairs = pairsIn(words)
      return pairs.hostname === undefined ? null : { answer: factsOf(pairs) }
    },
  }
}

const GAMESPY = { query: [0xfe, 0xfd, 0x00], challenge: [0xfe, 0xfd, 0x09] }
const SESSION = [0, 0, 0, 1]

function askGameSpy2(): GameDialogue {
  return {
    packet: Buffer.from([...GAMESPY.query, ...SESSION, 0xff, 0, 0]),
    read: (bytes) => {
      const cursor = new Cursor(bytes)
      if (cursor.byte() !== 0 || cursor.uint32() !== 1) throw new Garbled('another answer')
      return { answer: factsOf(pairsOfTexts(cursor)) }
    },
  }
}

function askGameSpy3(): GameDialogue {
  const CHALLENGE = 9
  const SPLIT = 'splitnum\0'
  return {
    packet: Buffer.from([...GAMESPY.challenge, ...SESSION]),
    read: (bytes) => {
      const cursor = new Cursor(bytes)
      const kind = cursor.byte()
      if (cursor.uint32() !== 1) throw new Garbled('another session')
      if (kind === CHALLENGE) {
        const challenge = Buffer.alloc(4)
        challenge.writeInt32BE(Number.parseInt(cursor.text(), 10) | 0)
        return {
          instead: Buffer.from([...GAMESPY.query, ...SESSION, ...challenge, 0xff, 0xff, 0xff, 0x01]),
        }
      }
      if (kind !== 0) throw new Garbled('another answer')
      const isSplit = bytes.subarray(cursor.at).toString('latin1').startsWith(SPLIT)
      if (isSplit) cursor.take(SPLIT.length + 2)
      const pairs = pairsOfTexts(cursor)
      return pairs.hostname === undefined && isSplit ? null : { answer: factsOf(pairs) }
    },
  }
}

function askUnreal2(): GameDialogue {
  return {
    packet: Buffer.from([0x79, 0, 0, 0, 0]),
    read: (bytes) => {
      const cursor = new Cursor(bytes)
      cursor.take(4)
      if (cursor.byte() !== 0) throw new Garbled('another answer')
      cursor.take(4)
      unrealText(cursor)
      cursor.take(8)
      const [name, map] = [unrealText(cursor), unrealText(cursor)]
      unrealText(cursor)
      return { answer: { name, map, players: cursor.uint32LE(), max_players: cursor.uint32LE() } }
    },
  }
}

/** Behind its length, of which the highest bit says that there are two bytes for each character. */
function unrealText(cursor: Cursor): string {
  const WIDE = 0x80
  const length = cursor.byte()
  const text =
    length >= WIDE
      ? cursor.take((length & ~WIDE) * 2).toString('utf16le')
      : cursor.take(length).toString('latin1')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are written behind an escape
  return text.replace(/\x1b[\s\S]{3}|[\x00-\x1a]/g, '')
}

/** The ping of RakNet, with the text that Minecraft's Bedrock edition puts into it. */
function askBedrock(): GameDialogue {
  const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex')
  const PONG = 0x1c
  const nonce = randomBytes(8)
  return {
    packet: Buffer.concat([Buffer.from([1]), nonce, MAGIC, Buffer.alloc(8)]),
    read: (bytes) => {
      const cursor = new Cursor(bytes)
      if (cursor.byte() !== PONG) throw new Garbled('another answer')
      if (!cursor.take(nonce.length).equals(nonce)) return null
      cursor.take(8)
      if (!cursor.take(MAGIC.length).equals(MAGIC)) throw new Garbled('another protocol')
      const [, name = '', , , players, most, , map = null] = cursor
        .take(cursor.uint16())
        .toString()
        .split(';')
      return { answer: { name, map, players: countIn(players), max_players: countIn(most) } }
    },
  }
}

function behindHead(bytes: Buffer): Cursor {
  const cursor = new Cursor(bytes)
  if (!cursor.take(UNCONNECTED.length).equals(UNCONNECTED)) throw new Garbled('another head')
  return cursor
}

type Pairs = Record<string, string | undefined>

/** Keys and values in turn. */
function pairsIn(words: readonly string[]): Pairs {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < words.length && pairs.length < MAX_PAIRS; at += 2)
    pairs.push([(words[at] ?? '').toLowerCase(), words[at + 1] ?? ''])
  return Object.fromEntries(pairs)
}

/** The same, each with a NUL behind it; an empty key ends them. */
function pairsOfTexts(cursor: Cursor): Pairs {
  const words: string[] = []
  while (cursor.left > 0 && words.length < MAX_PAIRS * 2) {
    const key = cursor.text('latin1')
    if (key === '') break
    words.push(key, cursor.text('latin1'))
  }
  if (words.length === 0) throw new Garbled('no pairs')
  return pairsIn(words)
}

function factsOf(pairs: Pairs): GameFacts {
  return {
    name: pairs.hostname ?? pairs.sv_hostname ?? '',
    map: pairs.mapname ?? pairs.map ?? null,
    players: countIn(pairs.numplayers),
    max_players: countIn(pairs.maxplayers ?? pairs.sv_maxclients ?? pairs.maxclients),
  }
}

function countIn(digits: string | undefined): number | null {
  return digits !== undefined && /^\d{1,9}$/.test(digits) ? Number(digits) : null
}
