import type { Assertion } from '../../core/expectations/assertion.ts'
import { said } from '../../core/language/said.ts'
import type { MonitorFacts } from '../draft-monitor.ts'
import { type Fields, isFields, textOf, textsOf } from '../fields.ts'
import { expectRecord, isRecordType } from '../options/dns.ts'
import type { Rule } from '../reasons.ts'
import type { Conditions } from './conditions.ts'
import { readGlob } from './glob.ts'
import { insideOf, optionsOf } from './texts.ts'

/** Reasons to skip an endpoint that asks a name server. */
export const DNS_BLOCKERS: Rule[] = [
  [
    said('asks for records of a type that checks here do not ask for'),
    (endpoint) => !isRecordType(recordTypeOf(endpoint)),
  ],
  [
    said(
      'is up with another code than NOERROR: a dns monitor here is up with a record, unless it is inverted',
    ),
    (endpoint) =>
      textsOf(endpoint.conditions).some(
        (words) => /\[DNS_RCODE\]/i.test(words) && !/== *NOERROR *$/.test(words),
      ),
  ],
]

/** The question of an endpoint with `dns`, whose URL is the name server, and the assertions on its answer. */
export function dnsFacts(
  endpoint: Fields,
  conditions: Conditions,
): Pick<MonitorFacts, 'url' | 'question' | 'expected'> {
  const recordType = recordTypeOf(endpoint)
  const server = textOf(endpoint.url).replace(/^[a-z]+:\/\//i, '')
  return {
    url: `dns://${textOf(questionOf(endpoint)['query-name']).replace(/\.$/, '')}`,
    question: { recordType, servers: server === '' ? [] : [server] },
    expected: readAll(recordType, conditions).flatMap(({ words, fit }) =>
      fit === null ? [] : [{ words, assertions: fit }],
    ),
  }
}

/** Conditions that no assertion about records says. */
export function unaskedOf(endpoint: Fields, conditions: Conditions): string[] {
  return readAll(recordTypeOf(endpoint), conditions).flatMap(({ words, fit }) =>
    fit === null ? [words] : [],
  )
}

function questionOf({ dns }: Fields): Fields {
  return isFields(dns) ? dns : {}
}

function recordTypeOf(endpoint: Fields): string {
  return textOf(questionOf(endpoint)['query-type']).toUpperCase() || 'A'
}

type ReadExpected = { words: string; fit: Assertion[] | null }

function readAll(recordType: string, { keyword, expected }: Conditions): ReadExpected[] {
  const fit = (assertion: Assertion | null) => (assertion === null ? null : [assertion])
  return [
    ...(keyword === null
      ? []
      : [{ words: keyword, fit: fit(expectRecord(recordType, 'contains', [keyword])) }]),
    ...expected.map(({ words, assertions }) =>
      assertions.every(({ source }) => source === 'response_time_ms')
        ? { words, fit: assertions }
        : { words, fit: fit(readRecord(recordType, words)) },
    ),
  ]
}

/** A body there is one record, without what stands before the name in it: `[BODY] == any(a, b)`, `[BODY] == pat(a*)`. */
function readRecord(recordType: string, words: string): Assertion | null {
  const [, text] = /^\[BODY\] == (.*)$/is.exec(words.trim()) ?? []
  // Those of services have the port behind the name there.
  if (text === undefined || recordType === 'SRV') return null
  const pattern = insideOf('pat', text.trim())
  if (pattern === null) return expectRecord(recordType, 'equals', optionsOf(text.trim()))
  const glob = readGlob(pattern)
  return glob === null || glob.comparison === 'matches'
    ? null
    : expectRecord(recordType, glob.comparison, [glob.target])
}
