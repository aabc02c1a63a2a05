import { type Said, said } from '../../core/language/said.ts'
import { MAX_STATUS_CODE, MIN_STATUS_CODE } from '../../core/monitors/monitor.ts'
import {
  type MonitorType,
  securitiesOf,
  usesHostOnly,
  usesSetting,
} from '../../core/monitors/monitor-types.ts'
import type { MonitorAuth } from '../../core/monitors/options/auth.ts'
import { asksNameServers } from '../../core/monitors/options/dns.ts'
import { opensWebSocket } from '../../core/monitors/options/websocket.ts'
import { portOf } from '../../core/monitors/target.ts'
import type { Outcome } from '../../core/moving-in/outcome.ts'
import { createDraft, type Draft } from '../draft.ts'
import type { MonitorFacts } from '../draft-monitor.ts'
import { notChecked } from '../expectations.ts'
import { entryOf, type Fields, isFields, isOn, pairsOf, recordsOf, textOf, textsOf } from '../fields.ts'
import { type OldRequest, withTypeOfBody } from '../options/request.ts'
import { type Terms, WrongFile } from '../outcome.ts'
import { isWeb, sentencesOf } from '../reasons.ts'
import { importedTags } from '../tags.ts'
import { type Alerting, readAlerting } from './alerting.ts'
import { ANSWER_BLOCKERS, answerFacts, judgesAnswer, unfitOf } from './answers.ts'
import { UNASKED, WITHOUT_ASSERTIONS } from './condition-reasons.ts'
import { type Conditions, readConditions } from './conditions.ts'
import { DNS_BLOCKERS, dnsFacts, unaskedOf } from './dns.ts'
import { secondsOfGoDuration } from './go-duration.ts'
import { mergeConfigs } from './merge.ts'
import { draftSuite } from './suites.ts'
import { GATUS_PARTS, GATUS_REASONS, GATUS_TYPES } from './types.ts'
import { HOLDS_VARIABLE, holdsVariable, readDollars, writtenText } from './variables.ts'
import { type DraftedEndpoint, draftGatusWindows } from './windows.ts'

const DEFAULT_INTERVAL_SECONDS = 60
const DEFAULT_TIMEOUT_SECONDS = 10

/** Imports one or more configuration files of Gatus (`config.yaml`). */
export function fromGatus(documents: unknown[], terms: Terms): Outcome {
  const configs = documents.filter(isFields)
  if (!configs.some((config) => 'endpoints' in config || 'external-endpoints' in config)) {
    throw new WrongFile(
      said('it has neither "endpoints" nor "external-endpoints": it takes the config.yaml of Gatus'),
    )
  }
  const draft = createDraft(terms)
  const config = readDollars(mergeConfigs(configs)) as Fields
  const alerting = readAlerting(draft, config.alerting)
  const endpoints: DraftedEndpoint[] = []
  for (const [part, draftEach] of [
    ['endpoints', draftEndpoint],
    ['external-endpoints', draftExternal],
  ] as const) {
    for (const endpoint of recordsOf(config[part]))
      endpoints.push({ endpoint, name: nameOf(endpoint), drafted: draftEach(draft, endpoint, alerting) })
  }
  for (const suite of recordsOf(config.suites)) draftSuite(draft, suite, nameOf(suite), tagsOf(suite))
  for (const [part, reason] of Object.entries(GATUS_PARTS)) if (part in config) draft.skip(part, reason)
  draftGatusWindows(draft, config, endpoints)
  return draft.outcome()
}

/** Returns the name of the monitor; null if it was skipped. */
function draftEndpoint(draft: Draft, endpoint: Fields, alerting: Alerting): string | null {
  const name = nameOf(endpoint)
  const scheme = isFields(endpoint.dns) ? 'dns' : (/^([a-z]+):\/\//i.exec(textOf(endpoint.url))?.[1] ?? '')
  const conditions = readConditions(askedOf(endpoint, scheme))
  const type = typeOf(scheme.toLowerCase(), conditions)
  const blocker = blockerOf(endpoint, scheme.toLowerCase(), type, conditions)
  if (blocker !== null || !type) {
    draft.skip(name, blocker ?? said('has no URL that is known here'))
    return null
  }
  const intervalSeconds = secondsOfGoDuration(textOf(endpoint.interval)) || DEFAULT_INTERVAL_SECONDS
  const { contacts, notes, patience } = alerting.contactsOf(endpoint, name, intervalSeconds)
  const drafted = draft.monitor({
    name,
    type,
    contacts,
    is_active: isOn(endpoint.enabled, true),
    intervalSeconds,
    patience: { ...patience, isInverted: conditions.isInverted },
    ...factsOf(endpoint, type, conditions),
    ...tagsOf(endpoint),
  })
  if (drafted === null) return null
  const unasked = asksNameServers(type) ? unaskedOf(endpoint, conditions) : []
  const ofRecords = unasked.map((words) => notChecked(words, UNASKED['of a DNS record']))
  for (const note of [
    ...ofRecords,
    ...(judgesAnswer(endpoint, type) ? notesOfAnswer(conditions, type) : notesOfConditions(conditions, type)),
    ...notesOn(endpoint, type),
    ...notes,
  ])
    draft.note(drafted, note)
  return drafted
}

/** An SSH server that answers is 0 there. */
function askedOf(endpoint: Fields, scheme: string): string[] {
  const isImplied = (words: string) => /^ssh$/i.test(scheme) && /^\[STATUS\] *== *0$/i.test(words.trim())
  return textsOf(endpoint.conditions).filter((words) => !isImplied(words))
}

function typeOf(scheme: string, conditions: Conditions): MonitorType | undefined {
  const type = entryOf(GATUS_TYPES, scheme)
  return type === 'http' && conditions.keyword !== null ? 'keyword' : type
}

/** The reason to skip an endpoint; null if there is none. */
function blockerOf(
  endpoint: Fields,
  scheme: string,
  type: MonitorType | undefined,
  conditions: Conditions,
): Said | null {
  const client = isFields(endpoint.client) ? endpoint.client : {}
  // Those say something about alerts, times and looks: they are read apart.
  const { alerts, 'maintenance-windows': _, 'extra-labels': __, ui, ...asked } = endpoint
  if (holdsVariable(asked)) return HOLDS_VARIABLE
  if (!type) return entryOf(GATUS_REASONS, scheme) ?? noMonitorsOf(scheme)
  if (conditions.isInverted && !conditions.isOnlyInverted)
    return said(
      'is up while its target is unreachable, and only while more is true: there are no such monitors',
    )
  const [unknown] = sentencesOf(asksNameServers(type) ? DNS_BLOCKERS : ANSWER_BLOCKERS, endpoint, type)
  if (unknown) return unknown
  if (textOf(client.tunnel))
    return said('is checked through a tunnel: checks here go straight, or through a proxy')
  if (isFields(client['identity-aware-proxy']) || isFields(client.tls)) {
    return said(
      'signs in by an identity-aware proxy or a client certificate in files: paste the certificate into a monitor here',
    )
  }
  if (type === 'ssl' && !conditions.onlyCertificate) {
    return said('judges more than the certificate of a TLS connection: an ssl or tcp monitor comes nearest')
  }
  return null
}

function noMonitorsOf(scheme: string): Said {
  return scheme === ''
    ? said('there are no monitors of what has no scheme')
    : said('there are no monitors of {scheme}', { scheme })
}

function factsOf(
  endpoint: Fields,
  type: MonitorType,
  conditions: Conditions,
): Omit<MonitorFacts, 'name' | 'type' | 'intervalSeconds'> {
  const url = textOf(endpoint.url)
  const client = isFields(endpoint.client) ? endpoint.client : {}
  const waits = secondsOfGoDuration(textOf(client.timeout)) || DEFAULT_TIMEOUT_SECONDS
  const warning = conditions.warningDays === null ? {} : { warningDays: conditions.warningDays }
  const isFull = isWeb(type) || opensWebSocket(type)
  const timeoutSeconds = isFull ? waits : Math.min(waits, conditions.slowestSeconds ?? waits)
  if (usesSetting(type, 'port')) {
    const place = { url, port: portOf({ type, url }), timeoutSeconds }
    return judgesAnswer(endpoint, type)
      ? { ...place, timeoutSeconds: waits, ...answerFacts(endpoint, type, conditions) }
      : place
  }
  if (asksNameServers(type)) return { ...dnsFacts(endpoint, conditions), timeoutSeconds }
  if (usesHostOnly(type)) return { url: bracketed(url), timeoutSeconds }
  const request = requestOf(endpoint, type, client)
  if (!usesSetting(type, 'ssl_expiry_warning_days')) return { url, timeoutSeconds }
  if (opensWebSocket(type)) {
    const sent = { request_headers: pairsOf(endpoint.headers), ...answerFacts(endpoint, type, conditions) }
    return { url, timeoutSeconds, ...warning, request, ...sent }
  }
  if (type === 'grpc') {
    const sent = { request_headers: pairsOf(endpoint.headers), ...answerFacts(endpoint, type, conditions) }
    return { url, timeoutSeconds: waits, ...warning, request, ...sent }
  }
  if (!isWeb(type)) {
    const isOfMail = securitiesOf(type).length > 0
    const spoken = url.replace(/^tls:/i, 'https:').replace(/^starttls:/i, 'smtp:')
    return {
      ...{ url: spoken, timeoutSeconds, ...warning, request },
      ...(isOfMail && { security: 'starttls' as const }),
    }
  }
  return {
    url,
    timeoutSeconds,
    ...warning,
    method: textOf(endpoint.method) || 'GET',
    request_headers: headersOf(endpoint),
    request,
    expected_keyword: conditions.keyword,
    acceptedCodes: conditions.acceptedCodes ?? [`${MIN_STATUS_CODE}-${MAX_STATUS_CODE}`],
    expected: conditions.expected,
    followsRedirects: !isOn(client['ignore-redirect']),
  }
}

function headersOf(endpoint: Fields): Record<string, string> | null {
  const headers = pairsOf(endpoint.headers)
  if (!isOn(endpoint.graphql)) return headers
  return withTypeOfBody(headers ?? {}, textOf(endpoint.body), 'application/json')
}

/** An option that its type does not have is none of it. */
function requestOf(endpoint: Fields, type: MonitorType, client: Fields): OldRequest {
  const trustsAnyCertificate = isOn(client.insecure)
  if (!isWeb(type)) return { trustsAnyCertificate }
  const body = textOf(endpoint.body)
  return {
    body: body !== '' && isOn(endpoint.graphql) ? JSON.stringify({ query: body }) : body,
    ...(isOn(client['ignore-redirect']) && { maxRedirects: 0 }),
    ipVersion: versionOf(client),
    trustsAnyCertificate,
    auth: oauthOf(client.oauth2),
    proxy: textOf(client['proxy-url']),
    resolver: resolverOf(client),
  }
}

function oauthOf(given: unknown): MonitorAuth | null {
  if (!isFields(given)) return null
  const scope = textsOf(given.scopes).join(' ')
  return {
    type: 'oauth2',
    token_url: textOf(given['token-url']),
    client_id: textOf(given['client-id']),
    client_secret: textOf(given['client-secret']),
    ...(scope !== '' && { scope }),
  }
}

/** `udp://192.0.2.53:53`; over TCP, which those of names here are not asked, an answer is the same. */
function resolverOf(client: Fields): string {
  return textOf(client['dns-resolver']).replace(/^(udp|tcp):\/\//i, '')
}

function versionOf({ network }: Fields): 4 | 6 | null {
  return network === 'ip4' ? 4 : network === 'ip6' ? 6 : null
}

/** Gatus accepts `icmp://2001:db8::1`, which is not a valid URL without brackets. */
function bracketed(url: string): string {
  return url.replace(/^(icmp:\/\/)([0-9a-f:]*:[0-9a-f:]*:[0-9a-f:]*)$/i, '$1[$2]')
}

/** The remarks on conditions about more than what comes back. */
function notesOfAnswer(conditions: Conditions, type: MonitorType): Said[] {
  const ofStatus = conditions.notes.ofOthers.filter(({ values }) =>
    /^\[STATUS\]/i.test(String(values.condition)),
  )
  const why = opensWebSocket(type) ? UNASKED['of a message'] : UNASKED['of an endpoint other than HTTP']
  return [...ofStatus, ...unfitOf(type, conditions).map((words) => notChecked(words, why))]
}

function notesOfConditions({ notes, warningDays, slowestSeconds }: Conditions, type: MonitorType): Said[] {
  if (isWeb(type) || asksNameServers(type)) return notes.ofAsserting
  return [
    ...notes.ofOthers,
    ...(warningDays !== null ? [WITHOUT_ASSERTIONS.warns] : []),
    ...(slowestSeconds !== null ? [WITHOUT_ASSERTIONS.timesOut] : []),
  ]
}

function notesOn(endpoint: Fields, type: MonitorType): Said[] {
  const client = isFields(endpoint.client) ? endpoint.client : {}
  const notes: Said[] = []
  if (textOf(client['dns-resolver']) && !isWeb(type))
    notes.push(said('used its own DNS server: here checks use that of the machine'))
  const version = versionOf(client)
  if (version !== null && !isWeb(type))
    notes.push(said('was reached over IPv{version} only: here over either version', { version }))
  if (isOn(client['store-cookies']))
    notes.push(said('kept cookies from check to check: here they last for one check'))
  if (isFields(endpoint.ui)) notes.push(said('had settings of its look (ui): here the status page has them'))
  return notes
}

function draftExternal(draft: Draft, endpoint: Fields, alerting: Alerting): string | null {
  const name = nameOf(endpoint)
  if (holdsVariable([endpoint.name, endpoint.group, endpoint.heartbeat, endpoint.enabled])) {
    draft.skip(name, HOLDS_VARIABLE)
    return null
  }
  const heartbeat = isFields(endpoint.heartbeat) ? endpoint.heartbeat : {}
  const intervalSeconds = secondsOfGoDuration(textOf(heartbeat.interval))
  if (!intervalSeconds) {
    draft.skip(name, said('has no heartbeat interval: a heartbeat here is down when nothing comes in time'))
    return null
  }
  const { contacts, notes, patience } = alerting.contactsOf(endpoint, name, intervalSeconds)
  const drafted = draft.monitor({
    name,
    type: 'heartbeat',
    intervalSeconds,
    patience,
    is_active: isOn(endpoint.enabled, true),
    contacts,
    ...tagsOf(endpoint),
    oldPing: `/api/v1/endpoints/${keyPart(textOf(endpoint.group))}_${keyPart(textOf(endpoint.name))}/external`,
  })
  if (drafted === null) return null
  for (const note of [
    said('took ?success=false for a failure: here it is the address with /fail'),
    ...notes,
  ]) {
    draft.note(drafted, note)
  }
  return drafted
}

/** Its group, and the labels that its metrics have there: tags are labels here. */
function tagsOf(endpoint: Fields) {
  const listed = isFields(endpoint['extra-labels']) ? endpoint['extra-labels'] : {}
  const known = Object.entries(listed).filter(([, value]) => !holdsVariable(value))
  const labels = Object.entries(pairsOf(Object.fromEntries(known)) ?? {})
  const group = textOf(endpoint.group)
  return importedTags([
    ...(group ? [{ name: 'group', value: group }] : []),
    ...labels.map(([name, value]) => ({ name, value })),
  ])
}

/** Builds a part of an endpoint's key in the way that Gatus does. */
function keyPart(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[/_., #+&]/g, '-')
}

function nameOf(endpoint: Fields): string {
  const [group, name] = [endpoint.group, endpoint.name].map((part) => textOf(writtenText(part)))
  return group ? `${group}/${name}` : `${name}`
}
