const DAY_MS = 24 * 3_600_000
/** A session that is not used for this long ends. */
const IDLE_MS = 14 * DAY_MS
/** Every session ends after this long. */
const MAX_MS = 90 * DAY_MS

/** When a session ends that is in use at `now`. */
export function sessionExpiry(createdAt: Date, now: Date): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + MAX_MS))
}

/**
 * Whether a state-changing request comes from our own pages. Browsers send the origin with every such
 * request; other clients send none, and hold no session cookie. `host` is the host the client connected to:
 * the service may be reachable under more names than SITE_URL.
 */
export function isOwnOrigin(origin: string | undefined, host: string | undefined, siteUrl: string): boolean {
  if (origin === undefined) return true
  const site = new URL(siteUrl)
  return origin === site.origin || (host !== undefined && origin === `${site.protocol}//${host}`)
}
