import type * as z from 'zod'
import { describe } from './describe.ts'
import { phrase } from './language/phrase.ts'
import { english, type Said, said, saidOf, WHOLE } from './language/said.ts'
import { isHidden } from './secret-fields.ts'
import type { PlanName } from './teams/plan.ts'

export { describe }

/** Maps a field path (`config.url`, `expected_status_codes.1`) to the rules that its value breaks. */
export type Faults = Record<string, Said[]>

/** The same as the API prints it: each message begins with its field. */
export type FieldErrors = Record<string, string[]>

/** A message about one field, from a rule that looks at the whole record. */
export type FieldError = { field: string; message: Said }

export type Parsed<T> = { ok: true; value: T } | { ok: false; faults: Faults; errors: FieldErrors }

/** Input that broke rules. */
export function broken(faults: Faults): { ok: false; faults: Faults; errors: FieldErrors } {
  return {
    ok: false,
    faults,
    get errors() {
      return printed(faults)
    },
  }
}

export function printed(faults: Faults): FieldErrors {
  return Object.fromEntries(
    Object.entries(faults).map(([field, said]) => [field, said.map((one) => print(one, field))]),
  )
}

/** A fault as the API prints it. */
export function print(fault: Said, field: string): string {
  return WHOLE in fault.values ? english(fault) : `${field} ${english(fault)}`
}

/** The rule of numbers, which are whole nearly everywhere. */
export const INTEGER = phrase('must be an integer, got {got}')
const OBJECT = phrase('must be an object, got {got}')

const EXPECTED: Record<string, string> = {
  string: phrase('must be a string, got {got}'),
  number: INTEGER,
  int: INTEGER,
  boolean: phrase('must be true or false, got {got}'),
  array: phrase('must be an array, got {got}'),
  object: OBJECT,
  record: OBJECT,
  date: phrase('must be a date such as 2027-01-31, got {got}'),
  null: phrase('must be null, got {got}'),
}

/**
 * Parses input against a schema. Each message names the field, what it accepts and what it got. `rules`
 * checks constraints across fields, given only the fields that are valid on their own.
 */
export function parseFields<S extends z.ZodType>(
  schema: S,
  input: unknown,
  rules: (valid: Partial<z.output<S>>) => FieldError[] = () => [],
): Parsed<z.output<S>> {
  const parsed = schema.safeParse(input, { reportInput: true })
  const found = new Map<string, Said[]>()
  for (const issue of parsed.success ? [] : parsed.error.issues.flatMap(issuesMeant)) {
    for (const field of fieldsOf(issue)) {
      found.set(field, [...(found.get(field) ?? []), explain(issue, field)])
    }
  }
  const wrong = new Set([...found.keys()].map((field) => field.split('.')[0]))
  const valid = parsed.success ? (parsed.data as Partial<z.output<S>>) : validFields(schema, input, wrong)
  for (const { field, message } of rules(valid)) {
    if (wrong.has(field.split('.')[0])) continue
    found.set(field, [...(found.get(field) ?? []), message])
  }
  if (found.size > 0) return broken(Object.fromEntries(found))
  return { ok: true, value: (parsed as { data: z.output<S> }).data }
}

/**
 * An issue of a union is that of the one alternative whose key was given, as in `{ group }` or `{ component }`, or else of the
 * only one that is of such a type: its fields are named, and not only where the union stands.
 */
function issuesMeant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const inMember = issue.errors.filter((issues) => issues.every(({ path }) => path.length > 1))
  const ofType = issue.errors.filter((issues) => !issues.some(isOfAnotherType))
  const withKeys = ofType.filter((issues) => !issues.some(({ code }) => code === 'unrecognized_keys'))
  const meant = [inMember, ofType, withKeys].find(({ length }) => length === 1)?.[0]
  if (!meant) return [issue]
  return meant.map((one) => ({ ...one, path: [...issue.path, ...one.path] })).flatMap(issuesMeant)
}

function isOfAnotherType({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')
}

/** The fields an issue is about. Each unknown key of a strict schema is reported separately. */
function fieldsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [issue.path.join('.') || 'body']
  return issue.keys.map((key) => [...issue.path, key].join('.'))
}

/** The fields that were sent and are valid on their own, as the schema reads them. */
function validFields<S extends z.ZodType>(schema: S, input: unknown, broken: Set<string | undefined>) {
  if (typeof input !== 'object' || input === null || !('shape' in schema)) return {}
  const valid: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    if (broken.has(name) || !Object.hasOwn(input, name)) continue
    const read = field.safeParse((input as Record<string, unknown>)[name])
    if (read.success) valid[name] = read.data
  }
  return valid as Partial<z.output<S>>
}

function explain(issue: z.core.$ZodIssue, field: string): Said {
  const got = describe(issue.input, isHidden(field))
  switch (issue.code) {
    case 'custom':
      return issue.params?.said ?? saidOf(issue.message)
    case 'invalid_type':
      if (issue.input === undefined) return said('is required')
      return saidOf(EXPECTED[issue.expected] ?? `must be ${issue.expected}, got {got}`, { got })
    case 'invalid_value':
      if (issue.input === undefined) return said('is required')
      return said('must be one of {values}, got {got}', { values: issue.values.join(', '), got })
    case 'too_small':
      return atLeast(issue.origin, Number(issue.minimum), size(issue.input, got))
    case 'too_big':
      return atMost(issue.origin, Number(issue.maximum), size(issue.input, got))
    case 'invalid_union': {
      if (issue.discriminator === undefined || !('options' in issue)) return saidOf(issue.message, { got })
      const named = (issue.input as Record<string, unknown>)[issue.discriminator]
      if (named === undefined) return said('is required')
      return said('must be one of {values}, got {got}', {
        values: issue.options?.join(', ') ?? '',
        got: describe(named),
      })
    }
    case 'unrecognized_keys':
      return said('is not known here')
    case 'invalid_format':
      // A pattern says in its own words what it takes; a test asks for them.
      if (issue.format === 'regex') return saidOf(issue.message, { got })
      if (issue.format === 'datetime') return said('must be a valid datetime, got {got}', { got })
      if (issue.format === 'email') return said('must be an e-mail address, got {got}', { got })
      return said('must be a valid {format}, got {got}', { format: issue.format, got })
    default:
      return saidOf(issue.message)
  }
}

function atLeast(origin: string, min: number, got: string | Said): Said {
  if (origin === 'string') return said('must have at least {min} characters, got {got}', { min, got })
  if (origin !== 'array' && origin !== 'set') return said('must be at least {min}, got {got}', { min, got })
  return min === 1
    ? said('must have at least {min} entry, got {got}', { min, got })
    : said('must have at least {min} entries, got {got}', { min, got })
}

function atMost(origin: string, max: number, got: string | Said): Said {
  if (origin === 'string') return said('must have at most {max} characters, got {got}', { max, got })
  if (origin !== 'array' && origin !== 'set') return said('must be at most {max}, got {got}', { max, got })
  return max === 1
    ? said('must have at most {max} entry, got {got}', { max, got })
    : said('must have at most {max} entries, got {got}', { max, got })
}

function size(input: unknown, got: string | Said): string | Said {
  return Array.isArray(input) ? String(input.length) : got
}

type BoundOfPlan = { got: number | null | undefined; plan: PlanName }

/** The fault of a number below what a plan takes; none for a number that was not sent. */
export function belowPlan(field: string, min: number, { got, plan }: BoundOfPlan): FieldError[] {
  if (got == null || got >= min) return []
  return [
    { field, message: said('must be at least {min} on the {plan} plan, got {got}', { min, plan, got }) },
  ]
}

/** The fault of a number above what a plan takes; none for a number that was not sent. */
export function abovePlan(field: string, max: number, { got, plan }: BoundOfPlan): FieldError[] {
  if (got == null || got <= max) return []
  return [{ field, message: said('must be at most {max} on the {plan} plan, got {got}', { max, plan, got }) }]
}

/** One sentence about all invalid fields, for the problem's `detail`. */
export function summarize(errors: FieldErrors): string {
  const fields = Object.keys(errors)
  if (fields.length === 1) return `${errors[fields[0] as string]?.[0]}.`
  return `${english(countOf(fields))}.`
}

/** A sentence about several invalid fields. */
export function countOf(fields: readonly string[]): Said {
  const named = `${fields.slice(0, 10).join(', ')}${fields.length > 10 ? ', …' : ''}`
  return said('{count} fields are invalid: {fields}', { count: fields.length, fields: named })
}
