import type { ProbedType } from '../../../src/core/monitors/monitor-types.ts'
import type { Dialogue, DialogueOptions, Step } from '../line-servers/line-server.ts'
import * as mongodb from './mongodb.ts'
import * as mysql from './mysql.ts'
import { refusal, row, rowsOf, speakPostgresql } from './postgresql.ts'
import { bulk, speakRedis } from './redis.ts'
import * as sqlserver from './sqlserver.ts'

/** A kind of database, with the server that its checks are tried against. */
export type SpokenDatabase = {
  type: ProbedType
  name: string
  speak: (options: DialogueOptions) => Dialogue
  /** A scheme that says TLS from the first byte. */
  secureScheme?: string
  /** The words for agreeing to TLS, where it begins later; null where it begins with the first byte or never. */
  late: { agrees: string | Buffer } | 'behind the greeting' | null
  /** Every sign-in shows the password to all who read along, so that it is sent over TLS. */
  needsTls?: true
  /** The steps of its talk, with what is waited for where the server is silent. */
  waiting: Partial<Record<Step, string>>
  query: string
  /** A query with a text in quotes. */
  secretQuery: string
  /** The answer of the honest server, and where the same value stands in the rows. */
  found: { answer: string; path: string; value: string | number }
  /** Where the rows stand in what it gives, if they are not all of it. */
  list?: string
  /** Its words for a wrong password. */
  refused: string
  refusal: (why: string) => Buffer
  /** The answer to a query: so many rows with this value. */
  rows: (count: number, value: string) => Buffer
  /** Texts of an answer without an end. */
  endless: (string | Buffer)[]
  /** Ways to sign in that show the password to all who read along. */
  clearWays: string[]
  /** The others. */
  ways: string[]
}

/** The one of a type. */
export function spokenDatabase(type: ProbedType): SpokenDatabase {
  const spoken = SPOKEN_DATABASES.find((one) => one.type === type)
  if (!spoken) throw new Error(`no server speaks ${type}`)
  return spoken
}

const FIRST = 'connected, waiting for the first byte'

export const SPOKEN_DATABASES: SpokenDatabase[] = [
  {
    type: 'postgresql',
    name: 'PostgreSQL',
    speak: speakPostgresql,
    late: { agrees: 'S' },
    waiting: {
      starttls: FIRST,
      'sign-in': 'signing in',
      ask: 'running the query',
      query: 'running the query',
    },
    query: 'SELECT count(*) FROM jobs',
    secretQuery: "SELECT count(*) FROM jobs WHERE token = 'sesame-street'",
    found: { answer: '7', path: '$[0].count', value: 7 },
    refused: 'password authentication failed',
    refusal: (why) => refusal('28000', why),
    rows: (count, value) => rowsOf(Array.from({ length: count }, () => value)),
    endless: ['a', row('x'.repeat(100)), Buffer.from('N\0\0\0\x04', 'latin1')],
    clearWays: ['clear'],
    ways: ['md5', 'scram'],
  },
  {
    type: 'mysql',
    name: 'MySQL',
    speak: mysql.speakMysql,
    late: 'behind the greeting',
    waiting: {
      greeting: FIRST,
      'sign-in': 'signing in',
      ask: 'running the query',
      query: 'running the query',
    },
    query: 'SELECT count(*) FROM jobs',
    secretQuery: "SELECT count(*) FROM jobs WHERE token = 'sesame-street'",
    found: { answer: '7', path: '$[0].count', value: 7 },
    refused: "Access denied for user 'watcher'",
    refusal: (why) => mysql.refusal(why),
    rows: (count, value) => mysql.rowsOf(Array.from({ length: count }, () => value)),
    endless: ['a', mysql.packet(1, Buffer.of(1)), mysql.packet(1, Buffer.of(0xfb))],
    clearWays: ['clear', 'sha2 in full'],
    ways: ['native', 'sha2', 'native, after a switch'],
  },
  {
    type: 'redis',
    name: 'Redis',
    speak: speakRedis,
    secureScheme: 'rediss',
    late: null,
    waiting: { 'sign-in': FIRST, query: 'running the query' },
    query: 'LRANGE jobs 0 1',
    secretQuery: "GET 'sesame-street'",
    found: { answer: '7', path: '$[1]', value: 7 },
    refused: 'WRONGPASS invalid username-password pair',
    refusal: (why) => Buffer.from(`-${why}\r\n`),
    rows: (count, value) => Buffer.from(`*${count}\r\n${bulk(value).repeat(count)}`),
    endless: ['a', '*1\r\n', '$999999999\r\n'],
    clearWays: [],
    ways: [],
  },
  {
    type: 'mongodb',
    name: 'MongoDB',
    speak: mongodb.speakMongodb,
    late: null,
    waiting: { ask: FIRST, 'sign-in': 'signing in', query: 'running the query' },
    query: '{"count": "jobs"}',
    secretQuery: '{"count": "jobs", "query": {"token": "sesame-street"}}',
    found: { answer: '7', path: '$.n', value: 7 },
    list: '$.cursor.firstBatch',
    refused: 'Authentication failed.',
    refusal: (why) => mongodb.reply(mongodb.error(2, 'BadValue', why)),
    rows: (count, value) => mongodb.rowsOf(Array.from({ length: count }, () => value)),
    endless: ['a', mongodb.reply({ ok: 1 }, 99)],
    clearWays: [],
    ways: [],
  },
  {
    type: 'sqlserver',
    name: 'SQL Server',
    speak: sqlserver.speakSqlserver,
    late: { agrees: sqlserver.AGREES_TO_TLS },
    needsTls: true,
    waiting: { starttls: FIRST, 'sign-in': 'signing in', query: 'running the query' },
    query: 'SELECT count(*) AS count FROM jobs',
    secretQuery: "SELECT count(*) FROM jobs WHERE token = 'sesame-street'",
    found: { answer: '7', path: '$[0].count', value: 7 },
    refused: "Login failed for user 'watcher'.",
    refusal: (why) => sqlserver.refusal(why),
    rows: (count, value) => sqlserver.rowsOf(Array.from({ length: count }, () => value)),
    endless: ['a', Buffer.from([4, 0, 0, 100, ...Buffer.alloc(96)]), Buffer.from([4, 0, 0, 8, 0, 0, 0, 0])],
    clearWays: ['login'],
    ways: [],
  },
]
