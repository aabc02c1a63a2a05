import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { issueOf, said } from '../../language/said.ts'
import { sends } from '../monitor-types.ts'
import type { Option } from './option.ts'

export const MAX_SEND_BYTES = 16_384
const HEX = /^hex:/i
const HEX_DIGITS = /^hex:\s*(?:[0-9a-f]{2}\s*)+$/i

const Send = z
  .string()
  .superRefine((value, context) => {
    if (value === '') context.addIssue(issueOf(said('must not be empty')))
    if (HEX.test(value) && !HEX_DIGITS.test(value))
      context.addIssue(issueOf(said('must have pairs of hexadecimal digits behind hex:')))
    const got = bytesToSend(value).length
    if (got > MAX_SEND_BYTES)
      context.addIssue(issueOf(said('must be at most {max} bytes, got {got}', { max: MAX_SEND_BYTES, got })))
    if (value.includes('\0')) context.addIssue(issueOf(said('must not contain a NUL character')))
    if (!value.isWellFormed()) context.addIssue(issueOf(said('must be valid Unicode, got a lone surrogate')))
  })
  .meta({ minLength: 1, maxLength: 3 * MAX_SEND_BYTES })

/** Options of what a check sends. */
export const SEND = {
  send: {
    schema: Send,
    description:
      'Sent first, at most 16,384 bytes: text as it is, or bytes such as `hex: 50 49 4e 47`. Something must come back. `udp` needs it, and assertions.',
    group: 'request',
    label: phrase('Send'),
    hint: phrase('Text as it is, or bytes behind hex:, such as hex: 50 49 4e 47 0d 0a. An answer must come.'),
    has: sends,
    default: null,
    secrets: [{ at: [], shownTo: 'admins' }],
  },
} as const satisfies Record<string, Option>

/** The bytes that a value of `send` says. */
export function bytesToSend(send: string): Uint8Array<ArrayBuffer> {
  if (!HEX.test(send)) return new TextEncoder().encode(send)
  const pairs = send.replace(HEX, '').match(/[0-9a-f]{2}/gi) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}
