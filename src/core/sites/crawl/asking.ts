import type { Asked } from './judge-answer.ts'

/** The bound of a page, as sent and as decoded. */
export const MAX_PAGE_BYTES = 2 * 1_024 * 1_024

export type AddressRequest = {
  address: string
  /** HEAD says whether an address is there; what it refuses is asked for again with GET. */
  method: 'GET' | 'HEAD'
  /** 0: no body is read. */
  maxBytes: number
  /** Whether a body is worth reading, by its Content-Type. */
  isWanted?: (contentType: string) => boolean
}

/** `inconclusive`: trouble of ours, which says nothing of the address. */
export type AddressAnswer = {
  asked: Asked | { kind: 'inconclusive'; reason: string }
  contentType: string
  /** Decoded, as far as it was read. */
  body: Buffer
  /** Why there is more of it than was read: it is larger than was wanted, or it ended before its end. */
  cut: 'large' | 'broken_off' | null
  /** The body by its character encoding. */
  text(): string
}

/** Seen of a host by the end of a request: how long ago its answer began, and the time that it asked us to leave it alone. */
export type SeenOfHost = { answeredAgoMs: number; retryAfterMs: number | null }

/** Waits for leave to send a request to a host; the result gives it back. */
export type Turn = (host: string, signal: AbortSignal) => Promise<(seen: SeenOfHost) => Promise<void>>

/** Asks for an address over the network, hop by hop, each in a turn of its own. Never throws for what the address does. */
export type AskPage = (request: AddressRequest, turn: Turn, signal: AbortSignal) => Promise<AddressAnswer>

/** The asking of one crawl. `home` is what a member wrote; every other host is an address that strangers name. */
export type OpenAsking = (home: URL) => AskPage

/** The wish of a host in Retry-After (RFC 9110, section 10.2.3); null for an answer that asks for nothing. */
export function retryAfterMs(
  statusCode: number,
  headers: Record<string, string | undefined>,
  now: Date,
): number | null {
  const value = headers['retry-after']?.trim()
  if (value === undefined || (statusCode !== 429 && statusCode !== 503)) return null
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  // A date begins with the name of a day; Date.parse() reads much else as one.
  const until = /^[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(until) ? null : Math.max(0, until - now.getTime())
}
