import type { DeliveryOutcome } from '../core/alerting/delivery.ts'
import { judgeAnswer, MAX_RECEIPT_LENGTH, parseRetryAfter } from '../core/alerting/delivery.ts'
import { type AddressKind, policyOf, writtenRefusal } from '../net/address-policy.ts'
import { requestOnce } from '../net/http-request.ts'
import type { Network } from '../net/network.ts'
import type { TlsTerms } from '../net/tls/tls.ts'
import type { ResponseDetails } from './response-details.ts'
import { NO_DETAILS, parseBody } from './response-details.ts'
import { logText } from './text/log-text.ts'

/** Dependencies shared by the HTTP channels. */
export type JsonSender = { network: Network; now: () => Date; attemptTimeoutMs: number }

export type JsonRequest = {
  /** The address is judged by this. */
  kind: AddressKind
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  body: string | Uint8Array
  headers?: Record<string, string>
  /** Texts to keep out of the delivery log. */
  secrets?: string[]
  /** Those of the contact. */
  terms?: TlsTerms | undefined
  /** Extracts what this service's response body adds to the status line. */
  read?: (body: unknown) => ResponseDetails
}

/**
 * Posts JSON, or what `headers` say, once and judges the response. If the policy refuses the address in the URL, that is
 * final. A name that resolves to a refused address may resolve to another one later, so it is retried like any
 * failed connection.
 */
export async function postJson(
  sender: JsonSender,
  request: JsonRequest,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const secrets = request.secrets ?? []
  const { kind, url, body, method = 'POST' } = request
  const refusal = writtenRefusal(policyOf(kind, sender.network.privateTargets), url)
  if (refusal !== null) return { kind: 'rejected', statusCode: null, detail: refusal }
  const headers = { 'content-type': 'application/json', 'user-agent': 'Upbeat', ...request.headers }
  const post = { kind, url, method, headers, body, terms: request.terms }
  const answer = await requestOnce(sender.network, post, sender.attemptTimeoutMs, signal)
  if (answer.kind === 'failed') {
    const detail = logText(answer.reason, secrets)
    return { kind: 'retry', statusCode: null, detail, retryAfterSeconds: null }
  }
  const details = request.read?.(parseBody(answer.body)) ?? NO_DETAILS
  const statusCode = details.statusCode ?? answer.statusCode
  const said = details.detail ?? answer.body.trim()
  const waitSeconds = parseRetryAfter(answer.headers['retry-after'], sender.now())
  const outcome = judgeAnswer(
    statusCode,
    logText(`HTTP ${statusCode}${redirectNote(statusCode)}${said && `: ${said}`}`, secrets),
    longer(waitSeconds, details.retryAfterSeconds),
  )
  const { receipt, moved } = details
  if (outcome.kind === 'rejected' && moved) {
    return { kind: 'moved', statusCode, detail: outcome.detail, config: moved }
  }
  const isKept = outcome.kind === 'sent' && receipt !== undefined && receipt.length <= MAX_RECEIPT_LENGTH
  return isKept ? { ...outcome, receipt } : outcome
}

/** The terms of TLS of a contact that may be a server of one's own; undefined for the usual ones. */
export function termsOf({ verify_tls }: { verify_tls?: 'no' }): TlsTerms | undefined {
  return verify_tls === 'no' ? { verifies: false, credentials: {} } : undefined
}

function redirectNote(statusCode: number): string {
  return statusCode >= 300 && statusCode < 400 ? ' (redirects are not followed)' : ''
}

function longer(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}
