import type { Assertion } from '../core/expectations/assertion.ts'
import { type Said, said } from '../core/language/said.ts'
import { DeclaredMonitor } from '../core/monitors/declaration.ts'
import {
  LONGEST_MINUTES,
  MAX_STATUS_CODE,
  MAX_TIMEOUT_SECONDS,
  MAX_WARNING_DAYS,
  MIN_STATUS_CODE,
  type MonitorCreate,
} from '../core/monitors/monitor.ts'
import { hasInterval } from '../core/monitors/monitor-types.ts'
import { mergeOptions, type SentOptions } from '../core/monitors/options/monitor-options.ts'
import { isReservedHeader } from '../core/monitors/request-headers.ts'
import { parseTarget } from '../core/monitors/target.ts'
import type { Security } from '../core/monitors/types/entry.ts'
import { describeSeconds, fitInterval } from '../core/moving-in/intervals.ts'
import type { Limits, OldPing } from '../core/moving-in/outcome.ts'
import { intervalSecondsOf } from '../core/probing/schedule.ts'
import { parseFields } from '../core/validation.ts'
import { type Expected, fittedExpectations } from './expectations.ts'
import { fittedQuestion, type OldQuestion } from './options/dns.ts'
import { fittedPatience, type OldPatience } from './options/patience.ts'
import { fittedRequest, type OldRequest } from './options/request.ts'
import { fittedWaiting, type OldWaiting } from './options/waiting.ts'
import { faultOf } from './reasons.ts'
import { shownCodes, statusAssertions, statusCodesOf } from './status-codes.ts'

type Settings = Pick<
  MonitorCreate,
  'is_active' | 'expected_keyword' | 'port' | 'request_headers' | 'username' | 'password'
>

/** A monitor as the other service had it. Values outside the limits here are adjusted, with a note. */
export type MonitorFacts = Partial<Settings> & {
  name: string
  type: MonitorCreate['type']
  url?: string | null
  intervalSeconds: number
  method?: string
  timeoutSeconds?: number
  /** Such as `200`, `200-299`, `2xx`. */
  acceptedCodes?: string[]
  /** Whether checks followed redirects. Defaults to true. */
  followsRedirects?: boolean
  warningDays?: number
  contacts?: string[]
  /** As `importedTags` gives them. */
  tags?: string[]
  patience?: OldPatience
  /** For a heartbeat. */
  waiting?: OldWaiting
  /** Expectations of the answer, besides its status. */
  expected?: Expected[]
  request?: OldRequest
  /** Whether and how TLS begins, where that is no matter of the type. */
  security?: Security
  /** Sent once the connection is there. */
  send?: string
  /** Options that its type alone has. */
  own?: SentOptions
  /** For a monitor that asks a name server. */
  question?: OldQuestion
  /** For a group: names under which monitors were drafted. */
  members?: string[]
  oldPing?: OldPing['address']
}

type Drafted = { monitor: DeclaredMonitor; notes: Said[] } | { fault: Said }

export function draftMonitor(facts: Omit<MonitorFacts, 'oldPing'>, limits: Limits): Drafted {
  const notes: Said[] = []
  if (namesAnotherHost(facts)) return { fault: ANOTHER_HOST }
  const {
    intervalSeconds,
    timeoutSeconds,
    acceptedCodes,
    followsRedirects,
    warningDays,
    method,
    patience,
    waiting,
    expected = [],
    request,
    question,
    security,
    send,
    own,
    ...settings
  } = facts
  const status = acceptedCodes ? fittedStatus(acceptedCodes, followsRedirects ?? true, notes) : NO_STATUS
  const judged = parseFields(DeclaredMonitor, {
    ...settings,
    // `createDraft` knows all names, and sets this one.
    name: 'drafted',
    contacts: [...new Set(facts.contacts ?? [])],
    ...withoutCredentials(settings, notes),
    ...(hasInterval(settings.type)
      ? fittedInterval(intervalSeconds, limits, notes)
      : { check_interval_minutes: LONGEST_MINUTES }),
    ...(method && { http_method: method.toUpperCase() }),
    ...(timeoutSeconds && { request_timeout_seconds: fittedTimeout(timeoutSeconds, notes) }),
    ...(status.codes && { expected_status_codes: status.codes }),
    ...(warningDays !== undefined && { ssl_expiry_warning_days: fittedWarning(warningDays, notes) }),
    options: mergeOptions(
      {
        ...(waiting && fittedWaiting(waiting, notes)),
        ...(patience && fittedPatience(settings.type, patience, notes)),
      },
      {
        ...(request && fittedRequest(request, notes)),
        ...(question && fittedQuestion(question, notes)),
        ...own,
        security: security ?? null,
        send: send || null,
        assertions: fittedExpectations(status.assertions, expected, notes),
      },
    ),
    ...(settings.request_headers && { request_headers: allowedHeaders(settings.request_headers, notes) }),
  })
  if (judged.ok) return { monitor: judged.value, notes }
  if ('expected_status_codes' in judged.errors) {
    return {
      fault: unexpectable(acceptedCodes),
    }
  }
  return { fault: faultOf(judged.faults) }
}

/** Adds a scheme to a bare host, which may be an IPv6 address. */
export function urlOfHost(scheme: string, host: string): string {
  if (host.includes('://')) return `${scheme}://${parseTarget(host)?.host ?? ''}`
  return `${scheme}://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}`
}

function withoutCredentials({ url, username, password }: Partial<MonitorFacts>, notes: Said[]): object {
  const parsed = url ? parseTarget(url) : null
  if (!url || !parsed || !(parsed.username || parsed.password)) return {}
  notes.push(said('had its user name and password in the URL: they stand in fields of their own now'))
  return {
    url: url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1'),
    username: username || decoded(parsed.username),
    password: password || decoded(parsed.password),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function fittedInterval(wanted: number, limits: Limits, notes: Said[]): object {
  const fitted = fitInterval(wanted, limits)
  const seconds = intervalSecondsOf(fitted)
  if (seconds !== Math.ceil(wanted)) {
    const times = { now: describeSeconds(seconds), before: describeSeconds(wanted) }
    notes.push(
      seconds > wanted
        ? said('is checked every {now}, not {before}: the least that the plan of the team allows', times)
        : said('is checked every {now}, not {before}: the maximum', times),
    )
  }
  return fitted
}

function fittedTimeout(wanted: number, notes: Said[]): number {
  const fitted = Math.min(Math.max(Math.ceil(wanted), 1), MAX_TIMEOUT_SECONDS)
  if (wanted > fitted)
    notes.push(
      said('waits {now} s for an answer, not {before}: the maximum', {
        now: fitted,
        before: describeSeconds(wanted),
      }),
    )
  return fitted
}

type Status = { codes: number[] | null; assertions: Assertion[] }

const NO_STATUS: Status = { codes: null, assertions: [] }

/** The codes that are expected; assertions where they are too many to list, which judge where redirects have ended. */
function fittedStatus(accepted: string[], followsRedirects: boolean, notes: Said[]): Status {
  const fitted = statusCodesOf(accepted, followsRedirects)
  const assertions = fitted?.isShortened ? statusAssertions(accepted) : null
  if (assertions) return { codes: null, assertions }
  if (fitted?.isShortened) notes.push(shortened(shownCodes(accepted)))
  return { codes: fitted?.codes ?? [], assertions: [] }
}

function unexpectable(accepted: string[] = []): Said {
  const bounds = { min: MIN_STATUS_CODE, max: MAX_STATUS_CODE }
  return accepted.length === 0
    ? said('accepts no status code: checks here expect codes from {min} to {max}', bounds)
    : said('accepts {codes}: checks here expect codes from {min} to {max}', {
        codes: shownCodes(accepted),
        ...bounds,
      })
}

function shortened(codes: string): Said {
  return said(
    'accepted {codes}: here the registered ones of these codes are expected, since a monitor lists each',
    { codes },
  )
}

function fittedWarning(wanted: number, notes: Said[]): number {
  const fitted = Math.min(Math.max(Math.ceil(wanted), 1), MAX_WARNING_DAYS)
  if (wanted > fitted)
    notes.push(
      said('warns {now} days before its certificate expires, not {before}: the maximum', {
        now: fitted,
        before: wanted,
      }),
    )
  return fitted
}

export const ANOTHER_HOST = said(
  'sends a header Host that is not the host of its URL: checks here send that of the URL, which may be answered by another site',
)

/** Whether the request would ask for another site without its header `Host`. */
export function namesAnotherHost({ url, request_headers }: Partial<MonitorFacts>): boolean {
  const host = Object.entries(request_headers ?? {}).find(([name]) => isHost(name))?.[1]
  const parsed = URL.parse(url ?? '')
  if (host === undefined || parsed === null) return false
  const named = URL.parse(`${parsed.protocol}//${host.trim()}`)
  return named?.host !== parsed.host
}

function isHost(name: string): boolean {
  return name.toLowerCase() === 'host'
}

function allowedHeaders(headers: Record<string, string>, notes: Said[]): Record<string, string> {
  // One that is left names the host of the URL, which the check names by itself.
  const refused = Object.keys(headers).filter((name) => isReservedHeader(name) && !isHost(name))
  if (refused.length > 0)
    notes.push(
      said('is checked without its header {names}: the check sets it itself', { names: refused.join(', ') }),
    )
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isReservedHeader(name)))
}
