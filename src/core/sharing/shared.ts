import { RATE_LIMITS } from '../request-limits.ts'

/** Those who share are told apart by this. */
export type Sharer = 'team' | 'account' | 'server' | 'client network'

/**
 * How a capacity is shared. `places`: nobody takes more than share.ts gives. `turns`: one thing at a time, the next one of
 * whoever had the fewest. `rate`: each has a bound that is a small part of all.
 */
export type WayToShare = 'places' | 'turns' | 'rate'

export type SharedCapacity = {
  /** As docs/capacity.md names it. */
  what: string
  size: number
  of: 'thread' | 'process' | 'service'
  sharing: WayToShare
  sharers: readonly [Sharer, ...Sharer[]]
  /** The most of one, where it is not what share.ts gives. */
  most?: number
  /** The fate of one that gets none. */
  otherwise: string
  /** The file that holds it to this. */
  where: string
}

/**
 * Everything of which there is so much for all teams together. Places and turnstiles are made by these names alone: who
 * adds a capacity has to say here how it is shared. docs/capacity.md has the same table.
 */
export const SHARED = {
  alerts: {
    what: 'Alerts being sent',
    size: 64,
    of: 'process',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits',
    where: 'engine/alerting/deliver.ts',
  },
  notices: {
    what: 'Messages to subscribers being sent',
    // Alerts have to overtake ten thousand of these. As measured (bench/status-pages/publication.ts), 12 send four times
    // as fast as 4, and 24 no faster than 12, but alerts are later beside them.
    size: 12,
    of: 'process',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits',
    where: 'engine/status-pages/send-notices.ts',
  },
  reportMails: {
    what: 'Monthly reports being sent',
    // Alerts have to overtake all of a month's morning.
    size: 4,
    of: 'process',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits',
    where: 'engine/reports/send-report-mails.ts',
  },
  letters: {
    what: 'Mails about accounts, invitations and consent being sent',
    size: 8,
    of: 'process',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits',
    where: 'engine/alerting/send-letters.ts',
  },
  liveStreams: {
    what: 'Live streams of the dashboard',
    size: 2_000,
    of: 'process',
    sharing: 'places',
    sharers: ['team', 'client network', 'account'],
    otherwise: 'the newest stream of the team with the most ends, or 503',
    where: 'operations/live-streams.ts',
  },
  checks: {
    what: 'Checks under way',
    size: 2_000,
    of: 'thread',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits',
    where: 'engine/probing/schedule.ts',
  },
  trials: {
    what: 'Tests of settings under way',
    size: 20,
    of: 'thread',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits',
    where: 'engine/probing/make-trials.ts',
  },
  diagnoses: {
    what: 'Diagnoses of incidents under way',
    // Each dials a few addresses at once, and one team has one at a time.
    size: 4,
    of: 'thread',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits; one that has waited for two minutes is not made',
    where: 'engine/incidents/diagnose.ts',
  },
  confirmations: {
    what: 'Checks that other regions asked for under way',
    size: 200,
    of: 'thread',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits',
    where: 'engine/probing/answer-confirmations.ts',
  },
  handshakes: {
    what: 'TLS handshakes',
    // More at the same time only delay each other: at 1,000 they add a second that is our own.
    size: 64,
    of: 'thread',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits',
    where: 'net/network.ts',
  },
  browserChecks: {
    what: 'Checks in browsers under way (`BROWSER_CHECKS`)',
    // Each takes some hundred MB and up to a core.
    size: 2,
    of: 'process',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits for a minute; then the check is not judged',
    where: 'probes/browser/browsers.ts',
  },
  looks: {
    what: 'Looks at areas of sites',
    // A silent site takes half a minute.
    size: 64,
    of: 'process',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits',
    where: 'engine/sites/look-loop.ts',
  },
  crawls: {
    what: 'Crawls of sites',
    // Most of them wait for hosts most of the time. Each keeps in memory what it has come to, some megabytes.
    size: 32,
    of: 'process',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits; a long crawl makes way for a team that has none',
    where: 'core/sites/crawl/crawl-turns.ts',
  },
  crawlRequests: {
    what: 'Requests of crawls',
    // A page of each is in memory until it is written, up to 2 MiB.
    size: 32,
    of: 'thread',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits; a crawl that waits for a host holds none',
    where: 'roles/crawl-thread.ts',
  },
  sitemaps: {
    what: 'Sitemaps being read by crawls',
    // Each may have 50 MiB.
    size: 2,
    of: 'thread',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits; a crawl that waits for a host holds none',
    where: 'roles/crawl-thread.ts',
  },
  passwords: {
    what: 'Passwords being hashed',
    // Node has four threads for this, for files and for names: one stays free.
    size: 3,
    of: 'process',
    sharing: 'places',
    sharers: ['client network'],
    otherwise: 'waits, at most 100 of a client; then 503',
    where: 'operations/sign-in/passwords.ts',
  },
  guesses: {
    what: 'Estimates of how hard new passwords are to guess',
    // One thread has the dictionaries, which take 60 MB.
    size: 1,
    of: 'process',
    sharing: 'turns',
    sharers: ['client network'],
    otherwise: 'waits, one of each client before a second one of any, at most 100 of one; then 503',
    where: 'operations/sign-in/passwords.ts',
  },
  logos: {
    what: 'Logos being decoded',
    // Resolving names and hashing passwords need the same few threads of Node.
    size: 1,
    of: 'process',
    sharing: 'turns',
    sharers: ['team'],
    otherwise: 'waits, one of each team before a second one of any',
    where: 'operations/status-pages/judged-logo.ts',
  },
  exports: {
    what: 'Exports of other services being read',
    // Each may take hundreds of MiB.
    size: 2,
    of: 'process',
    sharing: 'places',
    sharers: ['account'],
    otherwise: '409 for a second one of the same person, 503 for others',
    where: 'operations/moving-in/read-export.ts',
  },
  requests: {
    what: 'Requests about records of a team being answered',
    // The pool of the database has 20 connections.
    size: 16,
    of: 'process',
    sharing: 'places',
    sharers: ['team'],
    otherwise: 'waits, at most 200 of a team; then 503',
    where: 'operations/run.ts',
  },
  domainProofs: {
    what: 'Look-ups of own domains, a minute',
    size: 20,
    of: 'service',
    sharing: 'turns',
    sharers: ['team'],
    otherwise: 'waits, one of each team before a second one of any',
    where: 'store/status-pages/domains.ts',
  },
  editions: {
    what: 'Monthly reports being made',
    size: 1,
    of: 'process',
    sharing: 'turns',
    sharers: ['team'],
    otherwise: 'waits, one of each team before a second one of any',
    where: 'store/reports/editions.ts',
  },
  serverReports: {
    what: 'Reports of servers that wait to be recorded',
    // More would fill the memory while the database is away.
    size: 20_000,
    of: 'process',
    sharing: 'rate',
    sharers: ['server'],
    most: RATE_LIMITS.reportsPerServer,
    otherwise: '429 to the server, 503 to all where nothing is recorded',
    where: 'engine/servers/server-recorder.ts',
  },
  programs: {
    what: 'Programs registered by OAuth, an hour',
    size: 1_000,
    of: 'service',
    sharing: 'rate',
    sharers: ['client network'],
    most: 20,
    otherwise: '429',
    where: 'roles/rate-limits.ts',
  },
} as const satisfies Record<string, SharedCapacity>

export type SharedName = keyof typeof SHARED

export function sizeOf(name: SharedName): number {
  return SHARED[name].size
}
