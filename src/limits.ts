import { RATE_LIMITS } from './core/request-limits.ts'
import { countRefusals } from './counting.ts'
import type { Tally } from './metrics/tally.ts'
import type { Services } from './operations/services.ts'
import type { Database } from './store/database.ts'
import { createRateLimit } from './store/rate-limits.ts'

const now = () => new Date()

/** How often each thing may be done, over all processes; the names are those of their counts in the database. */
export function createLimits(db: Database, tally: Tally): Services['limits'] {
  const limitPer = (minutes: number) => (name: string, limit: number) =>
    countRefusals(tally, name, createRateLimit(db, { name, limit, windowSeconds: minutes * 60, now }))
  const perMinute = limitPer(1)
  const perTenMinutes = limitPer(10)
  const perHour = limitPer(60)
  return {
    perUser: perMinute('user', RATE_LIMITS.perUser),
    perHeartbeat: perMinute('heartbeat', RATE_LIMITS.perHeartbeat),
    perAddress: perMinute('address', RATE_LIMITS.pingsPerAddress),
    perBadgeAddress: perMinute('badge-address', RATE_LIMITS.badgesPerAddress),
    perTestedTeam: perMinute('test-alert', 10),
    perSignInAddress: perTenMinutes('sign-in-address', 30),
    perSignInAccount: perTenMinutes('sign-in-account', 10),
    perMailbox: perTenMinutes('mailbox', 3),
    perInvitingTeam: perHour('inviting-team', 60),
    perOauthAddress: perMinute('oauth-address', 300),
    perConfirmedTick: perMinute('confirmed-tick', 10),
    perDescribingUser: perMinute('oauth-describing-user', 10),
    perRegisteringAddress: perHour('oauth-registering-address', 20),
    registrations: perHour('oauth-registrations', 1_000),
  }
}
