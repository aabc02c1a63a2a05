import * as z from 'zod'
import { keepDefault, wholeNumbers } from '../contract/openapi/json-schema.ts'
import { ContactConfigs, ContactCreate } from '../core/alerting/contact.ts'

export type ObjectSchema = { type: 'object'; [keyword: string]: unknown }

/** What an operation is asked with. */
export type Inputs = {
  /** The parameter of the path, the argument that stands for it, the tool that tells ids; null where there is none. */
  record: { parameter: string; argument: string; listedBy: string | null } | null
  query: z.ZodType | undefined
  body: z.ZodType | undefined
}

/** What a schema leaves to the operation, since it depends on another field: the shapes it may have, by name. */
const SHAPES = new Map<z.core.$ZodType, Record<string, z.ZodType>>([
  [ContactCreate.shape.config, ContactConfigs],
])

/** The id of a record as an argument. Whether there is such a record is for the operation to say. */
export const IdArgument = z.int()

/** What a refused call says, as structured content (RFC 9457). */
const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.record(z.string(), z.array(z.string())).describe('What is wrong with which argument.'),
  retry_after_seconds: z.int().describe('How long to wait before the next call.'),
})

const PROBLEM_MEMBERS = ['type', 'title', 'status'] as const

/** JSON Schema of a tool's arguments: the record's id, and the fields of query and body. */
export function argumentsSchema(operations: Inputs[]): ObjectSchema {
  const [{ query, body } = { query: undefined, body: undefined }] = operations
  const fields = [query, body].flatMap((schema) => (schema ? [toJson(schema)] : []))
  const record = operations.find((operation) => operation.record)?.record
  const isOptional = operations.some((operation) => !operation.record)
  return {
    type: 'object',
    properties: Object.assign(
      record ? { [record.argument]: toJson(IdArgument.describe(`ID of the ${record.parameter}.`)) } : {},
      ...fields.map(({ properties }) => properties),
    ),
    required: [
      ...(record && !isOptional ? [record.argument] : []),
      ...fields.flatMap(({ required }) => (required as string[] | undefined) ?? []),
    ],
  }
}

/**
 * JSON Schema of a tool's structured content: the API's envelope, or a problem. Clients judge refusals by it, too.
 * An operation that answers nothing gives `{"data": null}`. It goes no deeper than the envelope: every model that is
 * connected reads all of these before it asks anything, and the fields of a record once it has one.
 */
export function resultSchema(output: z.ZodType | undefined): ObjectSchema {
  const answer = toJson(output ?? z.object({ data: z.null() }))
  return {
    type: 'object',
    properties: { ...outermost(answer), ...outermost(toJson(Problem)) },
    anyOf: [
      { required: answer.required, title: 'Answer' },
      { required: PROBLEM_MEMBERS, title: 'Problem: the call is refused' },
    ],
  }
}

/** The members of an object by their type alone. */
function outermost({ properties }: Json): Json {
  return Object.fromEntries(
    Object.entries(properties as Record<string, Json>).map(([name, { type, description }]) => [
      name,
      { type, ...(description !== undefined && { description }) },
    ]),
  )
}

type Json = Record<string, unknown>

/** As clients send it, and open: unknown members are ignored on our side, and new ones may come on theirs. */
function toJson(schema: z.ZodType): Json {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      keepDefault(zodSchema, jsonSchema as Json)
      tellShapes(SHAPES.get(zodSchema), jsonSchema as Json)
    },
  })
  return simplify(json) as Json
}

function tellShapes(shapes: Record<string, z.ZodType> | undefined, json: Json): void {
  if (!shapes) return
  delete json.propertyNames
  delete json.additionalProperties
  json.anyOf = Object.entries(shapes).map(([title, shape]) => ({ title, ...toJson(shape) }))
}

/**
 * Models and generators of forms read these: bounds that every number in JSON has say nothing, and some know only one
 * type at a place.
 */
function simplify(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(simplify)
  if (typeof json !== 'object' || json === null) return json
  const { type, ...rest } = wholeNumbers(json as Json)
  const kept = Object.entries(rest).filter(
    ([, value]) => value !== Number.MIN_SAFE_INTEGER && value !== Number.MAX_SAFE_INTEGER,
  )
  return {
    ...(Array.isArray(type)
      ? { anyOf: type.map((one) => ({ type: one })) }
      : type !== undefined && { type: simplify(type) }),
    ...Object.fromEntries(kept.map(([key, value]) => [key, simplify(value)])),
  }
}
