import { type Assertion, type Scalar, SOURCES, WHOLE_DOCUMENT } from './assertion.ts'
import { holds, type Value } from './compare.ts'
import { type JsonNode, jsonOf, jsonPathOf, PathError, TooMuch } from './json-path.ts'
import { patternOf } from './pattern.ts'
import { checksOf, isOfSeveralChecks, percentile95 } from './response-times.ts'
import { beyondBound, unmet } from './words.ts'

export { beyondBound }

/** An answer as it is judged; null for what it does not have. */
export type JudgedAnswer = {
  statusCode: number | null
  /** The values of a header, joined by `, `; null without it. */
  header: (name: string) => string | null
  /** The decoded text. */
  body: string | null
  responseTimeMs: number | null
  certificateDays: number | null
  /** The answer of a type that is not HTTP, as that says, one record a line. */
  answer: string | null
  /** In milliseconds, those of the checks before and of this one, oldest first; left out where nothing is known of them. */
  responseTimes?: readonly number[]
}

/** An expectation that was not met, its place in the list of all that were judged, and the cause in words. */
export type Unmet = { severity: Assertion['severity']; cause: string; at: number }

/** Whether an evaluation may take so long that it needs a bound: with patterns, and with paths that visit many nodes. */
export function isCostly(assertions: readonly Assertion[]): boolean {
  return assertions.some(
    ({ source, property, comparison }) =>
      comparison === 'matches' ||
      comparison === 'not_matches' ||
      (source === 'json' && !jsonPathOf(property ?? WHOLE_DOCUMENT).isSingular),
  )
}

/**
 * The first expectation of severity `down` that is not met, without one the first `degraded` one; null when all are. It takes
 * the time that paths and patterns take; `onBegin` is told which one is evaluated, for a caller that ends it. One about several
 * checks is passed over until there are as many.
 */
export function judge(
  assertions: readonly Assertion[],
  answer: JudgedAnswer,
  onBegin: (assertion: Assertion, at: number) => void = () => {},
): Unmet | null {
  const read = createReader(answer)
  let degraded: Unmet | null = null
  for (const [at, assertion] of assertions.entries()) {
    if (degraded && assertion.severity === 'degraded') continue
    if (isTooEarly(assertion, answer)) continue
    onBegin(assertion, at)
    const found = judgeOne(assertion, read)
    if (found?.severity === 'down') return { ...found, at }
    degraded ??= found && { ...found, at }
  }
  return degraded
}

function isTooEarly(assertion: Assertion, { responseTimes = [] }: JudgedAnswer): boolean {
  return isOfSeveralChecks(assertion) && responseTimes.length < checksOf(assertion)
}

function judgeOne(
  assertion: Assertion,
  read: (assertion: Assertion) => Value | null,
): Omit<Unmet, 'at'> | null {
  try {
    const value = read(assertion)
    return holds(assertion, value) ? null : { severity: assertion.severity, cause: unmet(assertion, value) }
  } catch (error) {
    // The unknown is no reason to be calm, whatever the severity.
    if (error instanceof TooMuch) return { severity: 'down', cause: beyondBound(assertion) }
    throw error
  }
}

function createReader(answer: JudgedAnswer): (assertion: Assertion) => Value | null {
  let parsed: { document: JsonNode } | null | undefined
  function document() {
    if (parsed === undefined) parsed = answer.body === null ? null : parsedJson(answer.body)
    return parsed
  }

  return (assertion) => {
    const { source, property } = assertion
    switch (source) {
      case 'status_code':
        return valueFrom(answer.statusCode)
      case 'response_time_ms':
        return valueFrom(answer.responseTimeMs)
      case 'response_time_p95_ms':
        return valueFrom(percentile95(answer.responseTimes ?? [], checksOf(assertion)))
      case 'certificate_days':
        return valueFrom(answer.certificateDays)
      case 'header':
        return valueFrom(answer.header(property ?? ''))
      case 'body':
        return valueFrom(answer.body)
      case 'answer':
        return valueFrom(answer.answer)
      case 'json': {
        const json = document()
        return json && nodesOf(jsonPathOf(property ?? WHOLE_DOCUMENT).valuesIn(json.document))
      }
    }
  }
}

/** Null for a body that is no JSON: then no path reads anything. */
function parsedJson(body: string): { document: JsonNode } | null {
  try {
    // A byte order mark is no part of a JSON text (RFC 8259, section 8.1).
    return { document: JSON.parse(body.replace(/^\uFEFF/, '')) }
  } catch {
    return null
  }
}

function valueFrom(scalar: Scalar): Value | null {
  if (scalar === null) return null
  const text = String(scalar)
  return { text, scalar, count: text === '' ? 0 : text.split('\n').length, isEmpty: text === '' }
}

function nodesOf(values: readonly JsonNode[]): Value | null {
  if (values.length === 0) return null
  const [only] = values
  if (values.length > 1 || only === undefined)
    return { text: jsonOf(values), scalar: undefined, count: values.length, isEmpty: false }
  const isCollection = typeof only === 'object' && only !== null
  return {
    text: typeof only === 'string' ? only : jsonOf(values),
    scalar: isCollection ? undefined : only,
    count: Array.isArray(only) ? only.length : 1,
    isEmpty: only === '' || only === null || (isCollection && Object.keys(only).length === 0),
  }
}

/** The value that a step reads from its answer, for those after it: by a path, in a header, or by a pattern with one group in the body. */
export type Wanted = { source: 'json' | 'header' | 'body'; property: string }

/**
 * The text that is wanted of an answer; null where there is none. It takes the time that paths and patterns take. Objects and
 * arrays are their JSON, several nodes their array.
 */
export function captured({ source, property }: Wanted, answer: JudgedAnswer): string | null {
  switch (source) {
    case 'header':
      return answer.header(property)
    case 'body':
      return answer.body === null ? null : patternOf(property).groupIn(answer.body)
    case 'json': {
      const json = answer.body === null ? null : parsedJson(answer.body)
      return (json && nodesOf(jsonPathOf(property).valuesIn(json.document))?.text) ?? null
    }
  }
}

/** Why a path or a pattern of what is wanted cannot be evaluated; null if it can. Without words, it has not one group. */
export function wantedFault({ source, property }: Wanted): { words: string | null } | null {
  try {
    if (source === 'json') jsonPathOf(property)
    return source === 'body' && patternOf(property).groups !== 1 ? { words: null } : null
  } catch (error) {
    return { words: error instanceof Error ? error.message : String(error) }
  }
}

/** Why a path or a pattern cannot be evaluated, in the words of its parser; null if it can. */
export function syntaxFault({
  source,
  property,
  comparison,
  target,
}: Assertion): { at: 'property' | 'target'; words: string } | null {
  try {
    if (SOURCES[source].reads === 'json') jsonPathOf(property ?? WHOLE_DOCUMENT)
  } catch (error) {
    if (error instanceof PathError) return { at: 'property', words: error.message }
    throw error
  }
  try {
    if (comparison === 'matches' || comparison === 'not_matches') patternOf(String(target))
  } catch (error) {
    return { at: 'target', words: error instanceof Error ? error.message : String(error) }
  }
  return null
}
