import * as z from 'zod'

/** The kind of input for a value, with the bounds of its schema. */
export type Control = { nullable: boolean; initial: unknown } & (
  | { kind: 'text' }
  | { kind: 'lines' }
  | { kind: 'number'; min: number; max: number; isWhole: boolean }
  | { kind: 'choice'; options: readonly (string | number)[] }
  | { kind: 'tick' }
  | { kind: 'numbers'; min: number; max: number }
  | { kind: 'pairs' }
  | { kind: 'tags' }
  | { kind: 'monitors' }
  /** Monitors by ID, or tags that they carry. */
  | { kind: 'members' }
  /** One of some words, or an amount by its name. */
  | { kind: 'rule'; usual: string; amounts: readonly string[] }
  | { kind: 'assertions' }
  /** Values that are read from an answer, by name. */
  | { kind: 'captures' }
  | RecordsControl
  | PartsControl
)

/** The members of an object, which may be of several kinds: `chooser` is the member that says which, null for one kind alone. */
export type PartsControl = { kind: 'parts'; chooser: string | null; kinds: readonly PartsKind[] }
export type PartsKind = { name: string; controls: Controls }

/** A list of objects of one kind, each of which has fields of its own. */
export type RecordsControl = { kind: 'records'; min: number; max: number; controls: Controls }

export type Controls<Name extends string = string> = Record<Name, Control>

/** A text that may be longer than this is written in several lines. */
const MAX_LINE = 8_192

/** The part of a JSON Schema that decides the control. */
type Shape = {
  /** Several where null is one of them. */
  type?: string | string[]
  enum?: (string | number)[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  const?: unknown
  properties?: Record<string, Shape>
  items?: Shape
  additionalProperties?: Shape | boolean
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  maxLength?: number
  default?: unknown
  format?: string
}

/** A control for each field of a schema of the API. `prefix` is the path of the object that contains them. */
export function controlsOf<S extends z.ZodObject>(schema: S): Controls<keyof z.infer<S> & string>
export function controlsOf(schema: z.ZodObject, prefix: string): Controls
export function controlsOf(schema: z.ZodObject, prefix = ''): Controls {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input' }) as {
    properties?: Record<string, Shape>
  }
  return controlsIn(properties, prefix)
}

function controlsIn(properties: Record<string, Shape>, prefix = ''): Controls {
  return Object.fromEntries(
    Object.entries(properties).map(([name, shape]) => [prefix + name, controlOf(shape)]),
  )
}

/** Null where the shapes are not all objects of a kind that one and the same member names. */
function partsOf(shapes: readonly Shape[]): PartsControl | null {
  const all = shapes.map(({ properties }) => properties)
  const [first] = all
  if (!first || !all.every((one) => one !== undefined)) return null
  if (all.length === 1)
    return { kind: 'parts', chooser: null, kinds: [{ name: '', controls: controlsIn(first) }] }
  const chooser = Object.keys(first).find((name) => all.every((one) => one[name]?.const !== undefined))
  if (chooser === undefined) return null
  return {
    kind: 'parts',
    chooser,
    kinds: all.map(({ [chooser]: named, ...rest }) => ({
      name: String(named?.const),
      controls: controlsIn(rest),
    })),
  }
}

function controlOf(shape: Shape): Control {
  const { type } = shape
  const all = shape.anyOf ?? (Array.isArray(type) ? type.map((one) => ({ ...shape, type: one })) : [shape])
  const choices = all.filter((one) => one.type !== 'null').flatMap((one) => one.oneOf ?? one.anyOf ?? [one])
  const nullable = all.some((one) => one.type === 'null')
  const around = { nullable, initial: shape.default ?? null }
  const parts = partsOf(choices)
  if (parts) return { ...around, ...parts }
  if (choices.length > 1 && choices.some(({ items }) => items?.format === 'monitor'))
    return { ...around, kind: 'members' }
  const [words, ...amounts] = choices
  if (words?.enum && amounts.length > 0 && amounts.every(({ properties }) => properties))
    return {
      ...{ ...around, kind: 'rule', usual: String(words.enum[0]) },
      amounts: amounts.flatMap(({ properties }) => Object.keys(properties ?? {})),
    }
  // A value that is a number or text is typed as text: the schema reads both.
  const one: Shape = choices.length === 1 && choices[0] ? choices[0] : { type: 'string' }
  if (one.enum) return { ...around, kind: 'choice', options: one.enum }
  switch (one.type) {
    case 'boolean':
      return { ...around, kind: 'tick' }
    case 'integer':
    case 'number':
      return { ...around, kind: 'number', isWhole: one.type === 'integer', ...boundsOf(one) }
    case 'array':
      if (one.items?.format === 'tag') return { ...around, kind: 'tags' }
      if (one.items?.format === 'monitor') return { ...around, kind: 'monitors' }
      if (one.items?.properties?.comparison) return { ...around, kind: 'assertions' }
      if (one.items?.properties)
        return {
          ...{ ...around, kind: 'records', controls: controlsIn(one.items.properties) },
          ...{ min: one.minItems ?? 0, max: one.maxItems ?? Number.MAX_SAFE_INTEGER },
        }
      return { ...around, kind: 'numbers', ...boundsOf(one.items ?? {}) }
    case 'object':
      return typeof one.additionalProperties === 'object' && one.additionalProperties.properties
        ? { ...around, kind: 'captures' }
        : { ...around, kind: 'pairs' }
    default:
      return { ...around, kind: (one.maxLength ?? 0) > MAX_LINE ? 'lines' : 'text' }
  }
}

function boundsOf({ minimum, maximum }: Shape): { min: number; max: number } {
  return { min: minimum ?? Number.MIN_SAFE_INTEGER, max: maximum ?? Number.MAX_SAFE_INTEGER }
}
