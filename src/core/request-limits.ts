/** Body of an API request; a larger one gets 413. */
export const MAX_BODY_BYTES = 256 * 1_024

/** Form submitted by a page or by an OAuth client. */
export const MAX_FORM_BYTES = 16_384

/** Requests allowed per 60-second window; further ones get 429 until it ends. */
export const RATE_LIMITS = {
  /** Per user, across all tokens. */
  perUser: 60,
  perHeartbeat: 60,
  /** Pings with right tokens from one IP address. */
  pingsPerAddress: 300,
  badgesPerAddress: 300,
  /** Standard inputs send often, and in parts. */
  reportsPerServer: 120,
  /** Readings of the scripts that install a server's agent. */
  scriptsPerServer: 60,
  /** Uses of a link from a letter. */
  perLink: 60,
  /** Renewals of a program's access; one needs one an hour. */
  perOauthGrant: 60,
  /** Messages of an AI client that are no tool calls: a client lists tools once, and then calls them. */
  mcpMessagesPerUser: 300,
  perSwitch: 60,
  /** A calendar is worked out for a year each time. */
  perCalendar: 30,
  /** Uses of a mailed link about a subscription. */
  perSubscription: 60,
} as const

/**
 * Wrong secrets that clients of one network may send per 60-second window, by the door where they are sent. They count
 * apart from right ones, so that a neighbor behind the same address uses up nothing of others.
 */
export const WRONG_SECRETS = {
  /** Pings, pushes and switches: job runners ask on for many jobs that were deleted. */
  ping: 300,
  badge: 300,
  report: 30,
  probe: 30,
  calendar: 30,
  invitation: 30,
  subscription: 120,
  letter: 120,
  /** Codes, refresh tokens and client IDs: programs behind one address ask on after they were disconnected. */
  oauth: 120,
} as const

export type SecretDoor = keyof typeof WRONG_SECRETS
