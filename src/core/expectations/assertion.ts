import * as z from 'zod'
import { phrase } from '../language/phrase.ts'
import { issueAt, type Said, said } from '../language/said.ts'
import { TOKEN } from '../monitors/request-headers.ts'
import { text } from '../text.ts'
import { isNumberOfChecks, MAX_CHECKS, MIN_CHECKS } from './response-times.ts'

/*
 * Expectations of an answer besides its status: a value that is read from it, and how it must compare. Nothing here
 * loads the libraries of paths and patterns, because forms, documents and the start of the service need the shapes alone.
 */

export const MAX_ASSERTIONS = 20
export const MAX_PROPERTY_LENGTH = 500
export const MAX_TARGET_LENGTH = 1_000
const MAX_TARGETS = 50
export const WHOLE_DOCUMENT = '$'

/** Places that a value is read from: their word in forms, what `property` names there, and whether it is a number or a text. */
export const SOURCES = {
  status_code: { word: phrase('Status code'), property: null, reads: 'number' },
  header: { word: phrase('Header'), property: 'needed', reads: 'text' },
  body: { word: phrase('Body'), property: null, reads: 'text' },
  json: { word: phrase('JSON'), property: 'optional', reads: 'json' },
  response_time_ms: { word: phrase('Time in ms'), property: null, reads: 'number' },
  response_time_p95_ms: { word: phrase('p95 in ms'), property: 'checks', reads: 'number' },
  certificate_days: { word: phrase('Certificate days'), property: null, reads: 'number' },
  answer: { word: phrase('Answer'), property: null, reads: 'text' },
} as const satisfies Record<string, { word: string; property: PropertyOf | null; reads: Reads }>

/** `checks`: of how many checks, in digits. */
type PropertyOf = 'needed' | 'optional' | 'checks'

/** `json` is a text that may be a number, and several of them. */
type Reads = 'number' | 'text' | 'json'

export type AnswerPart = keyof typeof SOURCES

/** How many targets a comparison takes, and of which kind. */
export type Takes = 'nothing' | 'one' | 'several' | 'text' | 'pattern' | 'number' | 'count'

/**
 * How a value may compare with a target. `word` stands in forms; `verb` says in a cause what is wanted, before the target.
 * One that `negates` holds where nothing was read.
 */
export const COMPARISONS = {
  equals: { word: phrase('equals'), takes: 'one', verb: '', negates: false },
  not_equals: { word: phrase('does not equal'), takes: 'one', verb: 'not', negates: true },
  contains: { word: phrase('contains'), takes: 'text', verb: 'to contain', negates: false },
  not_contains: { word: phrase('does not contain'), takes: 'text', verb: 'not to contain', negates: true },
  starts_with: { word: phrase('starts with'), takes: 'text', verb: 'to start with', negates: false },
  ends_with: { word: phrase('ends with'), takes: 'text', verb: 'to end with', negates: false },
  matches: { word: phrase('matches'), takes: 'pattern', verb: 'to match', negates: false },
  not_matches: { word: phrase('does not match'), takes: 'pattern', verb: 'not to match', negates: true },
  less_than: { word: phrase('is less than'), takes: 'number', verb: 'less than', negates: false },
  at_most: { word: phrase('is at most'), takes: 'number', verb: 'at most', negates: false },
  greater_than: { word: phrase('is more than'), takes: 'number', verb: 'more than', negates: false },
  at_least: { word: phrase('is at least'), takes: 'number', verb: 'at least', negates: false },
  one_of: { word: phrase('is one of'), takes: 'several', verb: 'one of', negates: false },
  not_one_of: { word: phrase('is none of'), takes: 'several', verb: 'none of', negates: true },
  exists: { word: phrase('exists'), takes: 'nothing', verb: 'to exist', negates: false },
  not_exists: { word: phrase('does not exist'), takes: 'nothing', verb: 'not to exist', negates: true },
  is_empty: { word: phrase('is empty'), takes: 'nothing', verb: 'to be empty', negates: false },
  not_empty: { word: phrase('is not empty'), takes: 'nothing', verb: 'not to be empty', negates: true },
  count_equals: { word: phrase('has as many entries as'), takes: 'count', verb: '', negates: false },
  count_less_than: {
    word: phrase('has fewer entries than'),
    takes: 'count',
    verb: 'less than',
    negates: false,
  },
  count_greater_than: {
    word: phrase('has more entries than'),
    takes: 'count',
    verb: 'more than',
    negates: false,
  },
  length_equals: { word: phrase('is as long as'), takes: 'count', verb: '', negates: false },
  length_less_than: { word: phrase('is shorter than'), takes: 'count', verb: 'less than', negates: false },
  length_greater_than: { word: phrase('is longer than'), takes: 'count', verb: 'more than', negates: false },
} as const satisfies Record<string, { word: string; takes: Takes; verb: string; negates: boolean }>

export type Comparison = keyof typeof COMPARISONS

const OF_NUMBERS: readonly Comparison[] = [
  'less_than',
  'at_most',
  'greater_than',
  'at_least',
  'equals',
  'not_equals',
  'one_of',
  'not_one_of',
]
const OF_SEVERAL: readonly AnswerPart[] = ['json', 'answer']

/** Whether a value of this source can be compared so. */
export function compares(source: AnswerPart, comparison: Comparison): boolean {
  if (SOURCES[source].reads === 'number') return OF_NUMBERS.includes(comparison)
  return comparison.startsWith('count_') ? OF_SEVERAL.includes(source) : true
}

const Scalar = z.union([text(MAX_TARGET_LENGTH), z.number(), z.boolean(), z.null()])
export type Scalar = z.infer<typeof Scalar>

/** `source`, `property`, `comparison`, `target` and `severity`, whose pairs are checked together. */
export const Assertion = z
  .strictObject({
    source: z
      .enum(Object.keys(SOURCES) as [AnswerPart, ...AnswerPart[]])
      .describe('The part of the answer to read.'),
    property: text(MAX_PROPERTY_LENGTH)
      .optional()
      .describe(
        'The name of the header; the JSONPath (RFC 9535) of the value, `$` by default; or the number of checks that a percentile is of, 20 by default.',
      ),
    comparison: z
      .enum(Object.keys(COMPARISONS) as [Comparison, ...Comparison[]])
      .describe('How the value that is read must compare with `target`. Patterns are RE2.'),
    target: z
      .union([Scalar, z.array(Scalar).min(1).max(MAX_TARGETS)])
      .optional()
      .describe('The value to compare with; an array for `one_of` and `not_one_of`.'),
    severity: z
      .enum(['down', 'degraded'])
      .default('down')
      .describe('The status of a check whose answer does not compare so.'),
  })
  .superRefine((assertion, context) => {
    const property = propertyFault(assertion)
    if (property) context.addIssue(issueAt(['property'], property))
    const pair = pairFault(assertion)
    if (pair) context.addIssue(issueAt(['comparison'], pair))
    const target = pair ? null : targetFault(assertion)
    if (target) context.addIssue(issueAt(['target'], target))
  })
export type Assertion = z.infer<typeof Assertion>

export const Assertions = z
  .array(Assertion)
  .max(MAX_ASSERTIONS)
  .describe('Expectations of the answer, in order. The first one that fails says why the check failed.')

/** Whether an assertion takes the place of the expected status codes. */
export function judgesStatus(assertions: readonly Assertion[] | null | undefined): boolean {
  return assertions?.some(({ source, severity }) => source === 'status_code' && severity === 'down') ?? false
}

/** Whether any of them says what the answer is to be, in place of the usual rule. */
export function judgesAnswer(assertions: readonly Assertion[] | null | undefined): boolean {
  return (assertions ?? []).some(({ source, severity }) => source === 'answer' && severity === 'down')
}

/** Whether any of them reads the body of an answer over HTTP. */
export function readsBody(assertions: readonly Assertion[]): boolean {
  return assertions.some(({ source }) => source === 'body' || source === 'json')
}

function propertyFault({ source, property }: Pick<Assertion, 'source' | 'property'>): Said | null {
  switch (SOURCES[source].property) {
    case null:
      return property === undefined ? null : said('must be left out for `{source}`', { source })
    case 'needed':
      if (property === undefined) return said('must name a header')
      return TOKEN.test(property) ? null : said('must be the name of a header, got {got}', { got: property })
    case 'checks':
      return property === undefined || isNumberOfChecks(property)
        ? null
        : said('must be the number of checks in digits, {min} to {max}, got {got}', {
            ...{ min: MIN_CHECKS, max: MAX_CHECKS, got: property },
          })
    case 'optional':
      return null
  }
}

function pairFault({ source, comparison }: Pick<Assertion, 'source' | 'comparison'>): Said | null {
  if (compares(source, comparison)) return null
  return said('must be one that `{source}` can be compared by, got {got}', { source, got: comparison })
}

function targetFault({ source, comparison, target }: Assertion): Said | null {
  const { takes } = COMPARISONS[comparison]
  const isNumber = (value: unknown) => typeof value === 'number'
  const isFit = (value: unknown) => SOURCES[source].reads !== 'number' || isNumber(value)
  switch (takes) {
    case 'nothing':
      return target === undefined || target === null
        ? null
        : said('must be left out for `{comparison}`', { comparison })
    case 'several':
      if (!Array.isArray(target))
        return said('must be an array of {min} to {max} values', { min: 1, max: MAX_TARGETS })
      return target.every(isFit) ? null : said('must have numbers only')
    case 'one':
      if (target === undefined || Array.isArray(target))
        return said('must be a text, a number, true, false or null')
      return isFit(target) ? null : said('must be a number')
    case 'number':
      return isNumber(target) ? null : said('must be a number')
    case 'count':
      return isNumber(target) && Number.isInteger(target) && (target as number) >= 0
        ? null
        : said('must be a whole number, 0 or more')
    case 'text':
    case 'pattern':
      return typeof target === 'string' && target !== '' ? null : said('must be a text that is not empty')
  }
}
