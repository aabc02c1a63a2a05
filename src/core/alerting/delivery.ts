import type { AlertEvent } from './alert.ts'

/** The outcome of one attempt to send an alert. Expected failure is data. */
export type DeliveryOutcome =
  /** `receipt`: the receiver's own name of the message, by which a later one can answer or edit it. */
  | { kind: 'sent'; statusCode: number | null; detail: string; receipt?: string }
  | { kind: 'retry'; statusCode: number | null; detail: string; retryAfterSeconds: number | null }
  /** Nothing was sent: the receiver is elsewhere now, which these keys of its config say. */
  | { kind: 'moved'; statusCode: number | null; detail: string; config: Record<string, string> }
  /** `refusesReceiver`: it is the address that is refused, for good, and not this message. */
  | { kind: 'rejected'; statusCode: number | null; detail: string; refusesReceiver?: true }

/** Longer names of messages are not kept. */
export const MAX_RECEIPT_LENGTH = 600
export const ATTEMPT_TIMEOUT_MS = 10_000
const FIRST_DELAY_SECONDS = 5
const MAX_DELAY_SECONDS = 3_600
const GIVE_UP_AFTER_SECONDS = 24 * 3_600
const JITTER = 0.2

/** Where a receiver moves more often for one alert, no more is believed. */
const MAX_MOVES = 3

/** Whether an alert goes at once to where its receiver is now; `attempts` counts those before this one. */
export function isWorthFollowing(attempts: number): boolean {
  return attempts < MAX_MOVES
}

/** A test is sent once: its sender sees the outcome and can send another. */
export function isTriedOnce(event: AlertEvent): boolean {
  return event === 'test'
}

/**
 * Seconds until the next attempt, or null to give up. `attempts` counts those already made, `ageSeconds` runs
 * from the delivery's creation, `random` lies in [0, 1). The first retry comes after 5 s; the delay then
 * doubles up to 1 h, plus up to 20 % jitter. A receiver's Retry-After is a lower bound.
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

/** Maps an HTTP response to an outcome: 2xx sent; 1xx, 3xx, 408, 425, 429 and 5xx retry; everything else rejected. */
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

/** Parses a Retry-After header: seconds or an HTTP date (RFC 9110, section 10.2.3); null if it is neither. */
export function parseRetryAfter(value: string | null | undefined, now: Date): number | null {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text))
  // Require the day of the week: Date.parse finds a date in almost any text, including "-5" and "1e3".
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return null
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000))
}
