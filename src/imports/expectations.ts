import { Assertion, MAX_ASSERTIONS, type Scalar } from '../core/expectations/assertion.ts'
import { syntaxFault } from '../core/expectations/evaluate.ts'
import { type Said, said } from '../core/language/said.ts'

/** An expectation of the other service, in its words, and the assertions that judge the same. */
export type Expected = { words: string; assertions: Assertion[] }

/** Text of a plain scalar that JSON may hold as itself or as a text: `7`, `true`. */
const JSON_SCALAR = /^(true|false|-?(0|[1-9]\d*)(\.\d+)?)$/

/**
 * The assertions of a monitor: those of its status before those of the rest, as far as there is room. The rest is said.
 */
export function fittedExpectations(
  ofStatus: readonly Assertion[],
  expected: readonly Expected[],
  notes: Said[],
): Assertion[] | null {
  const all = [...ofStatus]
  for (const { words, assertions } of expected) {
    if (all.length + assertions.length <= MAX_ASSERTIONS) all.push(...assertions)
    else
      notes.push(notChecked(words, said('a monitor has at most {max} assertions', { max: MAX_ASSERTIONS })))
  }
  return all.length > 0 ? all : null
}

export function notChecked(condition: string, reason: Said): Said {
  return said('its condition {condition} is not checked here: {reason}', { condition, reason })
}

/** An expectation that one assertion judges; nothing where there is none. */
export function expected(words: string, assertion: Assertion | null): Expected {
  return { words, assertions: assertion === null ? [] : [assertion] }
}

/** An assertion; null for one that no monitor can have, such as with a path that is too long. */
export function expect(
  source: Assertion['source'],
  comparison: Assertion['comparison'],
  { property, target }: Pick<Assertion, 'property' | 'target'> = {},
  severity: Assertion['severity'] = 'down',
): Assertion | null {
  const parsed = Assertion.safeParse({
    source,
    ...(property !== undefined && { property }),
    comparison,
    ...(target !== undefined && { target }),
    severity,
  })
  return parsed.success && syntaxFault(parsed.data) === null ? parsed.data : null
}

/**
 * The values that have this text in a service that compares texts: `7` is the number and the text, and `1.50` the text
 * alone.
 */
export function scalarsOf(text: string): Scalar[] {
  if (!JSON_SCALAR.test(text)) return [text]
  const value = JSON.parse(text) as number | boolean
  return String(value) === text ? [value, text] : [text]
}

/** `equals` for one target, `one_of` for several, or their opposites. */
export function equalTo(targets: Scalar[], isWanted: boolean): Pick<Assertion, 'comparison' | 'target'> {
  const [only] = targets
  if (targets.length === 1 && only !== undefined)
    return { comparison: isWanted ? 'equals' : 'not_equals', target: only }
  return { comparison: isWanted ? 'one_of' : 'not_one_of', target: targets }
}

/** A JSONPath (RFC 9535) by names and indexes. */
export function pathOf(segments: readonly (string | number)[]): string {
  return segments.reduce<string>((path, segment) => path + stepOf(segment), '$')
}

/** A name or an index in a JSONPath. */
export function stepOf(segment: string | number): string {
  if (typeof segment === 'number') return `[${segment}]`
  return /^[a-z_]\w*$/i.test(segment) ? `.${segment}` : `['${segment.replaceAll(/[\\']/g, '\\$&')}']`
}

/** A text as a pattern of RE2 that finds it. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}
