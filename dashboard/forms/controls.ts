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
  | { kind: 'assertions' }
)

export type Controls<Name extends string = string> = Record<Name, Control>

/** A text that may be longer than this is written in several lines. */
const MAX_LINE = 8_192

/** The part of a JSON Schema that decides the control. */
type Shape = {
  /** Several where null is one of them. */
  type?: string | string[]
  enum?: (string | number)[]
  anyOf?: Shape[]
  items?: Shape
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
  return Object.fromEntries(
    Object.entries(properties).map(([name, shape]) => [prefix + name, controlOf(shape)]),
  )
}

function controlOf(shape: Shape): Control {
  const { type } = shape
  const all = shape.anyOf ?? (Array.isArray(type) ? type.map((one) => ({ ...shape, type: one })) : [shape])
  const choices = all.filter((one) => one.type !== 'null')
  const nullable = choices.length < all.length
  const around = { nullable, initial: shape.default ?? null }
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
      if (one.items?.type === 'object') return { ...around, kind: 'assertions' }
      return { ...around, kind: 'numbers', ...boundsOf(one.items ?? {}) }
    case 'object':
      return { ...around, kind: 'pairs' }
    default:
      return { ...around, kind: (one.maxLength ?? 0) > MAX_LINE ? 'lines' : 'text' }
  }
}

function boundsOf({ minimum, maximum }: Shape): { min: number; max: number } {
  return { min: minimum ?? Number.MIN_SAFE_INTEGER, max: maximum ?? Number.MAX_SAFE_INTEGER }
}
