import { formatInstant } from '../instant.ts'
import { type CheckResult, passes, type SeenCertificate } from './check.ts'

const DAY_MS = 86_400_000

/** Full days until the certificate expires, rounded down; negative once it has. */
export function daysRemaining(expiresAt: Date, now: Date): number {
  return Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS)
}

/** Turns a check that passed into `degraded` if its certificate expires within the warning time, where there is one. */
export function warnOfExpiry(result: CheckResult, warningDays: number | undefined, now: Date): CheckResult {
  if (!passes(result.status) || !result.certificate || warningDays === undefined) return result
  const { expiresAt } = result.certificate
  if (expiresAt.getTime() - now.getTime() > warningDays * DAY_MS) return result
  if (expiresAt <= now) return warnOfExpired(result, expiresAt, now)
  const expiry = `certificate expires in ${countDays(daysRemaining(expiresAt, now))}`
  if (result.unmet) return { ...result, expiry }
  // The warning is what matters then.
  const { note: _, ...found } = result
  return { ...found, status: 'degraded', errorMessage: expiry }
}

/** Only a check that verifies no certificate passes with such a one. It warns when that begins, as of what is unmet. */
function warnOfExpired(result: CheckResult, expiresAt: Date, now: Date): CheckResult {
  if (result.unmet) return result
  const { note: _, ...found } = result
  const days = daysRemaining(now, expiresAt)
  const errorMessage = `certificate expired ${days === 0 ? 'less than a day' : countDays(days)} ago`
  return { ...found, status: 'degraded', errorMessage, unmet: true }
}

export function countDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

/** A certificate that a monitor has warned of, as it is stored. */
export type WarnedCertificate = { fingerprint: string; expires_at: string }

/**
 * Enough for every machine behind a balancer. With so many on record a monitor warns of no further one until some have
 * expired: a server that shows a new certificate at each connection must not alert at each check.
 */
export const MAX_WARNED_CERTIFICATES = 64

type Warnings = {
  /** The last one warned of: all that the release before keeps. */
  warnedCertificate: string | null
  warnedCertificates: readonly WarnedCertificate[] | null
  /** When the certificate that was seen last expires. */
  sslExpiresAt: Date | null
}

/** The certificates that need no warning any more. One that has expired fails its checks, and is forgotten. */
export function standingWarnings(
  { warnedCertificate, warnedCertificates, sslExpiresAt }: Warnings,
  at: Date,
): readonly WarnedCertificate[] {
  const known = (warnedCertificates ?? []).filter(({ expires_at }) => new Date(expires_at) > at)
  if (warnedCertificate === null || known.some(({ fingerprint }) => fingerprint === warnedCertificate))
    return known
  const expiresAt = sslExpiresAt && sslExpiresAt > at ? sslExpiresAt : at
  return [...known, { fingerprint: warnedCertificate, expires_at: formatInstant(expiresAt) }]
}

export function needsWarning(warned: readonly WarnedCertificate[], seen: SeenCertificate): boolean {
  return (
    warned.length < MAX_WARNED_CERTIFICATES &&
    warned.every(({ fingerprint }) => fingerprint !== seen.fingerprint)
  )
}

export function asWarned({ fingerprint, expiresAt }: SeenCertificate): WarnedCertificate {
  return { fingerprint, expires_at: formatInstant(expiresAt) }
}
