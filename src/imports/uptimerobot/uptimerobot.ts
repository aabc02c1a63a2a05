import { type Said, said } from '../../core/language/said.ts'
import {
  hasWay,
  MONITOR_TYPES,
  type MonitorType,
  neededOptionsOf,
  usesHostOnly,
  usesSetting,
  usualSchemeOf,
} from '../../core/monitors/monitor-types.ts'
import { asksNameServers } from '../../core/monitors/options/dns.ts'
import { EXPECTATIONS } from '../../core/monitors/options/expectations.ts'
import type { Outcome } from '../../core/moving-in/outcome.ts'
import { createDraft, type Draft } from '../draft.ts'
import { draftByRules, type KnownMonitors } from '../draft-by-rules.ts'
import { type MonitorFacts, urlOfHost } from '../draft-monitor.ts'
import { type Expected, escaped, expect, expected } from '../expectations.ts'
import {
  entryOf,
  type Fields,
  isFields,
  isOn,
  numberOf,
  pairsOf,
  recordsOf,
  textOf,
  textsOf,
} from '../fields.ts'
import { withTypeOfBody } from '../options/request.ts'
import { type Terms, WrongFile } from '../outcome.ts'
import { isWeb, NO_OPTIONS, type Rule } from '../reasons.ts'
import { importedTags } from '../tags.ts'
import { contactsOf, draftAlertContacts, hasDelays } from './contacts.ts'
import { DNS_BLOCKERS, DNS_DIFFERENCES, dnsFacts } from './dns.ts'
import { METHODS, ROBOT_REASONS, ROBOT_TYPES, robotType, SUB_TYPE_PORTS } from './types.ts'

const DEFAULT_INTERVAL_SECONDS = 300
const DEFAULT_TIMEOUT_SECONDS = 30
/** Status codes that UptimeRobot accepts by default. */
const DEFAULT_CODES = ['2xx', '3xx']

/** Imports monitors, alert contacts and integrations from answers of API v2 and v3, or monitors from rows of the CSV. */
export function fromUptimeRobot(documents: unknown[], terms: Terms): Outcome {
  const refused = documents.filter(isFields).find(({ stat }) => stat === 'fail')
  if (refused) {
    const { message } = isFields(refused.error) ? refused.error : {}
    throw new WrongFile(refusalOf(textOf(message)))
  }
  const records = documents.flatMap(recordsIn)
  const monitors = records.filter((record) => !isContact(record))
  if (monitors.length === 0) {
    throw new WrongFile(
      said('it has no monitors: it takes what getMonitors (v2) or GET /v3/monitors answers, or the CSV'),
    )
  }
  const draft = createDraft(terms)
  const contacts = draftAlertContacts(draft, records.filter(isContact), monitors)
  for (const monitor of monitors) draftRobotMonitor(draft, monitor, contactsOf(monitor, contacts))
  return draft.outcome()
}

function refusalOf(message: string): Said {
  return message === ''
    ? said('it is a refusal of UptimeRobot: without a reason')
    : said('it is a refusal of UptimeRobot: {message}', { message })
}

function recordsIn(document: unknown): Fields[] {
  if (Array.isArray(document)) return document.flatMap((entry) => (isFields(entry) ? groupOr(entry) : []))
  if (!isFields(document)) return []
  const lists = [document.monitors, document.data, document.alert_contacts, document.alertContacts]
  return [...lists.flatMap(recordsOf)]
}

/** v3 groups the contacts of an organization by person. */
function groupOr(entry: Fields): Fields[] {
  return Array.isArray(entry.alertContacts) ? recordsOf(entry.alertContacts) : [entry]
}

/** Monitors have an interval; contacts have a value or a choice of events. */
function isContact(record: Fields): boolean {
  return !('interval' in record) && ('value' in record || 'enableNotificationsFor' in record)
}

function draftRobotMonitor(draft: Draft, monitor: Fields, contacts: string[]): void {
  const url = textOf(monitor.url, monitor['url/ip'], monitor['url (or ip)'])
  const name = textOf(
    monitor.friendly_name,
    monitor.friendlyName,
    monitor['friendly name'],
    monitor.name,
    url,
  )
  const kind = robotType(textOf(monitor.type, monitor['monitor type']))
  draftByRules(draft, KNOWN_MONITORS, monitor, { name, kind }, (type) => ({
    contacts,
    is_active: !/^(0|paused)$/i.test(textOf(monitor.status)),
    ...importedTags(recordsOf(monitor.tags)),
    ...factsOf(monitor, type, url),
  }))
}

type Facts = Omit<MonitorFacts, 'name' | 'type'> & Partial<Pick<MonitorFacts, 'type'>>

function factsOf(monitor: Fields, type: MonitorType, url: string): Facts {
  const intervalSeconds = numberOf(monitor.interval) ?? DEFAULT_INTERVAL_SECONDS
  const timeoutSeconds = numberOf(monitor.timeout) || DEFAULT_TIMEOUT_SECONDS
  const port = numberOf(monitor.port) || entryOf(SUB_TYPE_PORTS, textOf(monitor.sub_type)) || null
  if (!MONITOR_TYPES[type].isProbed)
    return { intervalSeconds: intervalSeconds + graceOf(monitor), oldPing: url || null }
  if (!usesHostOnly(type)) return { intervalSeconds, timeoutSeconds, url, ...webFacts(monitor) }
  const host = { intervalSeconds, timeoutSeconds, url: urlOfHost(usualSchemeOf(type), url) }
  if (asksNameServers(type)) {
    const { question, expected: records } = dnsFacts(monitor)
    return { ...host, question, expected: [...records, ...slownessOf(monitor)] }
  }
  if (!usesSetting(type, 'port')) return host
  return {
    ...{ ...host, port, request: { ipVersion: versionOf(monitor) } },
    ...(needsPacket(type)
      ? { send: payloadOf(monitor), expected: [ANY_ANSWER, ...slownessOf(monitor)] }
      : { expected: slownessOf(monitor) }),
  }
}

/** Whether a monitor of this type sends a packet, and waits for its answer. */
function needsPacket(type: MonitorType): boolean {
  return neededOptionsOf(type).includes('send')
}

/** It waits for packets to come back, whatever they hold. */
const ANY_ANSWER = expected('an answer', expect('answer', 'exists'))

function configOf({ config }: Fields): Fields {
  return isFields(config) ? config : {}
}

function payloadOf(monitor: Fields): string {
  const { udp } = configOf(monitor)
  return isFields(udp) ? textOf(udp.payload) : ''
}

function versionOf(monitor: Fields): 4 | 6 | null {
  const [, version] = /^ipv([46])only$/i.exec(textOf(configOf(monitor).ipVersion)) ?? []
  return version === undefined ? null : version === '4' ? 4 : 6
}

function graceOf(monitor: Fields): number {
  return numberOf(monitor.gracePeriod ?? monitor.grace_period ?? monitor['grace period']) ?? 0
}

/** A keyword that must be missing, or whose capitals do not count, is an assertion of an http monitor. */
function textFacts(monitor: Fields): Partial<Facts> {
  const keyword = textOf(monitor.keyword_value, monitor.keywordValue, monitor['keyword value'])
  const kind = textOf(monitor.keyword_type, monitor.keywordType, monitor['keyword type']).toUpperCase()
  const isUnwanted = ['1', 'ALERT_EXISTS', 'EXISTS'].includes(kind)
  const isAnyCase = /^(1|caseinsensitive)$/i.test(textOf(monitor.keyword_case_type, monitor.keywordCaseType))
  const slowness = slownessOf(monitor)
  if (keyword === '' || !(isUnwanted || isAnyCase))
    return { expected_keyword: keyword || null, expected: slowness }
  const judged = isAnyCase
    ? expect('body', isUnwanted ? 'not_matches' : 'matches', { target: `(?i)${escaped(keyword)}` })
    : expect('body', 'not_contains', { target: keyword })
  return { type: 'http', expected_keyword: null, expected: [expected(keyword, judged), ...slowness] }
}

function slownessOf(monitor: Fields): Expected[] {
  const target = slowAbove(monitor)
  if (target <= 0) return []
  return [expected('response time', expect('response_time_ms', 'at_most', { target }, 'degraded'))]
}

/** In milliseconds, of the region that is given the most time; 0 without a threshold. */
function slowAbove({ responseTimeThreshold, regionData }: Fields): number {
  const ofRegions = isFields(regionData) && isFields(regionData.THRESHOLD) ? regionData.THRESHOLD : {}
  return Math.max(
    numberOf(responseTimeThreshold) ?? 0,
    ...Object.values(ofRegions).map((ms) => numberOf(ms) ?? 0),
  )
}

function webFacts(monitor: Fields): Partial<Facts> {
  const method = textOf(monitor.http_method, monitor.httpMethodType)
  const config = configOf(monitor)
  const days = Array.isArray(config.sslExpirationPeriodDays) ? config.sslExpirationPeriodDays : []
  const warningDays = Math.max(0, ...days.map((day) => numberOf(day) ?? 0))
  const { text, type } = bodyOf(monitor)
  const followsRedirects = isOn(monitor.followRedirections, true)
  const headers = pairsOf(monitor.custom_http_headers ?? monitor.customHttpHeaders)
  return {
    method: entryOf(METHODS, method) ?? (method || 'GET'),
    acceptedCodes: acceptedBy(monitor),
    followsRedirects,
    request: {
      body: text,
      ipVersion: versionOf(monitor),
      ...(!followsRedirects && { maxRedirects: 0 }),
      auth: isDigest(monitor) ? { type: 'digest' } : null,
    },
    ...textFacts(monitor),
    request_headers: text === '' ? headers : withTypeOfBody(headers ?? {}, text, type),
    username: textOf(monitor.http_username, monitor.httpUsername) || null,
    password: textOf(monitor.http_password, monitor.httpPassword) || null,
    ...(warningDays > 0 && { warningDays }),
  }
}

/** Pairs are a form, unless they are said to be raw: then they are JSON. */
function bodyOf(monitor: Fields): { text: string; type: string | null } {
  const given = monitor.post_value ?? monitor.postValueData
  if (!isFields(given)) return { text: textOf(given), type: null }
  if (Object.keys(given).length === 0) return { text: '', type: null }
  if (/^(2|raw_json|raw)$/i.test(textOf(monitor.post_type, monitor.postValueType)))
    return { text: JSON.stringify(given), type: null }
  const text = new URLSearchParams(pairsOf(given) ?? {}).toString()
  return { text, type: 'application/x-www-form-urlencoded' }
}

/** v3 lists the codes that count as up. v2 writes `404:0_200:1`, or lists codes under `up` and `down`. */
function acceptedBy(monitor: Fields): string[] {
  const listed = textsOf(monitor.successHttpResponseCodes)
  if (listed.length > 0) return listed
  const custom = monitor.custom_http_statuses
  const up = isFields(custom)
    ? textOf(custom.up).split(/[\s,_-]+/)
    : [...textOf(custom).matchAll(/(\d{3}):1/g)].map(([, code]) => code ?? '')
  return [...DEFAULT_CODES, ...up.filter((code) => /^\d{3}$/.test(code))]
}

const authTypeOf = (monitor: Fields) => textOf(monitor.http_auth_type, monitor.authType)
const isDigest = (monitor: Fields) => /^(2|digest|http_digest|httpdigest)$/i.test(authTypeOf(monitor))

export const ROBOT_BLOCKERS: Rule[] = [
  ...DNS_BLOCKERS,
  [
    said('signs in by a token of its own: checks here sign in by user name and password, Digest or headers'),
    (monitor, type) =>
      isWeb(type) &&
      !/^(|0|1|none|basic|http_basic|httpbasic)$/i.test(authTypeOf(monitor)) &&
      !isDigest(monitor),
  ],
  [
    said('sends an empty packet: a udp monitor here sends something'),
    (monitor, type) => needsPacket(type) && payloadOf(monitor) === '',
  ],
  [
    NO_OPTIONS,
    (monitor, type) =>
      isWeb(type) && /^(7|options)$/i.test(textOf(monitor.http_method, monitor.httpMethodType)),
  ],
]

export const ROBOT_DIFFERENCES: Rule[] = [
  ...DNS_DIFFERENCES,
  [
    said('told contacts late or repeatedly: here they are told at once, and once'),
    (monitor) => hasDelays(monitor),
  ],
  [
    said('counted single status codes as down: see that they are not among the expected ones'),
    (monitor) => /\d{3}:0/.test(textOf(monitor.custom_http_statuses)),
  ],
  [
    said('is in maintenance windows, whose time zone the export does not hold: make them in the dashboard'),
    (monitor) => hasAny(monitor.mwindows, monitor.maintenanceWindows),
  ],
  [said('is on status pages: they are made in the dashboard'), (monitor) => hasAny(monitor.psps)],
  [
    said('has no grace period: give it a longer interval if its job is not on time to the second'),
    (monitor, type) => type === 'heartbeat' && graceOf(monitor) === 0,
  ],
  [
    said('was up while enough of its packets came back: here it is with the first answer'),
    (monitor, type) => {
      const { udp } = configOf(monitor)
      return needsPacket(type) && isFields(udp) && (numberOf(udp.packetLossThreshold) ?? 0) > 0
    },
  ],
  [
    said('was reached over one version of IP only: here over either'),
    (monitor, type) => versionOf(monitor) !== null && !isWeb(type) && !hasWay(type, 'ip_version'),
  ],
  [
    said('was slow above a threshold: here no monitor of its type warns of it'),
    (monitor, type) => !EXPECTATIONS.assertions.has(type) && slowAbove(monitor) > 0,
  ],
  [
    said('warned when its domain was about to expire: here a domain monitor does, add one'),
    (monitor) => isOn(monitor.domainExpirationReminder),
  ],
]

const KNOWN_MONITORS: KnownMonitors = {
  types: ROBOT_TYPES,
  reasons: ROBOT_REASONS,
  blockers: ROBOT_BLOCKERS,
  differences: ROBOT_DIFFERENCES,
}

function hasAny(...lists: unknown[]): boolean {
  return lists.some((list) => Array.isArray(list) && list.length > 0)
}
