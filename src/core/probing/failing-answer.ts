import * as z from 'zod'
import { Instant } from '../instant.ts'
import { shownLine, shownLines } from '../language/hidden-characters.ts'
import { phrase } from '../language/phrase.ts'
import { MASK, maskedAddress } from '../teams/access.ts'

/** The bound of the text, in UTF-8. */
export const MAX_ANSWER_BODY_BYTES = 4_096
/** The bound of the text in the result of a test, which is kept for a minute: most answers of APIs are whole then. */
export const MAX_SHOWN_BODY_BYTES = 65_536
const MAX_STATUS_LINE = 200
const MAX_HEADERS = 50
const MAX_HEADER_NAME = 256
/** The bounds of one value, and of all names and values together, in UTF-16 units. */
const MAX_HEADER_VALUE = 1_024
const MAX_HEADERS_LENGTH = 4_096
/** Answers of so many incidents are kept for each monitor. */
export const MAX_ANSWERS_OF_MONITOR = 50
/** The bound of the answers that one batch of findings writes: in mass trouble the later ones do without. */
export const MAX_BATCH_ANSWER_LENGTH = 1024 * 1024
/** A body that changes with every check is written at most so often while the status stays. */
export const ANSWER_PAUSE_MS = 5 * 60_000

const encoder = new TextEncoder()

/**
 * The answer of a check that failed although its target answered. Secrets are masked where it was received, and nothing
 * in it can move a cursor or turn the reading direction.
 */
export const FailingAnswer = z.object({
  /** `HTTP/1.1 503 Service Unavailable`. */
  status_line: z.string().max(MAX_STATUS_LINE).transform(oneLine),
  /** In the order received; a repeated header comes more than once. */
  headers: z
    .array(
      z.object({
        name: z.string().max(MAX_HEADER_NAME).transform(oneLine),
        value: z.string().max(MAX_HEADER_VALUE).transform(oneLine),
      }),
    )
    .max(MAX_HEADERS)
    .refine((headers) => lengthOf(headers) <= MAX_HEADERS_LENGTH, phrase('must be shorter in all')),
  headers_left_out: z.int().min(0).max(100_000),
  /** `unread`: it did not arrive, or could not be decoded. Only `text` has any. */
  body: z.object({
    kind: z.enum(['text', 'empty', 'binary', 'unread']),
    text: z
      .string()
      .max(MAX_ANSWER_BODY_BYTES)
      .transform((text) => beginningOf(text, MAX_ANSWER_BODY_BYTES)),
    is_cut: z.boolean(),
  }),
})
export type FailingAnswer = z.infer<typeof FailingAnswer>

/** An answer in the result of a test, bounded where it was received. */
export const ShownAnswer = FailingAnswer.extend({
  body: FailingAnswer.shape.body.extend({ text: z.string().max(MAX_SHOWN_BODY_BYTES) }),
})

/** An answer as it was kept, with the time of its check. */
export const KeptAnswer = z.object({
  checked_at: Instant,
  http_status_code: z.int().nullable(),
  answer: FailingAnswer,
})
export type KeptAnswer = z.infer<typeof KeptAnswer>

/** An answer as it was received, decoded and with its secrets masked; bounds and forbidden characters are not seen to yet. */
export type ReceivedAnswer = {
  statusLine: string
  headers: { name: string; value: string }[]
  body: { kind: 'text'; text: string; isCut: boolean } | { kind: 'empty' | 'binary' | 'unread' }
}

/** Holds no more than `maxBytes` of the body. */
export function failingAnswer(
  { statusLine, headers, body }: ReceivedAnswer,
  maxBytes = MAX_ANSWER_BODY_BYTES,
): FailingAnswer {
  const kept = boundHeaders(headers)
  return {
    status_line: bounded(oneLine(statusLine), MAX_STATUS_LINE),
    headers: kept,
    headers_left_out: headers.length - kept.length,
    body: body.kind === 'text' ? bodyOf(body, maxBytes) : { kind: body.kind, text: '', is_cut: false },
  }
}

function bodyOf({ text, isCut }: { text: string; isCut: boolean }, maxBytes: number): FailingAnswer['body'] {
  const printed = printable(text)
  const beginning = beginningOf(printed, maxBytes)
  return { kind: 'text', text: beginning, is_cut: isCut || beginning.length < printed.length }
}

/** Headers that name another address, whose query may be a signature or the key of a link. */
const ADDRESS_HEADERS = /^(content-)?location$/i

function boundHeaders(headers: ReceivedAnswer['headers']): FailingAnswer['headers'] {
  const kept: FailingAnswer['headers'] = []
  let room = MAX_HEADERS_LENGTH
  for (const { name, value } of headers.slice(0, MAX_HEADERS)) {
    const header = {
      name: bounded(oneLine(name), MAX_HEADER_NAME),
      value: bounded(oneLine(shownValue(name, value)), MAX_HEADER_VALUE),
    }
    room -= header.name.length + header.value.length
    if (room < 0) break
    kept.push(header)
  }
  return kept
}

function lengthOf(headers: { name: string; value: string }[]): number {
  return headers.reduce((sum, { name, value }) => sum + name.length + value.length, 0)
}

function shownValue(name: string, value: string): string {
  if (ADDRESS_HEADERS.test(name)) return maskedAddress(value)
  return isSecretHeader(name) ? maskedHeader(name, value) : value
}

/** Headers that carry credentials, by name: sessions, tokens, keys and challenges. */
function isSecretHeader(name: string): boolean {
  return /cookie|auth|token|secret|passw|api-?key|session|csrf|xsrf|signature/i.test(name)
}

/** A challenge keeps its scheme (RFC 9110, section 11.6.1), a cookie its name: both help, and neither is secret. */
function maskedHeader(name: string, value: string): string {
  if (/^(www|proxy)-authenticate$/i.test(name)) return value.replace(/^(\S+)\s.*$/s, `$1 ${MASK}`)
  const cookie = /^set-cookie2?$/i.test(name) ? /^[^=;\s]+=/.exec(value)?.[0] : undefined
  return `${cookie ?? ''}${MASK}`
}

/**
 * The text with its numbers and hexadecimal ids made equal: a page of an error that only tells another time or request
 * has not changed.
 */
export function skeletonOf({ status_line, body }: FailingAnswer): string {
  return `${status_line}\n${body.kind}\n${body.text.replace(/[0-9a-f]{6,}|\d+/gi, '#')}`
}

/** The size to count it by, in UTF-16 units. */
export function answerLength({ status_line, headers, body }: FailingAnswer): number {
  return status_line.length + lengthOf(headers) + body.text.length
}

/** The text with `\n` for every end of a line. */
function printable(text: string): string {
  return shownLines(text.toWellFormed().replace(/\r\n?/g, '\n'))
}

function beginningOf(text: string, maxBytes: number): string {
  const printed = printable(text)
  const { read } = encoder.encodeInto(printed, new Uint8Array(maxBytes))
  return printed.slice(0, read)
}

function oneLine(text: string): string {
  return shownLine(text.toWellFormed()).trim()
}

function bounded(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
}
