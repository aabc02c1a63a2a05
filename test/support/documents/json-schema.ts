import { dereference, validate } from '@cfworker/json-schema'
import type { OpenApiDocument } from '../../../src/contract/openapi/document.ts'
import type { JsonSchema } from '../../../src/contract/openapi/json-schema.ts'

/** The errors that a schema of the document finds in a value, as text; null without errors. */
export type FindFaults = (schema: JsonSchema, value: unknown) => string | null

type Lookup = ReturnType<typeof dereference>

/** `strict`: members that an object does not list are faults, too. */
export function faultFinder(
  document: { components: Pick<OpenApiDocument['components'], 'schemas'> },
  { strict = false } = {},
): FindFaults {
  const shapeOf = (schema: JsonSchema) => (strict ? (closed(schema) as JsonSchema) : schema)
  // References point into the document: what they lead to stands where they look for it, and is read once for all schemas.
  const components = { schemas: shapeOf(document.components.schemas) }
  const known = dereference({ components })
  const schemas = new WeakMap<JsonSchema, { shape: JsonSchema; lookup: Lookup }>()
  return (schema, value) => {
    const found = schemas.get(schema) ?? read(shapeOf(schema), known)
    schemas.set(schema, found)
    const { valid, errors } = validate(value, found.shape, '2020-12', found.lookup)
    return valid
      ? null
      : errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('\n')
  }
}

/** A schema at the root of a document of its own, in which all else that is known stands, too. */
function read(shape: JsonSchema, known: Lookup): { shape: JsonSchema; lookup: Lookup } {
  return { shape, lookup: Object.assign(Object.create(known), dereference(shape)) }
}

/** The same schema, where an object with listed members may have no other ones. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, PARTS.has(key) ? inner : closed(inner)])
  const schema: JsonSchema = Object.fromEntries(entries)
  const isWhole = schema.type === 'object' && typeof schema.properties === 'object'
  if (isWhole && schema.additionalProperties === undefined) schema.unevaluatedProperties = false
  return schema
}

/** Under these stand conditions on an object that is listed beside them. */
const PARTS = new Set(['allOf', 'if', 'then', 'not'])
