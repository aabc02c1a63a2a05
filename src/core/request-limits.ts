/** Of a request to the API; a larger one is refused with 413. */
export const MAX_BODY_BYTES = 256 * 1_024

/** Of a form that a page, or a program that is let in, sends. */
export const MAX_FORM_BYTES = 16_384

/** Requests that are answered in a window of 60 seconds; the next is refused with 429 until it is over. */
export const RATE_LIMITS = {
  /** Of a user, over all tokens. */
  perUser: 60,
  perHeartbeat: 60,
  /** Of pings of any heartbeat, from one IP address. */
  pingsPerAddress: 300,
  badgesPerAddress: 300,
} as const
