import type { Talk } from '../lines/talk.ts'

/** The most rows that a query may give, or entries of the answer to a command. */
export const MAX_ROWS = 1_000
/** The most bytes of all that a server says over one connection. */
export const MAX_BYTES = 1_048_576

/** A server says no, in these words. */
export class Refused extends Error {}

/** A query gives more rows than are read. */
export class TooManyRows extends Error {}

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** The answer to a query: its first value as text, null where there is none, and all of it. */
export type Found = { first: string | null; rows: Json }

export type SignIn = {
  name: string
  password: string
  database: string | null
  /** The connection is one of TLS. */
  isSecret: boolean
  /** Nobody between reads what is sent, or the monitor wants it all the same. */
  allowsClear: boolean
}

/** Why the user is not signed in: by no way that the server takes, or by one that would show the password to others. */
export type NoSignIn = 'none' | 'clear'

/**
 * One connection to a server in the words of its protocol: each step is said and read by it. All of them reject with `Refused`, `Garbled`
 * or `TalkEnded`.
 */
export type Session = {
  /** Reads what the server says first, where it speaks first. */
  greet?(talk: Talk): Promise<void>
  /** Asks for TLS, which begins behind what this reads. Resolves with whether the server has it. */
  startTls?(talk: Talk): Promise<boolean>
  signIn(talk: Talk, user: SignIn): Promise<NoSignIn | null>
  /** `limitMs`: how long the server may try. Rejects with `TooManyRows` as well. */
  ask(talk: Talk, query: string, limitMs: number): Promise<Found>
  /** Sent to take leave; the server hangs up then. */
  farewell?(): Uint8Array
}

/** A kind of database server. */
export type Engine = {
  /** As people write it: PostgreSQL. */
  name: string
  /** What TLS from the first byte is asked for (RFC 7301). */
  alpn?: string[]
  /** Asked where the monitor has no query: signing in alone says little then. */
  usualQuery?: string
  begin(): Session
}
