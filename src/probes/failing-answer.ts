import type { IncomingMessage } from 'node:http'
import type { CheckResult } from '../core/monitors/check.ts'
import {
  failingAnswer,
  MAX_ANSWER_BODY_BYTES,
  MAX_SHOWN_BODY_BYTES,
  type ReceivedAnswer,
} from '../core/probing/failing-answer.ts'
import type { ProbeAttempt } from './attempt.ts'
import { type BodyHead, readHead } from './bodies/body.ts'
import { charsetOf } from './bodies/charset.ts'
import type { HttpAnswer } from './exchange.ts'
import type { WebSettings } from './hop.ts'
import { maskOf, type SecretMask } from './mask-secrets.ts'

/** The body of an answer that has failed already is not waited for any longer. */
const BODY_WAIT_MS = 1_000
/** In UTF-8, for each UTF-16 unit. */
const BYTES_PER_UNIT = 3
/** Text has a few characters that nothing prints; with more of them it is something else. */
const MAX_UNPRINTABLE = 0.1
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
const UNPRINTABLE = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\ufffd]/g

/** Adds the answer to the result of a check that it failed, or of a test; costs nothing until then. */
export function keepAnswerOf(current: ProbeAttempt<WebSettings>, { response }: HttpAnswer) {
  const max = current.settings.shows_answer ? MAX_SHOWN_BODY_BYTES : MAX_ANSWER_BODY_BYTES
  const keep = (result: CheckResult, head: BodyHead, mask: SecretMask): CheckResult => ({
    ...result,
    answer: failingAnswer(received(response, head, mask), max),
  })
  return {
    /** How much of the body is wanted. While the check may pass no secret is looked at: there is room for long ones. */
    bytes: 4 * max,
    with: (result: CheckResult, head: BodyHead) => keep(result, head, maskOf(current)),
    /** Reads the body, which was of no interest until now. */
    async reading(result: CheckResult): Promise<CheckResult> {
      const mask = maskOf(current)
      const bytes = max + BYTES_PER_UNIT * mask.reach
      return keep(result, await readHead(response, bytes, BODY_WAIT_MS), mask)
    },
  }
}

function received(response: IncomingMessage, head: BodyHead, mask: SecretMask): ReceivedAnswer {
  const { httpVersion, statusCode, statusMessage, rawHeaders } = response
  const headers = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.push({ name: rawHeaders[index] ?? '', value: mask.apply(asText(rawHeaders[index + 1] ?? '')) })
  return {
    statusLine: mask.apply(`HTTP/${httpVersion} ${statusCode} ${asText(statusMessage ?? '')}`),
    headers,
    body: bodyOf(response, head, mask),
  }
}

function bodyOf({ headers }: IncomingMessage, head: BodyHead, mask: SecretMask): ReceivedAnswer['body'] {
  if (head === null) return { kind: 'unread' }
  const { bytes, isWhole } = head
  if (bytes.length === 0) return { kind: isWhole ? 'empty' : 'unread' }
  const charset = charsetOf(headers['content-type'] ?? '', bytes)
  const text = new TextDecoder(charset).decode(bytes, { stream: true })
  const odd = text.match(UNPRINTABLE)?.length ?? 0
  if (text.includes('\0') || odd > MAX_UNPRINTABLE * text.length) return { kind: 'binary' }
  return { kind: 'text', text: isWhole ? mask.apply(text) : mask.applyToBeginning(text), isCut: !isWhole }
}

/** Node reads header bytes as Latin-1; servers mean UTF-8. */
function asText(header: string): string {
  return Buffer.from(header, 'latin1').toString('utf8')
}
