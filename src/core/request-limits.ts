/** Body of an API request; a larger one gets 413. */
export const MAX_BODY_BYTES = 256 * 1_024

/** Form submitted by a page or by an OAuth client. */
export const MAX_FORM_BYTES = 16_384

/** Requests allowed per 60-second window; further ones get 429 until it ends. */
export const RATE_LIMITS = {
  /** Per user, across all tokens. */
  perUser: 60,
  perHeartbeat: 60,
  /** Pings of any heartbeat from one IP address. */
  pingsPerAddress: 300,
  badgesPerAddress: 300,
  /** Standard inputs send often, and in parts. */
  reportsPerServer: 120,
  /** Of a data center whose servers share an address. */
  reportsPerAddress: 6_000,
  perSwitch: 60,
  /** A calendar is worked out for a year each time. */
  perCalendar: 30,
} as const
