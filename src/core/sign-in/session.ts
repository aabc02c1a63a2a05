const DAY_MS = 24 * 3_600_000
/** A session that nobody uses for so long ends, … */
const IDLE_MS = 14 * DAY_MS
/** … and any ends after so long. */
const MAX_MS = 90 * DAY_MS

/** When a session ends that is used now and then no more. */
export function sessionExpiry(createdAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + MAX_MS))
}

/**
 * Whether a request that changes something comes from our own pages. Browsers name the origin of every such
 * request; programs name none, and carry no cookie that they were not given.
 * `host` is what the client asked for: the service may be reached by more names than SITE_URL.
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, siteUrl: string): boolean {
  if (origin === undefined) return true
  const site = new URL(siteUrl)
  return origin === site.origin || (host !== undefined && origin === `${site.protocol}//${host}`)
}
