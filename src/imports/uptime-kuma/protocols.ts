import { said } from '../../core/language/said.ts'
import type { MonitorType } from '../../core/monitors/monitor-types.ts'
import { portOfScheme } from '../../core/monitors/monitor-types.ts'
import { gameOf } from '../../core/monitors/options/protocols/games.ts'
import { type MonitorFacts, urlOfHost } from '../draft-monitor.ts'
import { type Expected, expect, expected } from '../expectations.ts'
import { type Fields, isOn, numberOf, pairsOf, parseJson, textOf } from '../fields.ts'
import type { Rule } from '../reasons.ts'
import { dockerFacts } from './docker.ts'
import { jsonQueryOf } from './json-query.ts'

/** The facts of monitors that speak a protocol of their own, by their types here. */
const FACTS: Partial<Record<MonitorType, (monitor: Fields) => Partial<MonitorFacts>>> = {
  grpc: grpcFacts,
  ntp: (monitor) => ({
    ...placeOf(monitor, 'ntp'),
    own: {
      max_offset_ms: numberOf(monitor.ntp_time_offset_threshold) ?? OFFSET_MS_THERE,
      max_stratum: numberOf(monitor.ntp_stratum_threshold) ?? STRATUM_THERE,
      max_dispersion_ms: numberOf(monitor.ntp_root_dispersion_threshold) ?? DISPERSION_MS_THERE,
    },
  }),
  snmp: snmpFacts,
  radius: (monitor) => ({
    ...placeOf(monitor, 'radius'),
    username: textOf(monitor.radius_username) || null,
    password: textOf(monitor.radius_password) || null,
    own: {
      shared_secret: textOf(monitor.radius_secret),
      called_station_id: textOf(monitor.radius_called_station_id) || null,
      calling_station_id: textOf(monitor.radius_calling_station_id) || null,
    },
    expected: [expected('Access-Accept', expect('answer', 'equals', { target: 'Access-Accept' }))],
  }),
  sip: (monitor) => placeOf(monitor, 'sip'),
  game: gameFacts,
  docker: dockerFacts,
}

const OFFSET_MS_THERE = 1_000
const STRATUM_THERE = 5
const DISPERSION_MS_THERE = 500

/** Null for a type that is read otherwise. */
export function protocolFacts(type: MonitorType, monitor: Fields): Partial<MonitorFacts> | null {
  return FACTS[type]?.(monitor) ?? null
}

export const PROTOCOL_BLOCKERS: Rule[] = [
  [
    said('is of a game whose servers are asked by a protocol of its own, or through somebody else'),
    (monitor, type) => type === 'game' && gameOf(gameThere(monitor)) === null,
  ],
  [
    said('has no port: here a game server is asked at the port that is known of its game'),
    (monitor, type) => type === 'game' && textOf(monitor.type) === 'steam' && numberOf(monitor.port) === null,
  ],
  [
    said('compares its value by a query that no assertion says'),
    (monitor, type) => type === 'snmp' && comparisonOf(monitor) === null,
  ],
  [
    said('has no name of a method that could be called by reflection'),
    (monitor, type) => type === 'grpc' && methodThere(monitor) === '',
  ],
]

export const PROTOCOL_DIFFERENCES: Rule[] = [
  [
    said('had its messages described in a text: here the server must offer reflection'),
    (_monitor, type) => type === 'grpc',
  ],
  [
    said('was looked up in the list of Steam: here the server itself is asked'),
    (monitor) => textOf(monitor.type) === 'steam',
  ],
]

function placeOf(monitor: Fields, scheme: 'ntp' | 'snmp' | 'radius' | 'sip'): Pick<MonitorFacts, 'url'> {
  const port = numberOf(monitor.port)
  const url = urlOfHost(scheme, textOf(monitor.hostname))
  return { url: port === null || port === portOfScheme(scheme, scheme) ? url : `${url}:${port}` }
}

function grpcFacts(monitor: Fields): Partial<MonitorFacts> {
  const keyword = textOf(monitor.keyword)
  const comparison = isOn(monitor.invert_keyword ?? monitor.invertKeyword) ? 'not_contains' : 'contains'
  const place = textOf(monitor.grpc_url, monitor.grpcUrl).replace(/^\w+:\/\//, '')
  const isSecure = isOn(monitor.grpc_enable_tls ?? monitor.grpcEnableTls)
  return {
    url: `${isSecure ? 'grpcs' : 'grpc'}://${place}`,
    request_headers: pairsOf(parseJson(textOf(monitor.grpc_metadata, monitor.grpcMetadata))),
    own: {
      method: methodThere(monitor),
      request: textOf(monitor.grpc_body, monitor.grpcBody) || null,
    },
    expected: keyword === '' ? [] : [expected(keyword, expect('json', comparison, { target: keyword }))],
  }
}

/** A service without its package has that of the text that describes it. */
function methodThere(monitor: Fields): string {
  const service = textOf(monitor.grpc_service_name, monitor.grpcServiceName)
  const [, prefix] =
    /^\s*package\s+([\w.]+)\s*;/m.exec(textOf(monitor.grpc_protobuf, monitor.grpcProtobuf)) ?? []
  const method = textOf(monitor.grpc_method, monitor.grpcMethod)
  if (service === '' || method === '') return ''
  const named = prefix === undefined || service.includes('.') ? service : `${prefix}.${service}`
  // Methods are written in lower camel case there.
  return `${named}/${method.slice(0, 1).toUpperCase()}${method.slice(1)}`
}

function snmpFacts(monitor: Fields): Partial<MonitorFacts> {
  const version = textOf(monitor.snmp_version, monitor.snmpVersion)
  const community = textOf(monitor.radius_password, monitor.radiusPassword)
  const isThird = version === '3'
  const comparison = comparisonOf(monitor)
  return {
    ...placeOf(monitor, 'snmp'),
    ...(isThird && { username: textOf(monitor.snmp_v3_username, monitor.snmpV3Username) || null }),
    own: {
      oid: textOf(monitor.snmp_oid, monitor.snmpOid).replace(/^\./, ''),
      snmp_version: version === '1' || version === '3' ? version : null,
      community: isThird || community === '' || community === 'public' ? null : community,
    },
    expected: comparison === null ? [] : [comparison],
  }
}

/** The value is that of the whole answer here. */
function comparisonOf(monitor: Fields): Expected | null {
  const words = textOf(monitor.json_path, monitor.jsonPath)
  const assertions = jsonQueryOf(monitor)
  if (assertions === null || assertions.some(({ source }) => source !== 'body')) return null
  return { words, assertions: assertions.map((one) => ({ ...one, source: 'answer' as const })) }
}

function gameThere(monitor: Fields): string {
  return textOf(monitor.type) === 'steam' ? 'protocol-valve' : textOf(monitor.game)
}

/** There the port is that of players, and another one that follows from it is asked first. */
function gameFacts(monitor: Fields): Partial<MonitorFacts> {
  const [id, port] = [gameThere(monitor), numberOf(monitor.port)]
  const game = gameOf(id)
  const url = urlOfHost('game', textOf(monitor.hostname))
  const isGiven = isOn(monitor.gamedig_given_port_only ?? monitor.gamedigGivenPortOnly, true)
  const moves = game !== null && !isGiven ? game.queryPort - game.port : 0
  return { url: port === null ? url : `${url}:${port + moves}`, own: { game: id } }
}
