import type { Registration } from './registration.ts'
import { EXPIRY_LINES, REFUSED, UNREGISTERED } from './whois-words.ts'
import { readDate } from './written-date.ts'

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

/** The registry of tk and its sisters; any other date of the text that has no 13th month tells, too. */
const MONTH_FIRST = /^[ \t]*record will expire on:|\b\d{1,2}\/(?:1[3-9]|2\d|3[01])\/\d{4}\b/im

/** Reads what a WHOIS server said about a domain: free text, different at each registry. */
export function readWhois(answer: string): Registration {
  const text = withoutRuns(answer)
  if (text.trim() === '') return { kind: 'unknown', reason: 'the registry gave an empty answer' }
  const order = MONTH_FIRST.test(text) ? 'month first' : 'day first'
  for (const pattern of EXPIRY_LINES) {
    const [, value] = pattern.exec(text) ?? []
    const expiresAt = value === undefined ? null : readDate(value, order)
    if (expiresAt) return { kind: 'dated', expiresAt, statuses: [] }
  }
  // France says both that it was asked too often and that it found nothing.
  if (REFUSED.test(text)) return { kind: 'unknown', reason: 'the registry refuses to answer so often' }
  if (UNREGISTERED.test(text)) return { kind: 'unregistered' }
  return { kind: 'undated', statuses: [] }
}

/** Runs of blanks and dots fill columns; patterns would try every way to split a run that never ends. */
function withoutRuns(text: string): string {
  return text.replace(/[ \t]{3,}/g, '  ').replace(/\.{4,}/g, '...')
}
