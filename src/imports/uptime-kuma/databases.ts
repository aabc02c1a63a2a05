import { type MonitorType, queryLanguageOf } from '../../core/monitors/monitor-types.ts'
import { parseTarget } from '../../core/monitors/target.ts'
import type { MonitorFacts } from '../draft-monitor.ts'
import { equalTo, expect, expected, scalarsOf } from '../expectations.ts'
import { type Fields, isOn, numberOf, parseJson, recordsOf, textOf } from '../fields.ts'

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
export function databaseFacts(monitor: Fields): Partial<MonitorFacts> {
  const address = textOf(monitor.database_connection_string, monitor.databaseConnectionString).trim()
  const url = parseTarget(address)
  const query = textOf(monitor.database_query, monitor.databaseQuery).trim()
  const password = passwordThere(monitor)
  const security = securityIn(url?.searchParams)
  return {
    url: address.replace(/[?#].*$/s, '').replace(SCHEME, (scheme) => scheme.toLowerCase()),
    ...(password !== '' && { password }),
    ...(query !== '' && { own: { query } }),
    ...(security && { security }),
    expected: conditionsOf(monitor) ?? [],
    request: {
      trustsAnyCertificate: isOn(monitor.ignore_tls ?? monitor.ignoreTls) || isUnverified(url?.searchParams),
    },
  }
}

/** One that stands beside the address. */
function passwordThere(monitor: Fields): string {
  return textOf(monitor.type) === 'mysql' ? textOf(monitor.radius_password, monitor.radiusPassword) : ''
}

/** The words of the address about TLS, as libpq and its drivers have them. */
function securityIn(words: URLSearchParams | undefined): 'none' | 'starttls' | null {
  const mode = words?.get('sslmode') ?? words?.get('ssl') ?? ''
  if (mode === 'disable') return 'none'
  return /^(true|1|require|no-verify|verify-ca|verify-full)$/.test(mode) ? 'starttls' : null
}

function isUnverified(words: URLSearchParams | undefined): boolean {
  return words?.get('sslmode') === 'no-verify'
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
