import {
  type MonitorType,
  queryLanguageOf,
  securitiesOf,
  usualSchemeOf,
} from '../../core/monitors/monitor-types.ts'
import { parseTarget } from '../../core/monitors/target.ts'
import type { Security } from '../../core/monitors/types/entry.ts'
import type { MonitorFacts } from '../draft-monitor.ts'
import { equalTo, expect, expected, scalarsOf } from '../expectations.ts'
import { type Fields, isOn, numberOf, parseJson, recordsOf, textOf } from '../fields.ts'
import { equalQueryOf } from './json-query.ts'

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i
const OF_TEXTS = ['contains', 'not_contains', 'starts_with', 'ends_with'] as const
const OF_NUMBERS = {
  num_equals: 'equals',
  num_not_equals: 'not_equals',
  lt: 'less_than',
  gt: 'greater_than',
  lte: 'at_most',
  gte: 'at_least',
} as const

/** The address of a database, what it is asked and what it must answer. */
export function databaseFacts(monitor: Fields, type: MonitorType): Partial<MonitorFacts> {
  const written = textOf(monitor.database_connection_string, monitor.databaseConnectionString).trim()
  const address = SCHEME.test(written) ? written : addressOfWords(written, usualSchemeOf(type))
  const url = parseTarget(address)
  const query = textOf(monitor.database_query, monitor.databaseQuery).trim()
  const password = passwordThere(monitor)
  const security = securityIn(url?.searchParams, type)
  return {
    url: withHome(address, url).replace(SCHEME, (scheme) => scheme.toLowerCase()),
    ...(password !== '' && { password }),
    ...(query !== '' && { own: { query } }),
    ...(security && { security }),
    expected: [...(conditionsOf(monitor) ?? []), ...ofReply(monitor)],
    request: {
      trustsAnyCertificate: isOn(monitor.ignore_tls ?? monitor.ignoreTls) || isUnverified(url?.searchParams),
    },
  }
}

/** The keys of the words that name one thing, without spaces and in lower case, as SQL Server's drivers have them. */
const WORDS = {
  server: ['server', 'datasource', 'addr', 'address', 'networkaddress'],
  database: ['database', 'initialcatalog'],
  user: ['userid', 'uid', 'user'],
  password: ['password', 'pwd'],
} as const
const WORD = /([^=;]+)=\s*("(?:[^"]|"")*"|'(?:[^']|'')*'|\{(?:[^}]|\}\})*\}|[^;]*)(?:;|$)/g

function wordsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(text.matchAll(WORD), ([, key = '', value = '']) => [
      key.replaceAll(/\s/g, '').toLowerCase(),
      unquoted(value.trim()),
    ]),
  )
}

/** A quote within quotes stands twice. */
function unquoted(value: string): string {
  const [, quote = '', inner = value] = /^(["'{])(.*)["'}]$/s.exec(value) ?? []
  const end = quote === '{' ? '}' : quote
  return end === '' ? value : inner.replaceAll(end + end, end)
}

/** Whether it names an instance, whose port it asks the server for. */
export function namesInstance(monitor: Fields, type: MonitorType): boolean {
  const text = textOf(monitor.database_connection_string, monitor.databaseConnectionString)
  const words = wordsOf(text)
  const server = WORDS.server.map((key) => words.get(key)).find(Boolean) ?? ''
  return queryLanguageOf(type) === 'sql that reads' && !SCHEME.test(text) && /\\[^,]*$/.test(server)
}

/** The URL of `Server=db.example,1433;Database=shop;User Id=ann;Password=secret;Encrypt=true`; empty without a server. */
function addressOfWords(text: string, scheme: string): string {
  const words = wordsOf(text)
  const wordOf = (keys: readonly string[]) => keys.map((key) => words.get(key)).find(Boolean) ?? ''
  const [, host = '', port = ''] = /^(?:tcp:)?([^,\\]+)[^,]*(?:,\s*(\d+))?$/i.exec(wordOf(WORDS.server)) ?? []
  if (host === '') return ''
  const [user, password] = [wordOf(WORDS.user), wordOf(WORDS.password)].map(encodeURIComponent)
  const isTrusting = /^(true|yes)$/i.test(words.get('trustservercertificate') ?? '')
  const mode = { true: 'require', yes: 'require', mandatory: 'require', strict: 'strict', false: 'disable' }
  const encrypt = (words.get('encrypt') ?? '').toLowerCase()
  const security = Object.hasOwn(mode, encrypt) ? mode[encrypt as keyof typeof mode] : ''
  const about = new URLSearchParams({
    ...(security !== '' && { sslmode: security }),
    ...(isTrusting && { tlsInsecure: 'true' }),
  })
  const credentials = user === '' ? '' : `${user}:${password}@`
  const place = port === '' ? host.trim() : `${host.trim()}:${port}`
  const database = wordOf(WORDS.database)
  const path = database === '' ? '' : `/${encodeURIComponent(database)}`
  return `${scheme}://${credentials}${place}${path}?${about}`
}

/** One that stands beside the address. */
function passwordThere(monitor: Fields): string {
  return textOf(monitor.type) === 'mysql' ? textOf(monitor.radius_password, monitor.radiusPassword) : ''
}

/** The address without its words, but for the database that knows the user, where a check reads that. */
function withHome(address: string, url: URL | null): string {
  const home = url?.searchParams.get('authSource')
  const bare = address.replace(/[?#].*$/s, '')
  return home ? `${bare}?${new URLSearchParams({ authSource: home })}` : bare
}

/** The words of the address about TLS, as drivers have them. */
function securityIn(words: URLSearchParams | undefined, type: MonitorType): Security | null {
  const mode = words?.get('sslmode') ?? words?.get('tls') ?? words?.get('ssl') ?? ''
  if (mode === 'disable' || mode === 'false') return 'none'
  if (mode === 'strict') return 'implicit'
  if (!/^(true|1|require|no-verify|verify-ca|verify-full)$/.test(mode)) return null
  return securitiesOf(type).includes('starttls') ? 'starttls' : 'implicit'
}

function isUnverified(words: URLSearchParams | undefined): boolean {
  const isOff = ['tlsInsecure', 'tlsAllowInvalidCertificates'].some((word) => words?.get(word) === 'true')
  return isOff || words?.get('sslmode') === 'no-verify'
}

/** The value that the reply must have, or that it must have any. */
function ofReply(monitor: Fields): Expectation[] {
  const words = textOf(monitor.json_path, monitor.jsonPath)
  if (textOf(monitor.type) !== 'mongodb' || words === '') return []
  const wanted = textOf(monitor.expected_value, monitor.expectedValue)
  const asked = equalQueryOf(wanted === '' ? { ...monitor, expected_value: '0' } : monitor) ?? []
  const assertions = asked
    .filter(({ source }) => source === 'json')
    .map(({ property, ...one }) =>
      wanted === '' ? expect('json', 'exists', { property }) : { ...one, property },
    )
  return [{ words, assertions: assertions.filter((one) => one !== null) }]
}

type Expectation = NonNullable<MonitorFacts['expected']>[number]

/** The conditions on its result; null if one of them says what no assertion does. */
function conditionsOf(monitor: Fields): Expectation[] | null {
  const conditions = recordsOf(parseJson(textOf(monitor.conditions)))
  const read = conditions.map(({ type, operator, value, andOr }, place): Expectation | null => {
    const isAlone = place === 0 || textOf(andOr) !== 'or'
    return textOf(type) === 'expression' && isAlone ? expectationOf(textOf(operator), textOf(value)) : null
  })
  const known = read.filter((one) => one !== null)
  return known.length === read.length ? known : null
}

function expectationOf(operator: string, value: string): Expectation | null {
  const assertion = assertionOf(operator, value)
  return assertion && expected(value, assertion)
}

function assertionOf(operator: string, value: string) {
  if (operator === 'equals' || operator === 'not_equals') {
    const { comparison, target } = equalTo(scalarsOf(value), operator === 'equals')
    return expect('answer', comparison, { target })
  }
  const ofTexts = OF_TEXTS.find((one) => one === operator)
  if (ofTexts) return expect('answer', ofTexts, { target: value })
  const target = numberOf(value)
  const comparison = Object.hasOwn(OF_NUMBERS, operator)
    ? OF_NUMBERS[operator as keyof typeof OF_NUMBERS]
    : null
  return comparison && target !== null ? expect('answer', comparison, { target }) : null
}

/** Whether it wants something of its result that no assertion says. */
export function hasOtherConditions(monitor: Fields, type: MonitorType): boolean {
  return queryLanguageOf(type) !== null && conditionsOf(monitor) === null
}
