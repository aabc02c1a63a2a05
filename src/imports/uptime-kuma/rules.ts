import { said } from '../../core/language/said.ts'
import { isGroup, isSetByHand, MONITOR_TYPES, needOf } from '../../core/monitors/monitor-types.ts'
import { asksNameServers } from '../../core/monitors/options/dns.ts'
import { entryOf, type Fields, isFields, isOn, numberOf, textOf, textsOf } from '../fields.ts'
import { isWeb, NO_OPTIONS, type Rule } from '../reasons.ts'
import { hasOtherConditions, namesInstance } from './databases.ts'
import { asksUnknownRecords, dnsConditionsOf } from './dns.ts'
import { DOCKER_BLOCKERS, DOCKER_DIFFERENCES } from './docker.ts'
import { ELSEWHERE_BLOCKERS, ELSEWHERE_DIFFERENCES } from './elsewhere.ts'
import { jsonQueryOf } from './json-query.ts'
import { MESSAGE_BLOCKERS, MESSAGE_DIFFERENCES } from './messages.ts'
import { PROTOCOL_BLOCKERS, PROTOCOL_DIFFERENCES } from './protocols.ts'
import { WEBSOCKET_BLOCKERS, WEBSOCKET_DIFFERENCES } from './websocket.ts'

/** Defaults of Uptime Kuma. */
const ECHO_BYTES_THERE = 56
const ECHO_SECONDS_THERE = 2

export const KUMA_BLOCKERS: Rule[] = [
  [
    said('is a group, and no monitor in it comes over'),
    (monitor, type) => isGroup(type) && textsOf(monitor.members).length === 0,
  ],
  [
    said('is a group that is upside down: here a group is down when its members are'),
    (monitor, type) => isGroup(type) && isOn(monitor.upside_down ?? monitor.upsideDown),
  ],
  [
    said('has a JSON query that no JSONPath says, or compares by order with what is no number'),
    (monitor) => isJsonQuery(monitor) && jsonQueryOf(monitor) === null,
  ],
  [
    said('is checked through a proxy that speaks SOCKS 4: checks here speak SOCKS 5 and HTTP'),
    (monitor, type) => isWeb(type) && usesProxy(monitor) && proxyUrlOf(monitor) === null,
  ],
  [said('asks for records of a type that checks here do not ask for'), asksUnknownRecords],
  ...WEBSOCKET_BLOCKERS,
  ...PROTOCOL_BLOCKERS,
  ...DOCKER_BLOCKERS,
  ...MESSAGE_BLOCKERS,
  ...ELSEWHERE_BLOCKERS,
  [NO_OPTIONS, (monitor, type) => isWeb(type) && textOf(monitor.method).toUpperCase() === 'OPTIONS'],
  [
    said('signs in by NTLM: checks here sign in by user name and password, Digest, OAuth 2 or headers'),
    (monitor, type) =>
      isWeb(type) && !['none', 'basic', 'bearer', 'mtls', 'oauth2-cc'].includes(authMethodOf(monitor)),
  ],
  [
    said('is up when its port refuses TLS by an alert: a tcp monitor here is up when the port is open'),
    (monitor, type) => type === 'tcp' && !['', 'none'].includes(textOf(monitor.expected_tls_alert)),
  ],
]

export const KUMA_DIFFERENCES: Rule[] = [
  ...WEBSOCKET_DIFFERENCES,
  ...PROTOCOL_DIFFERENCES,
  ...DOCKER_DIFFERENCES,
  [said('had conditions on its result that no assertion says: here any result will do'), hasOtherConditions],
  [
    said('asked which port an instance has: here the URL must name it, and leads to 1433 until then'),
    namesInstance,
  ],
  ...MESSAGE_DIFFERENCES,
  ...ELSEWHERE_DIFFERENCES,
  [
    said('used a browser elsewhere: here it is the one of this service'),
    (monitor, type) => needOf(type) === 'browser' && textOf(monitor.remote_browser) !== '',
  ],
  [
    said('waited before it took its picture: here a step can wait for what is to be seen'),
    (monitor, type) => needOf(type) === 'browser' && (numberOf(monitor.screenshot_delay) ?? 0) > 0,
  ],
  [
    said('had conditions on its records that no assertion says: here any record of the type will do'),
    (monitor, type) => asksNameServers(type) && dnsConditionsOf(monitor) === null,
  ],
  [
    said('is a group that was down only after several failed checks: here it is as soon as its members are'),
    (monitor, type) => isGroup(type) && (numberOf(monitor.maxretries) ?? 0) > 0,
  ],
  [
    said('is switched by hand: it is pending until someone sets its status'),
    (_monitor, type) => isSetByHand(type),
  ],
  [
    said('was upside down: here it is what people say'),
    (monitor, type) => isSetByHand(type) && isOn(monitor.upside_down ?? monitor.upsideDown),
  ],
  [
    said('was not tried again after an answer whose JSON was wrong: here it is after any failure'),
    (monitor) =>
      isJsonQuery(monitor) &&
      isOn(monitor.retry_only_on_status_code_failure ?? monitor.retryOnlyOnStatusCodeFailure),
  ],
  [
    said('did not warn of an expiring certificate: here it warns, one day before at the latest'),
    (monitor, type) =>
      isWeb(type) &&
      /^https:/i.test(textOf(monitor.url)) &&
      !isOn(monitor.expiry_notification ?? monitor.expiryNotification, true),
  ],
  [
    said('kept what its target answered: here a check keeps none of it'),
    (monitor, type) => isWeb(type) && isOn(monitor.save_response),
  ],
  [
    said('spoke STARTTLS: here a tcp monitor only connects, and an smtp, imap or pop3 monitor speaks it'),
    (monitor, type) => type === 'tcp' && textOf(monitor.smtp_security) === 'starttls',
  ],
  [
    said('sent several echo requests at a time: here three are sent, and one answer is enough'),
    (monitor, type) => type === 'icmp' && (numberOf(monitor.ping_count) ?? 1) > 1,
  ],
  [
    said('sent echo requests of a size of its own: here they carry 56 bytes'),
    (monitor, type) =>
      type === 'icmp' &&
      (numberOf(monitor.packet_size ?? monitor.packetSize) ?? ECHO_BYTES_THERE) !== ECHO_BYTES_THERE,
  ],
  [
    said('waited for each echo a time of its own: here one limit holds for all of them'),
    (monitor, type) =>
      type === 'icmp' &&
      (numberOf(monitor.ping_per_request_timeout) ?? ECHO_SECONDS_THERE) !== ECHO_SECONDS_THERE,
  ],
  [
    said('warned when its domain was about to expire: here a domain monitor does, add one'),
    (monitor, type) => MONITOR_TYPES[type].url !== null && isOn(monitor.domain_expiry_notification),
  ],
  [said('its description has no place here'), (monitor) => textOf(monitor.description) !== ''],
]

export function isJsonQuery({ type }: Fields): boolean {
  return textOf(type) === 'json-query'
}

/** Up while its keyword is missing. */
export function isInvertedKeyword(monitor: Fields): boolean {
  return (
    textOf(monitor.type) === 'keyword' &&
    textOf(monitor.keyword) !== '' &&
    isOn(monitor.invert_keyword ?? monitor.invertKeyword)
  )
}

/** The protocols of proxies there, and as they are written here. */
const PROXIES: Record<string, string> = {
  http: 'http',
  https: 'https',
  socks: 'socks5',
  socks5: 'socks5',
  socks5h: 'socks5',
}

/** One that is off is not used there. */
function usesProxy({ proxy }: Fields): boolean {
  return isFields(proxy) && isOn(proxy.active, true)
}

/** Null without a proxy, and for one of a protocol that there is none of here. */
export function proxyUrlOf(monitor: Fields): string | null {
  if (!usesProxy(monitor)) return null
  const proxy = monitor.proxy as Fields
  const scheme = entryOf(PROXIES, textOf(proxy.protocol))
  if (scheme === undefined) return null
  const [name, password] = [textOf(proxy.username), textOf(proxy.password)].map(encodeURIComponent)
  const user = isOn(proxy.auth) ? `${name}:${password}@` : ''
  const host = textOf(proxy.host)
  const port = numberOf(proxy.port)
  return `${scheme}://${user}${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`}`
}

/** Older versions have no authentication method, only a user name. */
export function authMethodOf(monitor: Fields): string {
  const method = textOf(monitor.auth_method, monitor.authMethod)
  return method || (textOf(monitor.basic_auth_user) ? 'basic' : 'none')
}
