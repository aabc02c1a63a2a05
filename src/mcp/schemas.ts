import * as z from 'zod'
import { type Field, fieldsOf } from '../contract/fields.ts'
import { keepDefault, wholeNumbers } from '../contract/openapi/json-schema.ts'
import { ContactConfigs, ContactCreate } from '../core/alerting/contact.ts'
import { OPTION_NAMES, optionOf, SentOptions } from '../core/monitors/options/monitor-options.ts'

export type ObjectSchema = { type: 'object'; [keyword: string]: unknown }

/** The inputs of an operation. */
export type Inputs = {
  /**
   * The path parameter, the argument that stands for it, and the tools that list ids and create such a record; null without a
   * path parameter.
   */
  record: { parameter: string; argument: string; listedBy: string | null; createdBy: string | null } | null
  query: z.ZodType | undefined
  body: z.ZodType | undefined
}

/** Schemas whose shape depends on another field, which the operation checks: the possible shapes, by name. */
const SHAPES = new Map<z.core.$ZodType, Record<string, z.ZodType>>([
  [ContactCreate.shape.config, ContactConfigs],
])

/** A record's id as an argument. The operation decides whether such a record exists. */
export const IdArgument = z.int()

/** The structured content of a refused call (RFC 9457). */
const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.record(z.string(), z.array(z.string())).describe('What is wrong with which argument.'),
  retry_after_seconds: z.int().describe('How long to wait before the next call.'),
})

/** Beside `data`, where an answer needs a sentence. */
const Noted = z.object({ note: z.string().describe('What to tell the person beyond the data.') })

const PROBLEM_MEMBERS = ['type', 'title', 'status'] as const

/** The JSON Schema of a tool's arguments: the record's id, and the fields of query and body. */
export function argumentsSchema(operations: Inputs[]): ObjectSchema {
  const [{ query, body } = { query: undefined, body: undefined }] = operations
  const record = operations.find((operation) => operation.record)?.record
  // Every model reads all tools: fields are told in full once, by the tool that creates the record.
  const told = record?.createdBy ? 'elsewhere' : 'in full'
  const fields = [query, body].flatMap((schema) => (schema ? [toJson(schema, told)] : []))
  const isOptional = operations.some((operation) => !operation.record)
  return {
    type: 'object',
    properties: Object.assign(
      record ? { [record.argument]: toJson(IdArgument.describe(`ID of the ${record.parameter}.`)) } : {},
      ...fields.map(({ properties }) =>
        told === 'elsewhere' ? undescribed(properties as Json) : properties,
      ),
    ),
    required: [
      ...(record && !isOptional ? [record.argument] : []),
      ...fields.flatMap(({ required }) => (required as string[] | undefined) ?? []),
    ],
  }
}

/**
 * The JSON Schema of a tool's structured content: the API's envelope, or a problem, since clients validate refusals
 * with it, too. An operation without output gives `{"data": null}`. The schema stops at the envelope: every connected
 * model reads all of them before its first call, and sees a record's fields once it has one.
 */
export function resultSchema(output: z.ZodType | undefined): ObjectSchema {
  const answer = toJson(output ?? z.object({ data: z.null() }))
  return {
    type: 'object',
    properties: { ...outermost(answer), ...outermost(toJson(Noted)), ...outermost(toJson(Problem)) },
    anyOf: [
      { required: answer.required, title: 'Answer' },
      { required: PROBLEM_MEMBERS, title: 'Problem: the call is refused' },
    ],
  }
}

/** The members of an object, with types only. */
function outermost({ properties }: Json): Json {
  return Object.fromEntries(
    Object.entries(properties as Record<string, Json>).map(([name, { type, description }]) => [
      name,
      { type, ...(description !== undefined && { description }) },
    ]),
  )
}

type Json = Record<string, unknown>

function undescribed(properties: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { description: _, ...rest } = property as Json
      return [name, rest]
    }),
  )
}

/** Describes what clients send, and stays open: we ignore unknown members, and clients must accept new ones. */
function toJson(schema: z.ZodType, told: 'in full' | 'elsewhere' = 'in full'): Json {
  const { $schema, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      keepDefault(zodSchema, jsonSchema as Json)
      addShapes(SHAPES.get(zodSchema), jsonSchema as Json)
      if (zodSchema === SentOptions) shortenOptions(jsonSchema as Json, told)
    },
  })
  return simplify(json) as Json
}

const SET_BY_PEOPLE = new Set<string>(OPTION_NAMES.filter((name) => !optionOf(name).readOnly))

/**
 * Options by name, and by type where that is not a text, a number or a boolean: everything else of them would outweigh all
 * other arguments, and a refusal tells it.
 */
function shortenOptions(json: Json, told: 'in full' | 'elsewhere'): void {
  delete json.additionalProperties
  delete json.properties
  if (told === 'elsewhere') return
  json.properties = Object.fromEntries(
    fieldsOf(SentOptions)
      .filter(({ name }) => SET_BY_PEOPLE.has(name))
      .map(({ name, kind }) => [name, TOLD_TYPES[kind]]),
  )
}

const TOLD_TYPES = {
  text: {},
  integer: {},
  boolean: {},
  list: { type: 'array' },
  pairs: { type: 'object' },
  object: { type: 'object' },
} as const satisfies Record<Field['kind'], object>

function addShapes(shapes: Record<string, z.ZodType> | undefined, json: Json): void {
  if (!shapes) return
  delete json.propertyNames
  delete json.additionalProperties
  json.anyOf = Object.entries(shapes).map(([title, shape]) => {
    // All of them are objects, as the schema around them says.
    const { type: _, ...told } = withoutTextRules(toJson(shape))
    return { title, ...told }
  })
}

/** Rules of how a text is written help no model to fill it in, and outweigh all descriptions: a refusal tells them. */
function withoutTextRules(json: unknown): Json {
  return JSON.parse(JSON.stringify(json), (key, value) =>
    key === 'maxLength' || key === 'pattern' ? undefined : value,
  )
}

/**
 * Simplifies the schema for models and form generators: bounds that hold for every JSON number say nothing, and some
 * clients support only one type in a place.
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
