import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery, type JSONValue } from 'json-p3'
import { putLast } from '../bounded-map.ts'
import { MAX_TARGET_LENGTH } from './assertion.ts'
import { patternOf } from './pattern.ts'

/** The nodes that one path may visit or give. */
export const MAX_NODES = 100_000
/** In UTF-16 units: the JSON of all nodes together. */
const MAX_JSON_LENGTH = 4 * 1_024 * 1_024
const MAX_DEPTH = 1_000
const MAX_KEPT = 200

export type JsonNode = JSONValue

/** A path that gives too many nodes, or is too deep. */
export class TooMuch extends Error {}

/** The words of the parser, with the position, for a path that is none. */
export class PathError extends Error {}

/** A path of RFC 9535. */
export type JsonPath = {
  /** Whether it gives at most one node, and visits few. */
  isSingular: boolean
  /** The values of its nodes, in order. Throws `TooMuch`. */
  valuesIn(document: JsonNode): JsonNode[]
}

/** Counts what a path visits: filters and descendants visit more than they give. */
class CountingEnvironment extends JSONPathEnvironment {
  left = MAX_NODES

  override entries(object: { [key: string]: JsonNode }): [string, JsonNode][] {
    const entries = Object.entries(object)
    this.left -= entries.length
    if (this.left < 0) throw new TooMuch()
    return entries
  }
}

/** `match()` and `search()` of a filter, on RE2 instead of the language's own engine, which a stranger's text can stall. */
function patternFunction(test: (pattern: string, text: string) => boolean) {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown): boolean {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false
      if (pattern.length > MAX_TARGET_LENGTH) return false
      try {
        return test(pattern, text)
      } catch {
        // The RFC has no error at this place: a pattern that is none does not match (section 2.4.6).
        return false
      }
    },
  }
}

const environment = new CountingEnvironment({ maxRecursionDepth: MAX_DEPTH })
environment.functionRegister.set(
  'match',
  patternFunction((pattern, text) => patternOf(pattern).isAllOf(text)),
)
environment.functionRegister.set(
  'search',
  patternFunction((pattern, text) => patternOf(pattern).isIn(text)),
)

const kept = new Map<string, JsonPath>()

/** Throws `PathError` for a text that is no path. */
export function jsonPathOf(source: string): JsonPath {
  const known = kept.get(source)
  if (known) return known
  const path = withQuery(compile(source))
  putLast(kept, source, path, MAX_KEPT)
  return path
}

function compile(source: string): JSONPathQuery {
  try {
    return environment.compile(source)
  } catch (error) {
    throw new PathError(error instanceof Error ? error.message : String(error))
  }
}

function withQuery(query: JSONPathQuery): JsonPath {
  return {
    isSingular: query.singularQuery(),
    valuesIn(document) {
      environment.left = MAX_NODES
      const values: JsonNode[] = []
      try {
        // One by one: the list of all nodes at once overflows the stack of the library.
        for (const { value } of query.lazyQuery(document)) {
          if (values.push(value) > MAX_NODES) throw new TooMuch()
        }
      } catch {
        // A stack that overflows and a depth that is not allowed are bounds as well.
        throw new TooMuch()
      }
      return values
    },
  }
}

/** The JSON of one value, or of several as an array. Throws `TooMuch`. */
export function jsonOf(values: readonly JsonNode[]): string {
  const [first] = values
  if (values.length === 1 && first !== undefined) return stringified(first)
  let length = 0
  const texts = values.map((value) => {
    const text = stringified(value)
    length += text.length
    if (length > MAX_JSON_LENGTH) throw new TooMuch()
    return text
  })
  return `[${texts.join(',')}]`
}

function stringified(value: JsonNode): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw new TooMuch()
  }
}
