import { MAX_TARGET_LENGTH } from '../../core/expectations/assertion.ts'
import { patternOf as compiled } from '../../core/expectations/pattern.ts'
import { escaped } from '../expectations.ts'

/** How a text must compare where Gatus has `pat()`; the target of `matches` is a pattern of RE2 without its anchors. */
export type Glob = {
  comparison: 'equals' | 'contains' | 'starts_with' | 'ends_with' | 'matches'
  target: string
}

/**
 * Reads a pattern of Gatus, which is one of the whole text: `*` is any text, `?` and `[a-z]` are one character, `\` takes the
 * meaning from the next. Null for one that is none, which never matches there. A slash is a slash; there, all slashes of text and
 * pattern are left out.
 */
export function readGlob(pattern: string): Glob | null {
  const [, before = '', text = '', after = ''] = /^(\*?)([^*?[\]\\]+)(\*?)$/.exec(pattern) ?? []
  if (text !== '') {
    if (before && after) return { comparison: 'contains', target: text }
    return { comparison: before ? 'ends_with' : after ? 'starts_with' : 'equals', target: text }
  }
  const target = translated(pattern)
  return target !== null && isPattern(target) ? { comparison: 'matches', target } : null
}

/** The same as a pattern of RE2, without anchors. */
export function patternOf({ comparison, target }: Glob): string {
  if (comparison === 'matches') return target
  const before = comparison === 'ends_with' || comparison === 'contains' ? '.*' : ''
  const after = comparison === 'starts_with' || comparison === 'contains' ? '.*' : ''
  return `${before}${escaped(target)}${after}`
}

/** A range of characters may be none, such as `[z-a]`. */
function isPattern(text: string): boolean {
  if (text.length > MAX_TARGET_LENGTH) return false
  try {
    compiled(text)
    return true
  } catch {
    return false
  }
}

/** Parts of a pattern (path.Match of Go). */
const PART = /\*+|\?|\[(\^?)((?:\\.|[^\\\]])+)\]|\\(.)|([^*?[\\])/gsuy

const IN_SET = /\\(.)|[\^[\]]/gsu

function literalInSet(all: string, literal = all): string {
  return /^\w$/.test(literal) ? literal : `\\${literal}`
}

function translated(pattern: string): string | null {
  let made = ''
  let end = 0
  for (const part of pattern.matchAll(PART)) {
    const [all, negation, inside, literal, plain] = part
    end += all.length
    if (all.startsWith('*')) made += '.*'
    else if (all === '?') made += '[^/]'
    else if (inside !== undefined) made += `[${negation}${inside.replaceAll(IN_SET, literalInSet)}]`
    else made += escaped(literal ?? plain ?? '')
  }
  return end === pattern.length ? made : null
}
