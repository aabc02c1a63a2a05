import { grouped } from '../monitors/cause.ts'
import { type AnswerPart, type Assertion, COMPARISONS, type Scalar, WHOLE_DOCUMENT } from './assertion.ts'
import { lengthOf, type Value } from './compare.ts'
import { checksOf } from './response-times.ts'

/*
 * The causes of a check that failed an expectation. They are stable, because people read them and scripts match them.
 */

/** A longer value is cut, in code points. */
export const MAX_VALUE_LENGTH = 100
const STATUS_DIGITS = 3
const IN_MS: readonly AnswerPart[] = ['response_time_ms', 'response_time_p95_ms']

/** `$.status is "maintenance" (expected "ok")`; null stands for nothing that was read. */
export function unmet(assertion: Assertion, value: Value | null): string {
  if (value === null) return `${subjectOf(assertion)} is missing`
  return `${found(assertion, value)} (expected ${wanted(assertion)})`
}

/** The cause where an expectation takes more time or nodes than one may. */
export function beyondBound(assertion: Assertion): string {
  return `${subjectOf(assertion)} could not be evaluated within its bound`
}

function subjectOf(assertion: Pick<Assertion, 'source' | 'property'>): string {
  const { source, property } = assertion
  switch (source) {
    case 'status_code':
      return 'status'
    case 'header':
      return `header ${property?.toLowerCase()}`
    case 'json':
      return property ?? WHOLE_DOCUMENT
    case 'response_time_ms':
      return 'response'
    case 'response_time_p95_ms':
      return `95th percentile of the last ${checksOf(assertion)} checks`
    case 'certificate_days':
      return 'certificate'
    default:
      return source
  }
}

function found(assertion: Assertion, value: Value): string {
  const subject = subjectOf(assertion)
  const number = Number(value.scalar)
  if (assertion.source === 'status_code') return `HTTP ${String(number).padStart(STATUS_DIGITS, '0')}`
  if (assertion.source === 'response_time_ms') return `${subject} took ${grouped(number)} ms`
  if (assertion.source === 'response_time_p95_ms') return `${subject} is ${grouped(number)} ms`
  if (assertion.source === 'certificate_days') return `${subject} has ${counted(number, 'day')} left`
  if (assertion.comparison.startsWith('count_'))
    return `${subject} has ${counted(value.count, assertion.source === 'json' ? 'element' : 'line')}`
  if (assertion.comparison.startsWith('length_'))
    return `${subject} has ${counted(lengthOf(value), 'character')}`
  return `${subject} is ${shown(value)}`
}

function shown({ scalar, text }: Value): string {
  if (typeof scalar === 'string') return `"${shortened(scalar)}"`
  return shortened(text)
}

function wanted({ source, comparison, target }: Assertion): string {
  const targets = (Array.isArray(target) ? target : [target]) as Scalar[]
  const inWords = targets.map((one) => (IN_MS.includes(source) ? grouped(Number(one)) : JSON.stringify(one)))
  const { takes, verb } = COMPARISONS[comparison]
  return [verb, takes === 'nothing' ? '' : inWords.join(', ')].filter((part) => part !== '').join(' ')
}

function shortened(text: string): string {
  const points = [...text.slice(0, 2 * (MAX_VALUE_LENGTH + 1))]
  return points.length <= MAX_VALUE_LENGTH ? text : `${points.slice(0, MAX_VALUE_LENGTH).join('')}…`
}

const counted = (number: number, word: string) =>
  `${grouped(number)} ${word}${Math.abs(number) === 1 ? '' : 's'}`
