import * as z from 'zod'
import { MAX_INT32 } from '../../core/record-id.ts'

export type JsonSchema = { [keyword: string]: unknown }

/** The direction of a schema: request (`input`) or answer (`output`). */
export type SchemaDirection = 'input' | 'output'

/** Adds our names to the metadata that schemas have themselves (`.describe`, `.meta`). */
class NamedSchemas extends z.core.$ZodRegistry<{ id: string }> {
  override get<S extends z.core.$ZodType>(schema: S) {
    const metadata = { ...z.globalRegistry.get(schema), ...super.get(schema) }
    return metadata as ReturnType<z.core.$ZodRegistry<{ id: string }>['get']>
  }
}

/**
 * JSON Schemas (2020-12) of named schemas that refer to each other as `#/components/schemas/NAME`. Objects
 * allow further members: answers may grow, and unknown members of a body are ignored.
 */
export function jsonSchemasOf(
  named: Record<string, z.ZodType>,
  direction: SchemaDirection,
): Record<string, JsonSchema> {
  const registry = new NamedSchemas()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io: direction,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => keepDefault(zodSchema, jsonSchema as JsonSchema),
  })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, tidy(schema) as JsonSchema]))
}

/** Includes the default where the schema transforms its input too, such as a number in a query. */
export function keepDefault(schema: z.core.$ZodTypes, json: JsonSchema): void {
  const { def } = schema._zod
  const value = def.type === 'default' ? def.defaultValue : z.globalRegistry.get(schema)?.default
  if (value !== undefined) json.default = value
}

function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value !== 'object' || value === null) return value
  const { $schema: _, $id: __, id: ___, ...rest } = value as JsonSchema
  // Keep a property that is itself named `id`.
  const kept = typeof (value as JsonSchema).id === 'object' ? { ...(value as JsonSchema) } : rest
  const schema: JsonSchema = Object.fromEntries(
    Object.entries(kept).map(([key, inner]) => [key, tidy(inner)]),
  )
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (typeof schema.pattern === 'string') schema.pattern = slashed(schema.pattern)
  return sized(nullable(schema))
}

/** A slash needs escaping only in a JavaScript literal, and generators that write one escape it themselves. */
function slashed(pattern: string): string {
  return pattern.replaceAll('\\/', '/')
}

/** `type: [string, null]` is shorter than a union with null, and more tools understand it. */
function nullable(schema: JsonSchema): JsonSchema {
  const { anyOf, ...around } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [one, other] = anyOf as JsonSchema[]
  if (other?.type !== 'null' || typeof one?.type !== 'string') return schema
  const values = Array.isArray(one.enum) && { enum: [...one.enum, null] }
  return { ...one, ...around, type: [one.type, 'null'], ...values }
}

/**
 * Gives integers a format for their size. Enumerated integers drop their bounds: the list is one already, and
 * generators expect a single one.
 */
function sized(schema: JsonSchema): JsonSchema {
  const whole = wholeNumbers(schema)
  const { type, enum: values, minimum: _, maximum: __, ...rest } = whole
  const isInteger = type === 'integer' || (Array.isArray(type) && type[0] === 'integer')
  if (!isInteger) return schema
  if (Array.isArray(values)) return { ...rest, type, enum: values, format: 'int32' }
  return { ...whole, format: Number(whole.maximum) <= MAX_INT32 ? 'int32' : 'int64' }
}

/** Marks an enumeration of whole numbers as integers. */
export function wholeNumbers(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  const isWhole = Array.isArray(values) && values.every((value) => Number.isInteger(value))
  return type === 'number' && isWhole ? { ...schema, type: 'integer' } : schema
}
