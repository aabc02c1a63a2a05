import * as z from 'zod'
import type { JsonSchema } from '../../../src/contract/openapi/json-schema.ts'

/** Where in a body a text may stand: member names, and positions in lists. */
export type Place = (string | number)[]

const EXAMPLES: Record<string, string> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2026-11-21T09:30:00Z',
  email: 'somebody@example.com',
  uri: 'https://example.com/',
}
/** Examples for patterns that a word of letters does not match. */
const BY_PATTERN: [pattern: RegExp, example: string][] = [[/\{64\}/, '0'.repeat(64)]]

/** A schema as it is sent. */
export function sentSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

/** Something of the shape that a schema tells, with all of its members. Rules that no schema tells may refuse it. */
export function sampleOf(schema: JsonSchema): unknown {
  const { anyOf, enum: choices, const: constant, properties, additionalProperties, items, minimum } = schema
  if (constant !== undefined) return constant
  if (Array.isArray(choices)) return choices[0]
  if (Array.isArray(anyOf)) return sampleOf(mainOf(schema))
  if (properties) return mapMembers(properties as Record<string, JsonSchema>, sampleOf)
  switch (schema.type) {
    case 'object':
      return typeof additionalProperties === 'object'
        ? { name: sampleOf(additionalProperties as JsonSchema) }
        : {}
    case 'array':
      return items ? [sampleOf(items as JsonSchema)] : []
    case 'integer':
    case 'number':
      return Math.max(1, Number(minimum ?? 1))
    case 'boolean':
      return true
    case 'string':
      return textOf(schema)
    default:
      return null
  }
}

/** Every place of a sample that holds a free text: what takes one of some words holds none. */
export function textPlaces(schema: JsonSchema, place: Place = []): Place[] {
  const { anyOf, properties, additionalProperties, items } = schema
  if (schema.const !== undefined || schema.enum) return []
  if (Array.isArray(anyOf)) return textPlaces(mainOf(schema), place)
  if (properties) {
    return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, member]) =>
      textPlaces(member, [...place, name]),
    )
  }
  if (schema.type === 'string') return [place]
  if (schema.type === 'array') return items ? textPlaces(items as JsonSchema, [...place, 0]) : []
  if (schema.type === 'object' && typeof additionalProperties === 'object') {
    return textPlaces(additionalProperties as JsonSchema, [...place, 'name'])
  }
  return []
}

/** A copy with another value at a place. */
export function withValue(body: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value
  const copy = Array.isArray(body) ? [...body] : { ...(body as object) }
  const members = copy as Record<string | number, unknown>
  members[step] = withValue(members[step], rest, value)
  return copy
}

/** The first of several shapes that says most: a text rather than null. */
function mainOf({ anyOf }: JsonSchema): JsonSchema {
  const shapes = anyOf as JsonSchema[]
  return shapes.find(({ type, anyOf: inner }) => type === 'string' || inner) ?? (shapes[0] as JsonSchema)
}

function textOf({ format, pattern, minLength }: JsonSchema): string {
  const byPattern = BY_PATTERN.find(([known]) => known.test(String(pattern)))
  if (byPattern) return byPattern[1]
  return EXAMPLES[String(format)] ?? 'word'.padEnd(Number(minLength ?? 0), 'x')
}

function mapMembers<T>(members: Record<string, JsonSchema>, map: (schema: JsonSchema) => T) {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, map(schema)]))
}
