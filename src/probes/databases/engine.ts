import type { JsonNode } from '../../core/expectations/json-path.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { ProbeSettings } from '../../core/monitors/probe-settings.ts'
import type { TlsCarrier } from '../../net/tls/tls.ts'
import type { ProbeAttempt } from '../attempt.ts'
import type { Talk } from '../lines/talk.ts'

/** The most rows that a query may give, or entries of the answer to a command. */
export const MAX_ROWS = 1_000
/** The most bytes of all that a server says over one connection. */
export const MAX_BYTES = 1_048_576
/** The most of the names and values of all rows, in UTF-16 units: a name comes once, and stands in each row as JSON. */
export const MAX_TEXT_LENGTH = 8_388_608

/** A server says no, in these words. */
export class DatabaseRefusal extends Error {}

/** A query gives more rows than are read. */
export class TooManyRows extends Error {}

/** Rows are more text as JSON, with the names of their columns in each, than is judged. */
export class TooMuchText extends Error {}

/** The answer to a query: its first value as text, null where there is none, and all of it. */
export type QueryResult = { first: string | null; rows: JsonNode }

export type DatabaseUser = {
  name: string
  password: string
  /** The connection is one of TLS. */
  isSecret: boolean
  /** The password may be sent as it is: nothing between reads it, or the monitor wants that. */
  allowsClear: boolean
}

/** Why the user is not signed in: by no way that the server takes, or by one that would show the password to others. */
export type NoSignIn = 'none' | 'clear'

/**
 * One connection to a server in the words of its protocol: each step is said and read by it. All of them reject with `DatabaseRefusal`, `Garbled`
 * or `TalkEnded`.
 */
export type DatabaseSession = {
  /** Reads what the server says first, where it speaks first. */
  greet?(talk: Talk): Promise<void>
  /** Asks for TLS, which begins behind what this reads. Resolves with whether the server has it. */
  startTls?(talk: Talk): Promise<boolean>
  signIn(talk: Talk, user: DatabaseUser): Promise<NoSignIn | null>
  /** `limitMs`: how long the server may try. Rejects with `TooManyRows` as well. */
  ask(talk: Talk, query: string, limitMs: number): Promise<QueryResult>
  /** Sent to take leave; the server hangs up then. */
  farewell?(): Uint8Array
}

/** One of several servers that hold the same: of `url` the host counts. */
export type DatabaseMember = { url: URL; port: number }

/** The servers of a monitor, of which any may answer, and the database that knows its user, null for the usual one. */
export type Members = { places: readonly DatabaseMember[]; home: string | null }

/** A kind of database server. */
export type DatabaseEngine = {
  /** As people write it: PostgreSQL. */
  name: string
  /** Protocols that TLS from the first byte is asked for (RFC 7301). */
  alpn?: string[]
  /** Asked where the monitor has no query: signing in alone says little then. */
  usualQuery?: string
  /** Where the target of a monitor may be several servers; without it the host of its URL is asked. */
  findMembers?(current: ProbeAttempt<ProbeSettings>): Promise<Members | CheckResult>
  /** For a protocol that carries the handshake of TLS in messages of its own. */
  carrier?: TlsCarrier
  /** `home`: the database that knows the user, where that may be another one. */
  begin(database: string | null, about: { url: string; home: string | null }): DatabaseSession
}
