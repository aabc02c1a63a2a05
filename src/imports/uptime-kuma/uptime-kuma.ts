import { inWords, said } from '../../core/language/said.ts'
import { MAX_TIMEOUT_SECONDS } from '../../core/monitors/monitor.ts'
import {
  hasInterval,
  isGroup,
  MONITOR_TYPES,
  type MonitorType,
  queryLanguageOf,
  securitiesOf,
  topicsOf,
  usesHostOnly,
  usualSchemeOf,
} from '../../core/monitors/monitor-types.ts'
import type { MonitorAuth } from '../../core/monitors/options/auth.ts'
import { asksNameServers } from '../../core/monitors/options/dns.ts'
import { opensWebSocket } from '../../core/monitors/options/websocket.ts'
import type { Outcome } from '../../core/moving-in/outcome.ts'
import { pick } from '../../core/shape.ts'
import { createDraft, type Draft } from '../draft.ts'
import { draftByRules, type KnownMonitors } from '../draft-by-rules.ts'
import { type MonitorFacts, urlOfHost } from '../draft-monitor.ts'
import { expect, expected } from '../expectations.ts'
import { entryOf, type Fields, isOn, numberOf, pairsOf, textOf, textsOf } from '../fields.ts'
import type { OldPatience } from '../options/patience.ts'
import { type OldRequest, withTypeOfBody } from '../options/request.ts'
import type { Terms } from '../outcome.ts'
import { importedTags } from '../tags.ts'
import { draftNotifications } from './contacts.ts'
import { databaseFacts } from './databases.ts'
import { dnsFacts } from './dns.ts'
import { asPlainMonitor } from './elsewhere.ts'
import { draftKumaGroups, isKumaGroup, type MonitorsById, withGroups } from './groups.ts'
import { jsonQueryOf } from './json-query.ts'
import { messageFacts } from './messages.ts'
import { portFacts } from './ports.ts'
import { protocolFacts } from './protocols.ts'
import {
  authMethodOf,
  isInvertedKeyword,
  isJsonQuery,
  KUMA_BLOCKERS,
  KUMA_DIFFERENCES,
  proxyUrlOf,
} from './rules.ts'
import { draftKumaPages, type KumaPages } from './status-pages.ts'
import { KUMA_OTHERS, KUMA_REASONS, KUMA_TYPES } from './types.ts'
import { subprotocolThere } from './websocket.ts'
import { draftKumaWindows, type KumaWindows } from './windows.ts'

/** Rows of Uptime Kuma's database, or the lists of a 1.x backup. */
export type KumaExport = {
  monitors: Fields[]
  notifications: Fields[]
  attached: { monitorId: number; notificationId: number }[]
  tags: { monitorId: number; name: unknown; value: unknown }[]
  /** The public address of Uptime Kuma; empty if it is not set. */
  baseUrl: string
  warningDays: number[]
  proxies: Fields[]
  dockerHosts: Fields[]
  /** Null if the file cannot hold them. */
  windows: KumaWindows | null
  /** The same. */
  pages: KumaPages | null
  /** Counts of other records by kind, such as proxies. */
  others: Record<string, number>
}

const DEFAULT_INTERVAL_SECONDS = 60
/** Without a timeout, Uptime Kuma waits this fraction of the interval. */
const TIMEOUT_SHARE = 0.8
/** Uptime Kuma accepts pushes that are late by up to this. */
const PUSH_BUFFER_SECONDS = 1
/** Without another limit. Hardly any chain is longer than the five that are followed here. */
const MAX_REDIRECTS_THERE = 10
const DEFAULT_CODES = ['200-299']
const DEFAULT_WARNING_DAYS = [7, 14, 21]

export function fromUptimeKuma(exported: KumaExport, terms: Terms): Outcome {
  const draft = createDraft(terms)
  const contacts = draftNotifications(draft, exported.notifications)
  const byId = new Map(exported.monitors.map((monitor) => [numberOf(monitor.id), monitor]))
  const attachedTo = Map.groupBy(exported.attached, ({ monitorId }) => monitorId)
  const taggedWith = Map.groupBy(exported.tags, ({ monitorId }) => monitorId)
  const drafted = new Map<number | null, string>()
  const proxies = new Map(exported.proxies.map((proxy) => [numberOf(proxy.id), proxy]))
  const dockerHosts = new Map(exported.dockerHosts.map((host) => [numberOf(host.id), host]))
  function draftOne(each: Fields, members: string[]): string | null {
    const monitor: Fields = {
      ...asPlainMonitor(each),
      members,
      proxy: proxies.get(numberOf(each.proxy_id ?? each.proxyId)),
      dockerHost: dockerHosts.get(numberOf(each.docker_host)),
    }
    const id = numberOf(monitor.id)
    const attached = attachedTo.get(id ?? Number.NaN) ?? []
    const names = attached.flatMap(({ notificationId }) => contacts.get(notificationId) ?? [])
    const paused = !isRunning(monitor, byId)
    const tags = importedTags(taggedWith.get(id ?? Number.NaN) ?? [])
    return draftKumaMonitor(draft, monitor, { ...exported, contacts: names, paused, ofMonitor: tags })
  }
  for (const monitor of exported.monitors) {
    const name = isKumaGroup(monitor) ? null : draftOne(monitor, [])
    if (name !== null) drafted.set(numberOf(monitor.id), name)
  }
  draftKumaGroups(draft, byId, drafted, draftOne)
  if (exported.windows === null) draft.skip(said('maintenance windows'), IN_NO_BACKUP)
  else draftKumaWindows(draft, exported.windows, byId, drafted, (exported.pages?.pages.length ?? 0) > 0)
  if (exported.pages === null) draft.skip(said('status pages'), IN_NO_BACKUP)
  else draftKumaPages(draft, exported.pages, { drafted, all: byId })
  for (const [what, count] of Object.entries(exported.others)) {
    if (count === 0) continue
    const counted = said('{what} ({count})', { what: KUMA_OTHERS[what] ?? inWords(what), count })
    draft.skip(counted, KUMA_REASONS[what] ?? said('has no counterpart here'))
  }
  return draft.outcome()
}

const IN_NO_BACKUP = said('a backup does not hold them: import kuma.db instead')

/** Monitors of a paused group are paused, too. */
function isRunning(monitor: Fields, byId: MonitorsById): boolean {
  return withGroups(monitor, byId).every(({ active }) => isOn(active, true))
}

type Around = Pick<KumaExport, 'baseUrl' | 'warningDays'> & {
  contacts: string[]
  paused: boolean
  ofMonitor: { tags?: string[] }
}

function draftKumaMonitor(draft: Draft, monitor: Fields, around: Around): string | null {
  const name = textOf(monitor.name) || `monitor ${textOf(monitor.id)}`
  return draftByRules(draft, KNOWN_MONITORS, monitor, { name, kind: textOf(monitor.type) }, (type) => ({
    contacts: around.contacts,
    is_active: !around.paused,
    ...around.ofMonitor,
    patience: patienceThere(monitor),
    ...factsOf(type, monitor, around),
  }))
}

/** Its alerts are repeated after so many checks that failed. */
function patienceThere(monitor: Fields): OldPatience {
  const intervalSeconds = numberOf(monitor.interval) ?? DEFAULT_INTERVAL_SECONDS
  const resends = numberOf(monitor.resend_interval ?? monitor.resendInterval) ?? 0
  return {
    attempts: 1 + (numberOf(monitor.maxretries) ?? 0),
    retrySeconds: numberOf(monitor.retry_interval ?? monitor.retryInterval) || intervalSeconds,
    isInverted: isOn(monitor.upside_down ?? monitor.upsideDown),
    repeatSeconds: resends * intervalSeconds,
  }
}

type Facts = Omit<MonitorFacts, 'name' | 'type'> & Partial<Pick<MonitorFacts, 'type'>>

function factsOf(type: MonitorType, monitor: Fields, around: Around): Facts {
  const intervalSeconds = numberOf(monitor.interval) ?? DEFAULT_INTERVAL_SECONDS
  const host = textOf(monitor.hostname)
  if (isGroup(type)) return { intervalSeconds, members: textsOf(monitor.members) }
  if (!hasInterval(type)) return { intervalSeconds }
  if (!MONITOR_TYPES[type].isProbed) return pushFacts(monitor, intervalSeconds, around.baseUrl)
  const ofProtocol = protocolFacts(type, monitor)
  if (ofProtocol !== null) return { intervalSeconds, ...timeoutThere(monitor), ...ofProtocol }
  if (queryLanguageOf(type) !== null) return { intervalSeconds, ...databaseFacts(monitor, type) }
  if (topicsOf(type)) return { intervalSeconds, ...messageFacts(monitor, type, intervalSeconds) }
  const hasPort = securitiesOf(type).length > 0
  if (hasPort) return { intervalSeconds, ...portFacts(monitor, type, usualSchemeOf(type)) }
  if (opensWebSocket(type))
    return {
      intervalSeconds,
      ...webSocketFacts(webFacts(monitor, intervalSeconds, around.warningDays), monitor),
    }
  if (!usesHostOnly(type))
    return { intervalSeconds, ...webFacts(monitor, intervalSeconds, around.warningDays) }
  const url = urlOfHost(usualSchemeOf(type), host)
  if (asksNameServers(type)) return { intervalSeconds, url, ...dnsFacts(monitor) }
  return { intervalSeconds, url, ...pingFacts(monitor) }
}

/** The limit of a protocol that has no request. */
function timeoutThere(monitor: Fields): Partial<Facts> {
  const timeoutSeconds = numberOf(monitor.timeout)
  return timeoutSeconds ? { timeoutSeconds } : {}
}

/** Versions before 2.0 ignore the timeout of a ping, and lack its other settings. */
function pingFacts(monitor: Fields): Partial<Facts> {
  const timeoutSeconds = numberOf(monitor.timeout)
  return numberOf(monitor.ping_count) !== null && timeoutSeconds ? { timeoutSeconds } : {}
}

function pushFacts(monitor: Fields, intervalSeconds: number, baseUrl: string): Facts {
  const retries = numberOf(monitor.maxretries) ?? 0
  const between = numberOf(monitor.retry_interval ?? monitor.retryInterval) || intervalSeconds
  const token = textOf(monitor.push_token, monitor.pushToken)
  return {
    intervalSeconds: intervalSeconds + retries * between + PUSH_BUFFER_SECONDS,
    oldPing: token ? `${baseUrl.replace(/\/$/, '')}/api/push/${token}` : null,
  }
}

/** A keyword that must be missing is an assertion of an http monitor, as a value in JSON is. */
function textFacts(monitor: Fields): Partial<Facts> {
  const keyword = textOf(monitor.keyword)
  if (isInvertedKeyword(monitor)) {
    const missing = expect('body', 'not_contains', { target: keyword })
    return { type: 'http', expected_keyword: null, expected: [expected(keyword, missing)] }
  }
  if (!isJsonQuery(monitor))
    return { expected_keyword: textOf(monitor.type) === 'keyword' ? keyword || null : null }
  const words = textOf(monitor.json_path, monitor.jsonPath)
  return { expected_keyword: null, expected: [{ words, assertions: jsonQueryOf(monitor) ?? [] }] }
}

function webFacts(monitor: Fields, intervalSeconds: number, warningDays: number[]): Partial<Facts> {
  const warns = isOn(monitor.expiry_notification ?? monitor.expiryNotification, true)
  const days = warningDays.length > 0 ? warningDays : DEFAULT_WARNING_DAYS
  const type = entryOf(BODY_TYPES, textOf(monitor.http_body_encoding, monitor.httpBodyEncoding)) ?? null
  const headers = withTypeOfBody(
    { ...pairsOf(monitor.headers), ...bearer(monitor) },
    textOf(monitor.body),
    type,
  )
  const method = authMethodOf(monitor)
  const accepted = textsOf(monitor.accepted_statuscodes ?? monitor.accepted_statuscodes_json)
  return {
    url: textOf(monitor.url),
    method: textOf(monitor.method) || 'GET',
    timeoutSeconds:
      numberOf(monitor.timeout) || Math.min(intervalSeconds * TIMEOUT_SHARE, MAX_TIMEOUT_SECONDS),
    acceptedCodes: accepted.length > 0 ? accepted : DEFAULT_CODES,
    followsRedirects: numberOf(monitor.maxredirects) !== 0,
    request: requestThere(monitor),
    ...textFacts(monitor),
    request_headers: Object.keys(headers).length > 0 ? headers : null,
    warningDays: warns ? Math.max(...days) : 1,
    ...(method === 'basic' && {
      username: textOf(monitor.basic_auth_user) || null,
      password: textOf(monitor.basic_auth_pass) || null,
    }),
  }
}

/** Those of the request that opens a WebSocket. */
function webSocketFacts(web: Partial<Facts>, monitor: Fields): Partial<Facts> {
  // A body and redirects are those of other requests.
  const { body: _, maxRedirects: __, passesCaches: ___, ...way } = web.request ?? {}
  return {
    ...pick(web, ['url', 'timeoutSeconds', 'request_headers', 'warningDays', 'username', 'password']),
    request: { ...way, subprotocol: subprotocolThere(monitor) },
  }
}

/** The types of bodies that are no JSON. */
const BODY_TYPES = { form: 'application/x-www-form-urlencoded', xml: 'text/xml; charset=utf-8' }

function requestThere(monitor: Fields): OldRequest {
  const redirects = numberOf(monitor.maxredirects) ?? MAX_REDIRECTS_THERE
  const [, version] = /^ipv([46])$/i.exec(textOf(monitor.ip_family, monitor.ipFamily)) ?? []
  return {
    body: textOf(monitor.body),
    maxRedirects: redirects === MAX_REDIRECTS_THERE ? undefined : redirects,
    passesCaches: isOn(monitor.cache_bust ?? monitor.cacheBust),
    ipVersion: version === undefined ? null : version === '4' ? 4 : 6,
    trustsAnyCertificate: isOn(monitor.ignore_tls ?? monitor.ignoreTls),
    ...(authMethodOf(monitor) === 'oauth2-cc' && { auth: oauthThere(monitor) }),
    proxy: proxyUrlOf(monitor) ?? '',
    ...(authMethodOf(monitor) === 'mtls' && {
      certificates: {
        ca: textOf(monitor.tls_ca, monitor.tlsCa),
        client: textOf(monitor.tls_cert, monitor.tlsCert),
        key: textOf(monitor.tls_key, monitor.tlsKey),
      },
    }),
  }
}

function oauthThere(monitor: Fields): MonitorAuth {
  const scope = textOf(monitor.oauth_scopes, monitor.oauthScopes)
  const audience = textOf(monitor.oauth_audience, monitor.oauthAudience)
  const method = textOf(monitor.oauth_auth_method, monitor.oauthAuthMethod)
  return {
    type: 'oauth2',
    token_url: textOf(monitor.oauth_token_url, monitor.oauthTokenUrl),
    client_id: textOf(monitor.oauth_client_id, monitor.oauthClientId),
    client_secret: textOf(monitor.oauth_client_secret, monitor.oauthClientSecret),
    ...(scope !== '' && { scope }),
    ...(audience !== '' && { audience }),
    ...(method === 'client_secret_post' && { auth_style: 'body' }),
  }
}

function bearer(monitor: Fields): Record<string, string> {
  const token = textOf(monitor.bearer_token)
  return authMethodOf(monitor) === 'bearer' && token ? { Authorization: `Bearer ${token}` } : {}
}

const KNOWN_MONITORS: KnownMonitors = {
  types: KUMA_TYPES,
  reasons: KUMA_REASONS,
  blockers: KUMA_BLOCKERS,
  differences: KUMA_DIFFERENCES,
}
