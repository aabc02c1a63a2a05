import { MAX_INT32 } from '../core/record-id.ts'
import { RATE_LIMITS } from '../core/request-limits.ts'
import type { JsonSchema } from './openapi/json-schema.ts'

type Header = { description: string; schema: JsonSchema; example: string | number }

const COUNT = { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_INT32 }
const TEXT = { type: 'string', maxLength: 2_048 }

/** Every informative header of an answer, by name. */
const ANSWER_HEADERS = {
  'X-RateLimit-Limit': {
    description: 'Requests per minute that the user may send, across all tokens.',
    schema: COUNT,
    example: RATE_LIMITS.perUser,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in this window, after this one.',
    schema: COUNT,
    example: RATE_LIMITS.perUser - 1,
  },
  'Retry-After': { description: 'Seconds to wait before the next request.', schema: COUNT, example: 42 },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { ...TEXT, const: 'Bearer' },
    example: 'Bearer',
  },
  Location: {
    description: 'URL of the new record.',
    schema: { ...TEXT, format: 'uri' },
    example: 'https://upbeat.example.com/api/v1/monitors/42',
  },
  Deprecation: {
    description: 'When the operation was deprecated, as a Unix time after `@` (RFC 9745).',
    schema: { ...TEXT, pattern: '^@[0-9]+$' },
    example: '@1775520000',
  },
  Sunset: {
    description: 'When the operation stops working, as an HTTP date (RFC 8594).',
    schema: TEXT,
    example: 'Wed, 07 Apr 2027 00:00:00 GMT',
  },
  Link: {
    description: 'Link to migration notes, with `rel="deprecation"`.',
    schema: TEXT,
    example: '<https://upbeat.example.com/docs/changelog>; rel="deprecation"; type="text/html"',
  },
  ETag: {
    description: 'Identifies this version of the response.',
    schema: TEXT,
    example: '"5d8c72a5edda8d6a"',
  },
  'Cache-Control': {
    description: 'How long the response may be cached.',
    schema: TEXT,
    example: 'public, max-age=60',
  },
  'Access-Control-Allow-Origin': {
    description: 'Pages of any origin may read the response.',
    schema: { ...TEXT, const: '*' },
    example: '*',
  },
} as const satisfies Record<string, Header>

export type AnswerHeader = keyof typeof ANSWER_HEADERS

/** The headers for the OpenAPI document. They are marked required because answers always include them. */
export function headerComponents(): JsonSchema {
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS).map(([name, header]) => [name, { ...header, required: true }]),
  )
}

export function headerRefs(names: readonly AnswerHeader[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
