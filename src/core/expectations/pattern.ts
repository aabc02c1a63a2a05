import { RE2JS } from 're2js'
import { putLast } from '../bounded-map.ts'

/** A pattern is written by a member and the text by a stranger, so the engine's time must grow with the text alone. */
export type Pattern = {
  /** Whether it matches anywhere in the text. */
  isIn(text: string): boolean
  /** Whether it matches the text as a whole. */
  isAllOf(text: string): boolean
  /** Its first group in the first match; null without a match, or where the group took no part in it. */
  groupIn(text: string): string | null
  /** The groups that it captures. */
  readonly groups: number
}

const MAX_KEPT = 200
const kept = new Map<string, Pattern>()

/**
 * A pattern in RE2's syntax (https://github.com/google/re2/wiki/Syntax): linear in the text, without look-ahead and back
 * references. Throws `PatternError` for one that is none.
 */
export function patternOf(source: string): Pattern {
  const known = kept.get(source)
  if (known) return known
  const pattern = compile(source)
  putLast(kept, source, pattern, MAX_KEPT)
  return pattern
}

/** The words of the engine for what is wrong with a pattern. */
export class PatternError extends Error {}

function compile(source: string): Pattern {
  try {
    const compiled = RE2JS.compile(source)
    return {
      isIn: (text) => compiled.matcher(text).find(),
      isAllOf: (text) => compiled.matches(text),
      groupIn(text) {
        const matcher = compiled.matcher(text)
        return matcher.find() ? (matcher.group(1) ?? null) : null
      },
      groups: compiled.groupCount(),
    }
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error))
  }
}
