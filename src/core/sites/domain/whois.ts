import { plausibleDate, type Registration } from './registration.ts'

/** WHOIS (RFC 3912): IANA's server says which one knows a top-level domain. */
export const IANA_WHOIS = 'whois.iana.org'
export const MAX_WHOIS_BYTES = 65_536

const HOST_NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])$/

/** The server that IANA's answer about a top-level domain names; null where its registry has none. */
export function readReferral(text: string): string | null {
  const [, server] = /^(?:whois|refer):[ \t]*(\S+)[ \t]*$/im.exec(text) ?? []
  const name = server?.toLowerCase()
  return name && HOST_NAME.test(name) && name.includes('.') ? name : null
}

/** The line that asks a server for a domain; a few want more than the name. */
export function whoisQuestion(domain: string, topLevel: string): string {
  return `${QUESTIONS[topLevel]?.(domain) ?? domain}\r\n`
}

const QUESTIONS: Record<string, (domain: string) => string> = {
  de: (domain) => `-T dn,ace ${domain}`,
  dk: (domain) => `--show-handles ${domain}`,
  jp: (domain) => `${domain}/e`,
}

/** Labels of the line with the end of a registration, in the words of registries, the most exact first. */
const LABELS = [
  'registry expiry date',
  'registrar registration expiration date',
  'expiration date',
  'expiration time',
  'expiry date',
  'expire date',
  'expires on',
  'expires at',
  'expires',
  'expire',
  'expire-date',
  'expiration',
  'exp date',
  'paid-till',
  'paid till',
  'valid until',
  'validity',
  'valid-date',
  'renewal date',
  'record expires on',
  'record will expire on',
  'domain expires',
  'domain expiration date',
  'domain_datebilleduntil',
  'registered until',
  'free-date',
]

/** `label:`, `label...:`, `[label]`, and without a colon where the registry has none. */
const LINES = LABELS.map(
  (label) =>
    new RegExp(
      `^[ \\t%>*]*\\[?${label.replaceAll(' ', '[ _-]')}\\]?(?:[ \\t.]*:|\\.{2,}|[ \\t]+)[ \\t.]*(\\S[^\\r\\n]*)`,
      'im',
    ),
)
const BARE_LINES = LABELS.map(
  (label) => new RegExp(`^[ \\t]*${label}[ \\t]*:?[ \\t]*\\r?\\n[ \\t]+(\\S[^\\r\\n]*)`, 'im'),
)

const UNREGISTERED =
  /^[ \t%>*]*(?:no match(?:ing)?\b|not found\b|no (?:entries|data|object|domain|information|such domain)[^\r\n]{0,40}\bfound\b|domain(?: name)? not found|status:[ \t]*(?:free|available)[ \t]*$|the queried object does not exist|nothing found\b|\S+ is free[ \t]*$|no found\b|object does not exist|domain status:[ \t]*no object found|[^\r\n]{0,80}\b(?:is not|has not been) registered\b|error:\d+: domain is not registered|nincs talalat|this query returned 0 objects|no information available about domain name|invalid query or domain name not known|domain [^\r\n]{1,80} (?:not found|is available))/im

/** Some registries answer so instead of what was asked. */
const REFUSED =
  /quota|rate limit|exceeded|too many|try again later|access denied|blacklist|not authori[sz]ed|requests of this client are not permitted/i

/** Reads what a WHOIS server said about a domain: free text, different at each registry. */
export function readWhois(text: string): Registration {
  if (text.trim() === '') return { kind: 'unknown', reason: 'the registry gave an empty answer' }
  for (const pattern of [...LINES, ...BARE_LINES]) {
    const [, value] = pattern.exec(text) ?? []
    const expiresAt = value === undefined ? null : readDate(value)
    if (expiresAt) return { kind: 'dated', expiresAt, statuses: [] }
  }
  if (UNREGISTERED.test(text)) return { kind: 'unregistered' }
  if (text.length < 2_000 && REFUSED.test(text))
    return { kind: 'unknown', reason: 'the registry refuses to answer so often' }
  return { kind: 'undated', statuses: [] }
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
type Parts = [year: string | undefined, month: string | undefined, day: string | undefined]

/** How registries write a day. A time of day in UTC is taken where it is ISO 8601; of others the day counts. */
const FORMS: [RegExp, (found: RegExpExecArray) => Parts][] = [
  // 2027-01-31, 2027/01/31, 2027.01.31, 2027. 01. 31.
  [/^(\d{4})[-/.] ?(\d{1,2})[-/.] ?(\d{1,2})/, ([, year, month, day]) => [year, month, day]],
  // 2027-Jan-31
  [/^(\d{4})[-. /]([a-z]{3})[a-z]*[-. /](\d{1,2})/i, ([, year, month, day]) => [year, monthOf(month), day]],
  // 20270131
  [/^(\d{4})(\d{2})(\d{2})(?!\d)/, ([, year, month, day]) => [year, month, day]],
  // 31-Jan-2027, 31 January 2027, 31.jan.2027
  [/^(\d{1,2})[-. /]([a-z]{3})[a-z]*[-. /,]+(\d{4})/i, ([, day, month, year]) => [year, monthOf(month), day]],
  // January 31 2027, Jan 31, 2027
  [/^([a-z]{3})[a-z]*[ .]+(\d{1,2}),?[ ]+(\d{4})/i, ([, month, day, year]) => [year, monthOf(month), day]],
  // Sun Jan 31 12:00:00 2027
  [
    /^[a-z]{3},? ([a-z]{3}) +(\d{1,2}) [\d:]+ (?:[a-z]+ )?(\d{4})/i,
    ([, month, day, year]) => [year, monthOf(month), day],
  ],
  // 31.01.2027, 31/01/2027, 31-01-2027: no registry puts the month first
  [/^(\d{1,2})[-/.] ?(\d{1,2})[-/.] ?(\d{4})/, ([, day, month, year]) => [year, month, day]],
]

/** Null for what is no date. A time without a zone is taken for UTC, whatever this machine keeps. */
export function readDate(value: string): Date | null {
  const text = value.trim()
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)) {
    const [iso = ''] =
      /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/.exec(text) ?? []
    const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`
    return plausibleDate(new Date(zoned.replace(' ', 'T')))
  }
  for (const [pattern, partsOf] of FORMS) {
    const found = pattern.exec(text)
    const [year, month, day] = found ? partsOf(found) : []
    if (year && month && day) return dayOf(Number(year), Number(month), Number(day))
  }
  return null
}

/** Null for a day that the calendar does not have. */
function dayOf(year: number, month: number, day: number): Date | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? plausibleDate(date) : null
}

function monthOf(name = ''): string | undefined {
  const index = MONTHS.indexOf(name.slice(0, 3).toLowerCase())
  return index < 0 ? undefined : String(index + 1)
}
