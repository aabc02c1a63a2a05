import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { issueOf, said } from '../../language/said.ts'
import { hasOption, usesSetting } from '../monitor-types.ts'
import type { Option } from './option.ts'

export const HttpMethod = z
  .enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
  .describe('Method of `http` and `keyword` checks.')
export type HttpMethod = z.infer<typeof HttpMethod>

export const MAX_BODY_BYTES = 65_536
export const MAX_REDIRECTS = 20
export const DEFAULT_REDIRECTS = 5
/** The query parameter that `cache_buster` adds. */
export const CACHE_BUSTER = '_upbeat'

/** Sends a request over HTTP that others choose the method and body of. */
const asks: Option['has'] = (type) => usesSetting(type, 'http_method')

/** A text that a check sends as it is. */
export const SentText = z
  .string()
  .superRefine((value, context) => {
    if (value === '') context.addIssue(issueOf(said('must not be empty')))
    const got = new TextEncoder().encode(value).length
    if (got > MAX_BODY_BYTES)
      context.addIssue(issueOf(said('must be at most {max} bytes, got {got}', { max: MAX_BODY_BYTES, got })))
    if (value.includes('\0')) context.addIssue(issueOf(said('must not contain a NUL character')))
    if (!value.isWellFormed()) context.addIssue(issueOf(said('must be valid Unicode, got a lone surrogate')))
  })
  .meta({ minLength: 1, maxLength: MAX_BODY_BYTES })

/** Options of what a check asks for. */
export const REQUEST = {
  request_body: {
    schema: SentText,
    description:
      'Body of the request, at most 65,536 bytes, with every method. Its `Content-Type` is that of `request_headers`, else `application/json` if it is JSON, else `text/plain`.',
    group: 'request',
    label: phrase('Request body'),
    hint: phrase(
      'At most 64 KiB. It is sent as JSON if it is JSON, else as text, unless a header Content-Type says what it is.',
    ),
    has: asks,
    default: null,
    secrets: [{ at: [], shownTo: 'admins' }],
  },
  follow_redirects: {
    schema: z.int().min(0).max(MAX_REDIRECTS),
    description: 'Redirects that are followed at most; with 0 the first answer is judged.',
    group: 'request',
    label: phrase('Redirects followed'),
    hint: phrase('0 to 20. With 0 the first answer is judged. Without a value, 5.'),
    has: (type) => asks(type) || hasOption(type, 'follow_redirects'),
    default: DEFAULT_REDIRECTS,
  },
  cache_buster: {
    schema: z.boolean(),
    description: `Adds the query parameter \`${CACHE_BUSTER}\` with a new value to each request, so that no cache answers.`,
    group: 'request',
    label: phrase('Bypass caches'),
    hint: phrase('Adds a parameter with a new value to the URL of each check, so that no cache answers.'),
    has: asks,
    default: false,
  },
} as const satisfies Record<string, Option>
