import type { Assertion, Scalar } from '../../core/expectations/assertion.ts'
import { equalTo, escaped, expect, scalarsOf } from '../expectations.ts'
import { UNASKED } from './condition-reasons.ts'
import { patternOf, readGlob } from './glob.ts'
import { integerOf } from './numbers.ts'
import { asserted, type ConditionReading, UNREADABLE } from './reading.ts'

/** A part of the answer that is a text, or JSON, which Gatus prints before it compares it. */
export type Place = { source: 'body' | 'json' | 'header'; property?: string }

/** Whether a part of the answer equals a text, or one of `any(a, b)`, or is as `pat(*a*)` says; or must not. */
export function readEqual(place: Place, text: string, isWanted: boolean): ConditionReading {
  const pattern = insideOf('pat', text)
  if (pattern !== null) return readPattern(place, pattern, isWanted)
  if (place.source === 'body') return matching(place, anyOf(optionsOf(text).map(escaped)), isWanted)
  if (place.source === 'json' && /^[{[]/.test(text))
    return { kind: 'unasked', reason: UNASKED['[BODY].a == {"b": 1}'] }
  return equal(place, [...new Set(optionsOf(text).flatMap(scalarsThere))], isWanted)
}

function readPattern(place: Place, pattern: string, isWanted: boolean): ConditionReading {
  // Anything is so, even what is missing.
  if (/^\*+$/.test(pattern)) return isWanted ? asserted([]) : UNREADABLE
  const glob = readGlob(pattern)
  if (glob === null) return UNREADABLE
  if (glob.comparison === 'contains') return readContains(place, glob.target, isWanted)
  if (place.source === 'body') return matching(place, patternOf(glob), isWanted)
  if (glob.comparison === 'equals') return equal(place, scalarsOf(glob.target), isWanted)
  if (glob.comparison === 'matches' || !isWanted) return matching(place, patternOf(glob), isWanted)
  return asserted([expectAt(place, glob.comparison, glob.target)])
}

function readContains(place: Place, target: string, isWanted: boolean): ConditionReading {
  const assertion = expectAt(place, isWanted ? 'contains' : 'not_contains', target)
  return assertion && place.source === 'body' && isWanted
    ? { kind: 'contains', keyword: target, assertion }
    : asserted([assertion])
}

function equal(place: Place, targets: Scalar[], isWanted: boolean): ConditionReading {
  const { comparison, target } = equalTo(targets, isWanted)
  return asserted([expectAt(place, comparison, target)])
}

/** A whole text that a pattern of RE2 matches. Gatus trims a body before it compares it. */
function matching(place: Place, pattern: string, isWanted: boolean): ConditionReading {
  const around = place.source === 'body' ? '\\s*' : ''
  const flag = /\.\*|\[\^/.test(pattern) ? '(?s)' : ''
  return asserted([
    expectAt(place, isWanted ? 'matches' : 'not_matches', `${flag}^${around}${pattern}${around}$`),
  ])
}

/** An assertion about a part of the answer; null for one that no monitor can have. */
export function expectAt(
  { source, property }: Place,
  comparison: Assertion['comparison'],
  target?: Assertion['target'],
): Assertion | null {
  return expect(source, comparison, {
    ...(property !== undefined && { property }),
    ...(target !== undefined && { target }),
  })
}

function anyOf(patterns: string[]): string {
  const [only] = patterns
  return patterns.length === 1 && only !== undefined ? only : `(?:${patterns.join('|')})`
}

/** Gatus compares texts, but whole numbers as numbers: `0x7` is 7. */
function scalarsThere(text: string): Scalar[] {
  const number = integerOf(text)
  if (number === null || String(number) === text) return scalarsOf(text)
  return [...scalarsOf(String(number)), text]
}

/** The texts of `any(a, b)`, or the one. */
export function optionsOf(text: string): string[] {
  return (
    insideOf('any', text)
      ?.split(',')
      .map((option) => option.trim()) ?? [text]
  )
}

export function insideOf(call: 'pat' | 'any', text: string): string | null {
  return text.startsWith(`${call}(`) && text.endsWith(')') ? text.slice(call.length + 1, -1) : null
}
