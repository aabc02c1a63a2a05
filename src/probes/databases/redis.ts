import type { JsonNode } from '../../core/expectations/json-path.ts'
import { shellWords } from '../../core/monitors/options/redis-command.ts'
import type { Talk } from '../lines/talk.ts'
import { Garbled } from '../packets/cursor.ts'
import {
  type DatabaseEngine,
  DatabaseRefusal,
  type DatabaseUser,
  MAX_ROWS,
  type NoSignIn,
  type QueryResult,
  TooManyRows,
} from './engine.ts'

/*
 * The Redis protocol in its version 2 (RESP), which a server speaks that is not asked for another. Answers that lead to another server,
 * such as MOVED, are errors here: nothing is dialled that a server names.
 */

const MAX_DEPTH = 8
const CRLF = 2

export const REDIS: DatabaseEngine = {
  name: 'Redis',
  usualQuery: 'PING',
  begin: (database) => ({
    signIn: (talk, user) => signIn(talk, user, database),
    ask: async (talk, query) => {
      const rows = await command(talk, shellWords(query) ?? [])
      return { first: firstOf(rows), rows }
    },
    farewell: () => encoded(['QUIT']),
  }),
}

async function signIn(
  talk: Talk,
  { name, password }: DatabaseUser,
  database: string | null,
): Promise<NoSignIn | null> {
  // Servers before version 6 know no users, but a password alone.
  if (name !== '' || password !== '') await command(talk, ['AUTH', ...(name === '' ? [] : [name]), password])
  if (database !== null) await command(talk, ['select', database])
  return null
}

async function command(talk: Talk, words: readonly string[]): Promise<JsonNode> {
  talk.write(encoded(words))
  return reply(talk, { left: MAX_ROWS }, 0)
}

function encoded(words: readonly string[]): Buffer {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  return Buffer.from(`*${words.length}\r\n${parts.join('')}`)
}

/** Reads one reply. `bound`: how many entries all of its lists may still have. */
async function reply(talk: Talk, bound: { left: number }, depth: number): Promise<JsonNode> {
  const line = await talk.line()
  const rest = line.slice(1)
  switch (line[0]) {
    case '+':
      return rest
    case '-':
      throw new DatabaseRefusal(rest)
    case ':':
      return numberIn(rest)
    case '$': {
      const length = lengthIn(rest)
      if (length < 0) return null
      const bytes = await talk.frame(() => length + CRLF)
      return bytes.toString('utf8', 0, length)
    }
    case '*': {
      const count = lengthIn(rest)
      if (count < 0) return null
      if (depth === MAX_DEPTH) throw new Garbled()
      bound.left -= count
      if (bound.left < 0) throw new TooManyRows()
      const entries: JsonNode[] = []
      for (let index = 0; index < count; index++) entries.push(await reply(talk, bound, depth + 1))
      return entries
    }
    default:
      throw new Garbled()
  }
}

function numberIn(digits: string): JsonNode {
  if (!/^-?\d{1,19}$/.test(digits)) throw new Garbled()
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : digits
}

function lengthIn(digits: string): number {
  if (!/^(-1|\d{1,10})$/.test(digits)) throw new Garbled()
  return Number(digits)
}

function firstOf(rows: JsonNode): QueryResult['first'] {
  const first = Array.isArray(rows) ? rows[0] : rows
  if (first === undefined || first === null) return null
  return typeof first === 'object' ? JSON.stringify(first) : String(first)
}
