import * as z from 'zod'
import { issueAt, issueOf, type Said, said } from '../language/said.ts'
import { codePoints } from '../text.ts'

const MAX_HEADERS = 50
const MAX_NAME_LENGTH = 256
const MAX_VALUE_LENGTH = 4_096

/** The `token` of RFC 9110, section 5.6.2. */
export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const VALUE = /^[^\r\n\0]*$/

/** Headers that the probe sets itself; a user's value would break the framing or the result. */
export const RESERVED_HEADERS = ['Host', 'Content-Length', 'Transfer-Encoding', 'Connection']
const RESERVED = new Set(RESERVED_HEADERS.map((name) => name.toLowerCase()))

const SHAPE = {
  maxProperties: MAX_HEADERS,
  propertyNames: { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: TOKEN.source },
  additionalProperties: { type: 'string', maxLength: MAX_VALUE_LENGTH, pattern: VALUE.source },
}

/** Request headers, name to value. */
export const HeaderRecord = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    const names = Object.keys(headers)
    if (names.length > MAX_HEADERS) {
      context.addIssue(
        issueOf(said('must have at most {max} entries, got {got}', { max: MAX_HEADERS, got: names.length })),
      )
    }
    for (const [name, value] of Object.entries(headers)) {
      const message = nameFault(name) ?? valueFault(value)
      if (message) context.addIssue(issueAt([name], message))
    }
  })
  .meta(SHAPE)

/** Extra request headers. An empty object becomes null. */
export const RequestHeaders = HeaderRecord.transform((headers) =>
  Object.keys(headers).length > 0 ? headers : null,
).meta(SHAPE)

/** The same shape in answers, where viewers get masked values. */
export const ShownHeaders = z.record(z.string(), z.string()).meta(SHAPE)

export function isReservedHeader(name: string): boolean {
  return RESERVED.has(name.toLowerCase())
}

function nameFault(name: string): Said | null {
  if (name.length > MAX_NAME_LENGTH)
    return said('must have a name of at most {max} characters', { max: MAX_NAME_LENGTH })
  if (!TOKEN.test(name)) return said("must have a name of letters, digits and !#$%&'*+-.^_`|~ only")
  if (isReservedHeader(name)) return said('must not be set: the check sets this header itself')
  return null
}

function valueFault(value: string): Said | null {
  const length = codePoints(value)
  if (length > MAX_VALUE_LENGTH)
    return said('must be at most {max} characters, got {length}', { max: MAX_VALUE_LENGTH, length })
  if (!VALUE.test(value)) return said('must not contain a line break or NUL')
  if (!value.isWellFormed()) return said('must be valid Unicode, got a lone surrogate')
  return null
}
