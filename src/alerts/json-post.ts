import type { DeliveryOutcome } from '../core/alerting/delivery.ts'
import { judgeAnswer, parseRetryAfter } from '../core/alerting/delivery.ts'
import { literalRefusal } from '../net/address-policy.ts'
import { postOnce } from '../net/http-request.ts'
import type { Network } from '../net/network.ts'
import { logText } from './log-text.ts'
import type { Reading } from './reading.ts'
import { NOTHING_READ, parseBody } from './reading.ts'

/** Dependencies shared by the HTTP channels. */
export type PostOffice = { network: Network; now: () => Date; attemptTimeoutMs: number }

export type Letter = {
  url: string
  body: string
  headers?: Record<string, string>
  /** Texts to keep out of the delivery log. */
  secrets?: string[]
  /** Extracts what this service's response body adds to the status line. */
  read?: (body: unknown) => Reading
}

/**
 * Posts JSON once and judges the response. If the policy refuses an address literal in the URL, that is final. A name
 * that resolves to a refused address may resolve to another one later, so it is retried like any failed connection.
 */
export async function postJson(
  office: PostOffice,
  letter: Letter,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const secrets = letter.secrets ?? []
  const refusal = literalRefusal(office.network.policy, letter.url)
  if (refusal !== null) return { kind: 'rejected', statusCode: null, detail: refusal }
  const headers = { 'content-type': 'application/json', 'user-agent': 'Upbeat', ...letter.headers }
  const request = { url: letter.url, headers, body: letter.body }
  const answer = await postOnce(office.network, request, office.attemptTimeoutMs, signal)
  if (answer.kind === 'failed') {
    const detail = logText(answer.reason, secrets)
    return { kind: 'retry', statusCode: null, detail, retryAfterSeconds: null }
  }
  const reading = letter.read?.(parseBody(answer.body)) ?? NOTHING_READ
  const statusCode = reading.statusCode ?? answer.statusCode
  const said = reading.detail ?? answer.body.trim()
  const told = parseRetryAfter(answer.headers['retry-after'], office.now())
  return judgeAnswer(
    statusCode,
    logText(`HTTP ${statusCode}${redirectNote(statusCode)}${said && `: ${said}`}`, secrets),
    longer(told, reading.retryAfterSeconds),
  )
}

function redirectNote(statusCode: number): string {
  return statusCode >= 300 && statusCode < 400 ? ' (redirects are not followed)' : ''
}

function longer(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}
