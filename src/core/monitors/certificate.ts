import type { CheckResult } from './check.ts'

const DAY_MS = 86_400_000

/** Full days until the certificate expires, rounded down; negative once it has. */
export function daysRemaining(expiresAt: Date, now: Date): number {
  return Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS)
}

/** Turns a check that passed into `degraded` if its certificate expires within the warning time. */
export function warnOfExpiry(result: CheckResult, warningDays: number, now: Date): CheckResult {
  if (result.status !== 'up' || !result.certificate) return result
  const { expiresAt } = result.certificate
  if (expiresAt.getTime() - now.getTime() > warningDays * DAY_MS) return result
  const days = countDays(daysRemaining(expiresAt, now))
  // The warning is what matters then.
  const { note: _, ...found } = result
  return { ...found, status: 'degraded', errorMessage: `certificate expires in ${days}` }
}

export function countDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}
