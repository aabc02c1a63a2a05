import * as z from 'zod'

/** A field of a body or a query, as command-line flags and tables need it. */
export type Field = {
  name: string
  kind: 'text' | 'integer' | 'boolean' | 'list' | 'pairs' | 'object'
  /** Whether the items of a list are integers. */
  ofIntegers: boolean
  choices: string[] | null
  required: boolean
  nullable: boolean
  minimum: number | undefined
  maximum: number | undefined
  default: unknown
  description: string | undefined
}

type JsonSchema = {
  /** Several where null is one of them. */
  type?: string | string[]
  anyOf?: JsonSchema[]
  enum?: unknown[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  additionalProperties?: JsonSchema
  required?: string[]
  minimum?: number
  maximum?: number
  default?: unknown
  description?: string
}

/** The fields of a schema in the order of its definition, as clients send them. */
export function fieldsOf(schema: z.ZodType): Field[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, property, required.includes(name)),
  )
}

function fieldOf(name: string, property: JsonSchema, required: boolean): Field {
  const options = property.anyOf ?? typesOf(property)
  const shape = { ...property, ...options.find(({ type }) => type !== 'null') }
  return {
    name,
    kind: kindOf(shape),
    ofIntegers: shape.items?.type === 'integer',
    choices: shape.enum?.map(String) ?? null,
    required,
    nullable: options.some(({ type }) => type === 'null'),
    minimum: shape.minimum,
    maximum: shape.maximum,
    default: property.default,
    description: property.description ?? shape.description,
  }
}

/** An alternative for each type. */
function typesOf(schema: JsonSchema): JsonSchema[] {
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema]
}

function kindOf({ type, additionalProperties }: JsonSchema): Field['kind'] {
  if (type === 'integer' || type === 'number') return 'integer'
  if (type === 'boolean') return 'boolean'
  if (type === 'array') return 'list'
  if (type === 'object') return additionalProperties?.type === 'string' ? 'pairs' : 'object'
  return 'text'
}
