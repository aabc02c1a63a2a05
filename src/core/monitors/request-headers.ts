import * as z from 'zod'
import { codePoints } from '../text.ts'

const MAX_HEADERS = 50
const MAX_NAME_LENGTH = 256
const MAX_VALUE_LENGTH = 4_096

/** The `token` of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const VALUE = /^[^\r\n\0]*$/

/** Headers that the probe sets itself; a user's value would break the framing or the result. */
export const RESERVED_HEADERS = ['Host', 'Content-Length', 'Transfer-Encoding', 'Connection']
const RESERVED = new Set(RESERVED_HEADERS.map((name) => name.toLowerCase()))

const SHAPE = {
  maxProperties: MAX_HEADERS,
  propertyNames: { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: TOKEN.source },
  additionalProperties: { type: 'string', maxLength: MAX_VALUE_LENGTH, pattern: VALUE.source },
}

/** Extra request headers, name to value. An empty object becomes null. */
export const RequestHeaders = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    const names = Object.keys(headers)
    if (names.length > MAX_HEADERS) {
      context.addIssue(`must have at most ${MAX_HEADERS} entries, got ${names.length}`)
    }
    for (const [name, value] of Object.entries(headers)) {
      const message = nameFault(name) ?? valueFault(value)
      if (message) context.addIssue({ code: 'custom', message, path: [name] })
    }
  })
  .transform((headers) => (Object.keys(headers).length > 0 ? headers : null))
  .meta(SHAPE)

/** The same shape in answers, where viewers get masked values. */
export const ShownHeaders = z.record(z.string(), z.string()).meta(SHAPE)

export function isReservedHeader(name: string): boolean {
  return RESERVED.has(name.toLowerCase())
}

function nameFault(name: string): string | null {
  if (name.length > MAX_NAME_LENGTH) return `must have a name of at most ${MAX_NAME_LENGTH} characters`
  if (!TOKEN.test(name)) return "must have a name of letters, digits and !#$%&'*+-.^_`|~ only"
  if (isReservedHeader(name)) return 'must not be set: the check sets this header itself'
  return null
}

function valueFault(value: string): string | null {
  const length = codePoints(value)
  if (length > MAX_VALUE_LENGTH) return `must be at most ${MAX_VALUE_LENGTH} characters, got ${length}`
  if (!VALUE.test(value)) return 'must not contain a line break or NUL'
  if (!value.isWellFormed()) return 'must be valid Unicode, got a lone surrogate'
  return null
}
