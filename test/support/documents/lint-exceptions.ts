/** Complaints that a linter may have about the document, and why. One that no longer occurs must be removed. */
export type LintException = { rule: string; where: RegExp; why: string }

const PINGS = /^paths\/\/(ping|manual)\//
const PINGS_AND_BADGES = /^paths\/\/(ping|manual|badge)\//

/** Redocly's recommended rules have no exception. */
export const REDOCLY_EXCEPTIONS: LintException[] = []

export const SPECTRAL_EXCEPTIONS: LintException[] = [
  {
    rule: 'owasp:api4:2023-string-restricted',
    where: /./,
    why: 'Names, causes and messages are free text: it has a length, and no shape.',
  },
  {
    rule: 'owasp:api4:2023-integer-limit',
    where: /\/(check_interval_minutes|ip_version)$/,
    why: 'The values are listed, which is a bound; what generators make of a second one beside it does not compile.',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    where:
      /^paths\/\/(monitors|incidents|notification-contacts|team|ping|manual)|^paths\/\/badge\/.*\/500\/|^webhooks|^components\/responses/,
    why: 'A token is for programs: pages of other sites cannot ask the API, so no answer names an origin.',
  },
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    where: /\/properties\/steps\/items\/properties\/headers$/,
    why: 'The rule looks for answers by their `headers`; these are the headers that a step of a check sends.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    where: /\/responses\/(401|410)\/headers$/,
    why: 'Without a valid token there is no user whose limit could be told; a sunset is told before it is asked.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    where: PINGS_AND_BADGES,
    why: 'Limits of pings and badges are per address and heartbeat; jobs and pages read no headers, 429 has Retry-After.',
  },
  {
    rule: 'owasp:api8:2023-define-error-validation',
    where: /./,
    why: 'Where neither body nor query is read nothing can be invalid; an id that is none is 404.',
  },
  {
    rule: 'owasp:api2:2023-read-restricted',
    where: PINGS_AND_BADGES,
    why: 'Pings and badges need no token header, as the specification says.',
  },
  {
    rule: 'owasp:api2:2023-write-restricted',
    where: PINGS,
    why: 'The token in the path is the credential of a ping, as the specification says.',
  },
  {
    rule: 'owasp:api2:2023-no-credentials-in-url',
    where: PINGS,
    why: 'A job requests one URL, with whatever it has; the token pings one monitor and does nothing else.',
  },
  {
    rule: 'owasp:api8:2023-define-error-responses-401',
    where: PINGS_AND_BADGES,
    why: 'What asks for no token header refuses none; a wrong token of a ping is 404.',
  },
]
