import type { AlertEvent } from './alert.ts'

/** How sending one alert to one contact ended this time. Expected failure is data. */
export type DeliveryOutcome =
  | { kind: 'sent'; statusCode: number | null; detail: string }
  | { kind: 'retry'; statusCode: number | null; detail: string; retryAfterSeconds: number | null }
  | { kind: 'rejected'; statusCode: number | null; detail: string }

export const ATTEMPT_TIMEOUT_MS = 10_000
const FIRST_DELAY_SECONDS = 5
const MAX_DELAY_SECONDS = 3_600
const GIVE_UP_AFTER_SECONDS = 24 * 3_600
const JITTER = 0.2

/** Whoever sends a test looks at the answer and can send another: a failure is final at once. */
export function isTriedOnce(event: AlertEvent): boolean {
  return event === 'test'
}

/**
 * Seconds to wait before the next attempt, or null when it is time to give up.
 * `attempts` counts those already made, `ageSeconds` runs from the delivery's creation,
 * `random` lies in [0, 1). The first retry comes after 5 s, then doubling up to 1 h, plus up to 20 % of jitter;
 * a receiver's Retry-After is honoured as a lower bound.
 */
export function nextDelaySeconds(
  attempts: number,
  ageSeconds: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  const backoff = Math.min(
    FIRST_DELAY_SECONDS * 2 ** Math.min(Math.max(attempts - 1, 0), 20),
    MAX_DELAY_SECONDS,
  )
  const delay = Math.max(backoff * (1 + JITTER * random), retryAfterSeconds ?? 0)
  return ageSeconds + delay > GIVE_UP_AFTER_SECONDS ? null : delay
}

/** What an HTTP answer means for a delivery: 2xx sent; 408, 425, 429 and 5xx retry; anything else rejected. */
export function judgeAnswer(
  statusCode: number,
  detail: string,
  retryAfterSeconds: number | null,
): DeliveryOutcome {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'sent', statusCode, detail }
  const worthRetrying = statusCode < 400 || statusCode >= 500 || [408, 425, 429].includes(statusCode)
  return worthRetrying
    ? { kind: 'retry', statusCode, detail, retryAfterSeconds }
    : { kind: 'rejected', statusCode, detail }
}

/** Reads a Retry-After header: seconds or an HTTP date (RFC 9110, section 10.2.3); null when it says nothing. */
export function parseRetryAfter(value: string | null | undefined, now: Date): number | null {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text))
  // Without its day of the week, Date.parse would read a date into almost anything, "-5" and "1e3" included.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000))
}
