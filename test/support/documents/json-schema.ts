import { Validator } from '@cfworker/json-schema'
import type { OpenApiDocument } from '../../../src/contract/openapi/document.ts'
import type { JsonSchema } from '../../../src/contract/openapi/json-schema.ts'

/** The errors that a schema of the document finds in a value, as text; null without errors. */
export type FindFaults = (schema: JsonSchema, value: unknown) => string | null

/** `strict`: members that an object does not list are faults, too. */
export function faultFinder(document: OpenApiDocument, { strict = false } = {}): FindFaults {
  const shapeOf = (schema: JsonSchema) => (strict ? (closed(schema) as JsonSchema) : schema)
  // References point into the document: what they lead to stands where they look for it.
  const components = { schemas: shapeOf(document.components.schemas) }
  const validators = new WeakMap<JsonSchema, Validator>()
  return (schema, value) => {
    const validator = validators.get(schema) ?? new Validator({ ...shapeOf(schema), components }, '2020-12')
    validators.set(schema, validator)
    const { valid, errors } = validator.validate(value)
    return valid
      ? null
      : errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join('\n')
  }
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
