import * as z from 'zod'
import { said } from '../../language/said.ts'
import { keysOf } from '../../shape.ts'
import { MASK } from '../../teams/access.ts'
import type { FieldError } from '../../validation.ts'
import { MonitorType } from '../monitor-types.ts'
import { OPTIONS, type OptionName } from './entries.ts'
import type { Option, OptionAround } from './option.ts'
import { withStoredSecrets } from './secret-options.ts'

type Schemas = { [Name in OptionName]: (typeof OPTIONS)[Name]['schema'] }
type KeptShape = { [Name in OptionName]: z.ZodOptional<Schemas[Name]> }
type SentShape = { [Name in OptionName]: z.ZodOptional<z.ZodNullable<Schemas[Name]>> }

/** The options that answers may hold. */
export const ANSWERED_NAMES = keysOf(OPTIONS)
/** The options that people set. */
export const OPTION_NAMES = ANSWERED_NAMES.filter((name) => !optionOf(name).readOnly)

export function optionOf(name: OptionName): Option {
  return OPTIONS[name]
}

/** The options that a type has in answers, in their order. */
export function optionsOfType(type: MonitorType): OptionName[] {
  return ANSWERED_NAMES.filter((name) => OPTIONS[name].has(type))
}

/** The options of a monitor: those that are set. */
export const MonitorOptions = z.object(shapeOf((schema) => schema.optional()) as KeptShape)
export type MonitorOptions = z.infer<typeof MonitorOptions>

/** Options as clients send them: one that is null is removed, and an unknown one is refused. */
export const SentOptions = z.strictObject(shapeOf((schema) => schema.nullable().optional()) as SentShape)
export type SentOptions = z.infer<typeof SentOptions>

function shapeOf(made: (schema: z.ZodType) => z.ZodType) {
  return Object.fromEntries(
    ANSWERED_NAMES.map((name) => {
      const described = made(optionOf(name).schema).describe(describedFor(name))
      return [name, optionOf(name).readOnly ? described.meta({ readOnly: true }) : described]
    }),
  )
}

/** The description, with the types where only some have the option. */
export function describedFor(name: OptionName): string {
  const { has, description } = optionOf(name)
  const types = MonitorType.options.filter(has)
  const others = MonitorType.options.filter((type) => !has(type))
  const code = (ones: readonly string[]) => ones.map((type) => `\`${type}\``).join(', ')
  if (others.length === 0) return description
  return `${description} ${others.length < types.length ? `Not for ${code(others)}` : `For ${code(types)}`}.`
}

/** Refuses options that the type has not, and values that it cannot have. */
export function optionFaults(type: MonitorType, sent: object | null | undefined): FieldError[] {
  if (!sent) return []
  const own = new Set<string>(optionsOfType(type))
  return Object.entries(sent).flatMap(([name, value]): FieldError[] => {
    const field = `options.${name}`
    if (!own.has(name))
      return [{ field, message: said('is no option of a monitor of type {type}', { type }) }]
    const faults = optionOf(name as OptionName).faults?.(type, value) ?? []
    return faults.map(({ at, message }) => ({ field: [field, ...at].join('.'), message }))
  })
}

/** Refuses addresses in options. `refuse`: the reason, or null. */
export function optionAddressFaults(
  sent: object | null | undefined,
  refuse: (url: string) => string | null,
): FieldError[] {
  return Object.entries(sent ?? {}).flatMap(([name, value]) => {
    const addresses = (value ?? null) === null ? [] : (optionOf(name as OptionName).addresses?.(value) ?? [])
    return addresses.flatMap(({ at, url }): FieldError[] => {
      const reason = refuse(url)
      if (reason === null) return []
      return [
        { field: ['options', name, ...at].join('.'), message: said('is refused: {reason}', { reason }) },
      ]
    })
  })
}

/** Refuses options that do not fit other settings of the monitor. */
export function optionClashes(options: MonitorOptions | null, around: OptionAround): FieldError[] {
  if (!options) return []
  return OPTION_NAMES.flatMap((name) => {
    const value = options[name] ?? null
    const clashes = value === null ? [] : (optionOf(name).clashes?.(value, around, options) ?? [])
    return clashes.map(({ at, message }) => ({ field: ['options', name, ...at].join('.'), message }))
  })
}

/**
 * The options once those that were sent are set: null removes one, or all of them, and what is not sent stays. No option at
 * all is null, and what only answers have is ignored.
 */
export function mergeOptions(
  stored: MonitorOptions | null,
  sent: SentOptions | null | undefined,
): MonitorOptions | null {
  if (sent === undefined) return stored
  if (sent === null) return null
  const all: Record<string, unknown> = { ...stored, ...withStoredSecrets(sent, stored).options }
  const set = OPTION_NAMES.filter((name) => (all[name] ?? null) !== null)
  return set.length > 0 ? (Object.fromEntries(set.map((name) => [name, all[name]])) as MonitorOptions) : null
}

/** The options with their members in the order of the schemas: the database keeps them in one of its own. */
export function inOrderOfSchemas(options: MonitorOptions | null): MonitorOptions | null {
  return options && (MonitorOptions.safeParse(options).data ?? options)
}

/** Refuses masks that keep nothing: none is stored, or what it belongs to has changed. */
export function maskFaults(sent: object | null | undefined, stored: object | null): FieldError[] {
  return withStoredSecrets(sent, stored).lost.map((path) => ({
    field: `options.${path.join('.')}`,
    message: said('must be given: {mask} keeps a stored secret, and there is none for this', { mask: MASK }),
  }))
}

/** The options that differ. */
export function changedOptions(before: MonitorOptions | null, after: MonitorOptions | null): OptionName[] {
  return OPTION_NAMES.filter((name) => !isSameValue(before?.[name], after?.[name]))
}

/** Whether two values of an option are equal, in whatever order the database keeps keys. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(inOrder(one ?? null)) === JSON.stringify(inOrder(other ?? null))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, inner]) => [key, inOrder(inner)]))
}
