import { MAIL_BOUNDS, type MailBound, type MailBoundName } from '../core/accounts/mail-bounds.ts'
import { MAIL_TESTS_PER_MINUTE } from '../core/accounts/service-settings.ts'
import { clientNetwork } from '../core/client-address.ts'
import { DIAGNOSES_PER_MINUTE } from '../core/monitors/incidents/diagnosis.ts'
import { TRIALS_PER_MINUTE } from '../core/probing/trial.ts'
import { RATE_LIMITS, type SecretDoor, WRONG_SECRETS } from '../core/request-limits.ts'
import { keysOf } from '../core/shape.ts'
import { SHARED } from '../core/sharing/shared.ts'
import type { Tally } from '../metrics/tally.ts'
import type { Services } from '../operations/services.ts'
import type { Database } from '../postgres/database.ts'
import {
  countingHereAtFirst,
  countingHereInTrouble,
  createRateLimit,
  createUseCounter,
  type RateLimit,
  refusingHereOnceUsedUp,
} from '../store/rate-limits.ts'
import { countRefusals } from './counters.ts'

/** Wires the rate limits, which hold over all processes; their names are those of their counts in the database. */
export function createLimits(
  db: Database,
  tally: Tally,
  now: () => Date,
  onTrouble: (error: unknown) => void,
  signup: 'open' | 'closed',
): Services['limits'] {
  const count = createUseCounter(db, now)
  const limitFor = (name: string, limit: number, windowSeconds: number) =>
    countRefusals(tally, name, createRateLimit(db, count, { name, limit, windowSeconds, now }))
  const limitPer = (minutes: number) => (name: string, limit: number) => limitFor(name, limit, minutes * 60)
  const perMinute = limitPer(1)
  /** The recorder keeps a ping until it can be written; a job whose pings were turned away would look silent. */
  const ofPings = (name: string, limit: number) =>
    countingHereInTrouble(perMinute(name, limit), { limit, windowSeconds: 60, now, onTrouble })
  /** Ten thousand servers, each far below its limit, need no count in the database. */
  const ofReports = (name: string, limit: number) =>
    countingHereAtFirst(ofPings(name, limit), { limit, free: limit / 10, windowSeconds: 60, now })
  /** Wrong links are many, and asked for once each: they need no row in the database. */
  const ofLinks = (name: string, limit: number) =>
    countingHereAtFirst(perMinute(name, limit), { limit, free: limit / 10, windowSeconds: 60, now })
  /** The limit on wrong secrets must not depend on the database more than the doors behind it do. */
  const wrongSecrets = (door: SecretDoor) => {
    const [name, limit] = [`wrong-${door}`, WRONG_SECRETS[door]]
    const shared = createRateLimit(db, count, { name, limit, windowSeconds: 60, now })
    const counted = countingHereInTrouble(shared, { limit, windowSeconds: 60, now, onTrouble })
    return byNetwork(countRefusals(tally, name, refusingHereOnceUsedUp(counted, { limit, now })))
  }
  const perTenMinutes = limitPer(10)
  const perHour = limitPer(60)
  const ofMails = (name: MailBoundName) => {
    const { per, most, windowSeconds }: MailBound = MAIL_BOUNDS[name]
    const limit = limitFor(name, most[signup], windowSeconds)
    return per === 'client' ? byNetwork(limit) : limit
  }
  return {
    perUser: perMinute('user', RATE_LIMITS.perUser),
    perWrongSecret: {
      ping: wrongSecrets('ping'),
      badge: wrongSecrets('badge'),
      report: wrongSecrets('report'),
      probe: wrongSecrets('probe'),
      calendar: wrongSecrets('calendar'),
      invitation: wrongSecrets('invitation'),
      subscription: wrongSecrets('subscription'),
      letter: wrongSecrets('letter'),
      oauth: wrongSecrets('oauth'),
    },
    perHeartbeat: ofPings('heartbeat', RATE_LIMITS.perHeartbeat),
    perAddress: ofPings('address', RATE_LIMITS.pingsPerAddress),
    perBadgeAddress: byNetwork(perMinute('badge-address', RATE_LIMITS.badgesPerAddress)),
    perReportingServer: ofReports('server', RATE_LIMITS.reportsPerServer),
    perInstalledServer: perMinute('server-script', RATE_LIMITS.scriptsPerServer),
    perSwitch: perMinute('maintenance-switch', RATE_LIMITS.perSwitch),
    perCalendar: perMinute('calendar', RATE_LIMITS.perCalendar),
    perTestedTeam: perMinute('test-alert', 10),
    perTryingTeam: perMinute('trial-check', TRIALS_PER_MINUTE),
    perDiagnosedTeam: perMinute('diagnosis', DIAGNOSES_PER_MINUTE),
    perMailTester: perMinute('mail-test', MAIL_TESTS_PER_MINUTE),
    perSignInAddress: byNetwork(perTenMinutes('sign-in-address', 30)),
    perEnteringAddress: byNetwork(perTenMinutes('entering-address', 300)),
    perOidcAddress: byNetwork(perTenMinutes('oidc-address', 30)),
    perFailingAddress: byNetwork(perTenMinutes('failing-address', 30)),
    perFailingPair: perTenMinutes('failing-pair', 10),
    perFailingAccount: perTenMinutes('failing-account', 100),
    perKnownDevice: perTenMinutes('known-device', 10),
    perSecondFactor: perTenMinutes('second-factor', 10),
    perProof: perTenMinutes('proof', 10),
    perPageClient: perTenMinutes('page-client', 10),
    perPage: perTenMinutes('page', 500),
    perStrainedPageClient: perTenMinutes('strained-page-client', 3),
    perSubscriptionClient: byNetwork(perMinute('subscription-client', 120)),
    mails: Object.fromEntries(keysOf(MAIL_BOUNDS).map((name) => [name, ofMails(name)])) as Record<
      MailBoundName,
      RateLimit
    >,
    perSubscription: perMinute('subscription', RATE_LIMITS.perSubscription),
    perLink: ofLinks('link', RATE_LIMITS.perLink),
    perMcpUser: perMinute('mcp-user', RATE_LIMITS.mcpMessagesPerUser),
    perOauthGrant: perMinute('oauth-grant', RATE_LIMITS.perOauthGrant),
    perConfirmedTick: perMinute('confirmed-tick', 10),
    perDescribingUser: perMinute('oauth-describing-user', 10),
    perRegisteringAddress: byNetwork(perHour('oauth-registering-address', SHARED.programs.most)),
    registrations: perHour('oauth-registrations', SHARED.programs.size),
  }
}

/** Counts clients, not addresses: a client with IPv6 has more addresses than can be counted. */
function byNetwork({ take, giveBack }: RateLimit): RateLimit {
  const networkOf = (address: string | number) => clientNetwork(String(address))
  return {
    take: (address) => take(networkOf(address)),
    giveBack: (address) => giveBack(networkOf(address)),
  }
}
