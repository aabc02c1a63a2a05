import { type AnswerPart, type Assertion, COMPARISONS, type Comparison, type Scalar } from './assertion.ts'
import { patternOf } from './pattern.ts'

/** A value that was read from an answer. */
export type Value = {
  /** The value as a text: of JSON that is no text, its JSON. */
  text: string
  /** The value itself; undefined for an object, an array and several values. */
  scalar: Scalar | undefined
  /** The number of nodes or lines; of one node that is an array, the number of its elements. */
  count: number
  isEmpty: boolean
}

/** RFC 8259, section 6. */
const JSON_NUMBER = /^\s*-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?\s*$/
const MAX_NUMBER_LENGTH = 100

/** Whether a value compares with the target as it should; null stands for nothing that was read. */
export function holds({ source, comparison, target }: Assertion, value: Value | null): boolean {
  if (value === null) return COMPARISONS[comparison].negates
  switch (comparison) {
    case 'equals':
      return isEqual(source, value, target as Scalar)
    case 'not_equals':
      return !isEqual(source, value, target as Scalar)
    case 'one_of':
      return (target as Scalar[]).some((one) => isEqual(source, value, one))
    case 'not_one_of':
      return !(target as Scalar[]).some((one) => isEqual(source, value, one))
    case 'contains':
      return value.text.includes(String(target))
    case 'not_contains':
      return !value.text.includes(String(target))
    case 'starts_with':
      return value.text.startsWith(String(target))
    case 'ends_with':
      return value.text.endsWith(String(target))
    case 'matches':
      return patternOf(String(target)).isIn(value.text)
    case 'not_matches':
      return !patternOf(String(target)).isIn(value.text)
    case 'less_than':
    case 'at_most':
    case 'greater_than':
    case 'at_least':
      return isInOrder(comparison, numberOf(value), Number(target))
    case 'exists':
      return true
    case 'not_exists':
      return false
    case 'is_empty':
      return value.isEmpty
    case 'not_empty':
      return !value.isEmpty
    case 'count_equals':
      return value.count === target
    case 'count_less_than':
      return value.count < Number(target)
    case 'count_greater_than':
      return value.count > Number(target)
    case 'length_equals':
      return lengthOf(value) === target
    case 'length_less_than':
      return lengthOf(value) < Number(target)
    case 'length_greater_than':
      return lengthOf(value) > Number(target)
  }
}

/** In code points: what a person counts. */
export function lengthOf({ text }: Value): number {
  let points = 0
  for (const _ of text) points++
  return points
}

/** JSON has types of its own; a header, a body and an answer are texts, which may be those of a number. */
function isEqual(source: AnswerPart, { scalar, text }: Value, target: Scalar): boolean {
  if (scalar === undefined) return text === target
  if (source === 'json' || typeof scalar === 'number') return scalar === target
  return typeof target === 'number' ? parsed(text) === target : text === String(target)
}

function isInOrder(comparison: Comparison, value: number | null, limit: number): boolean {
  if (value === null) return false
  if (comparison === 'less_than') return value < limit
  if (comparison === 'at_most') return value <= limit
  return comparison === 'greater_than' ? value > limit : value >= limit
}

function numberOf({ scalar }: Value): number | null {
  if (typeof scalar === 'number') return scalar
  return typeof scalar === 'string' ? parsed(scalar) : null
}

function parsed(text: string): number | null {
  return text.length <= MAX_NUMBER_LENGTH && JSON_NUMBER.test(text) ? Number(text) : null
}
