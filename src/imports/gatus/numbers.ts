import type { Assertion } from '../../core/expectations/assertion.ts'
import { secondsOfGoDuration } from './go-duration.ts'

export type Order = '<' | '<=' | '>' | '>='

const WHOLE = /^[+-]?(0|[1-9]\d*|0x[\da-f]+)$/i
const FLOAT = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** The whole number that Gatus reads, of a duration its milliseconds; null for a text that it takes for 0. */
export function wholeOf(text: string): number | null {
  const seconds = secondsOfGoDuration(text)
  const number =
    seconds !== null && seconds !== 0
      ? seconds * 1_000
      : WHOLE.test(text) || FLOAT.test(text)
        ? Number(text)
        : Number.NaN
  return Number.isFinite(number) ? Math.trunc(number) : null
}

/** `200` and `0xC8`: what Gatus compares as a number when it asks whether two texts are equal. */
export function integerOf(text: string): number | null {
  return WHOLE.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}

export function isInOrder(value: number, order: Order, limit: number): boolean {
  if (order === '<') return value < limit
  if (order === '<=') return value <= limit
  return order === '>' ? value > limit : value >= limit
}

type Bound = { comparison: Assertion['comparison']; target: number }

/** How a whole number compares. */
export function boundOfWhole(order: Order, target: number): Bound {
  const comparisons = { '<': 'less_than', '<=': 'at_most', '>': 'greater_than', '>=': 'at_least' } as const
  return { comparison: comparisons[order], target }
}

/** The same for a number of which Gatus leaves out what stands behind its point: 5.5 is 5, so that it is not above 5. */
export function boundOfNumber(order: Order, limit: number): Bound {
  const least = order === '>' || order === '<=' ? limit + 1 : limit
  if (order === '>' || order === '>=')
    return least > 0
      ? { comparison: 'at_least', target: least }
      : { comparison: 'greater_than', target: least - 1 }
  return least > 0 ? { comparison: 'less_than', target: least } : { comparison: 'at_most', target: least - 1 }
}
