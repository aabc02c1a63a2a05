import type * as z from 'zod'
import { SECRET_SETTINGS } from './monitors/secret-settings.ts'

/** Maps a field path (`config.url`, `expected_status_codes.1`) to its messages. */
export type FieldErrors = Record<string, string[]>

/** A message about one field, from a rule that looks at the whole record. */
export type FieldError = { field: string; message: string }

export type Parsed<T> = { ok: true; value: T } | { ok: false; errors: FieldErrors }

const EXPECTED: Record<string, string> = {
  string: 'a string',
  number: 'an integer',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  date: 'a date such as 2027-01-31',
}

const SECRETS_OF_MONITORS = Object.entries(SECRET_SETTINGS).map(([name, masked]) =>
  masked === 'whole' ? name : `${name}\\..*`,
)

/** Fields whose values never appear in a message, at any depth. */
const SECRET_FIELDS = new RegExp(
  `(^|\\.)(${[...SECRETS_OF_MONITORS, 'password', 'current_password', '(\\w+_)?token', '\\w+_key', 'account_sid'].join('|')})$`,
)

const SHOWN_CHARACTERS = 60

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
  const errors = new Map<string, string[]>()
  for (const issue of parsed.success ? [] : parsed.error.issues.flatMap(issuesMeant)) {
    for (const field of fieldsOf(issue)) {
      errors.set(field, [...(errors.get(field) ?? []), `${field} ${explain(issue, field)}`])
    }
  }
  const broken = new Set([...errors.keys()].map((field) => field.split('.')[0]))
  const valid = parsed.success ? (parsed.data as Partial<z.output<S>>) : validFields(schema, input, broken)
  for (const { field, message } of rules(valid)) {
    if (broken.has(field.split('.')[0])) continue
    errors.set(field, [...(errors.get(field) ?? []), `${field} ${message}`])
  }
  if (errors.size > 0) return { ok: false, errors: Object.fromEntries(errors) }
  return { ok: true, value: (parsed as { data: z.output<S> }).data }
}

/**
 * An issue of a union is that of the one alternative whose key was given, as in `{ group }` or `{ component }`: its
 * fields are named, and not only where the union stands.
 */
function issuesMeant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.filter((issues) => issues.every(({ path }) => path.length > 1))
  if (meant.length !== 1) return [issue]
  return (meant[0] ?? []).map((one) => ({ ...one, path: [...issue.path, ...one.path] })).flatMap(issuesMeant)
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

function explain(issue: z.core.$ZodIssue, field: string): string {
  const got = describe(issue.input, SECRET_FIELDS.test(field))
  switch (issue.code) {
    case 'custom':
      return issue.message
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${EXPECTED[issue.expected] ?? issue.expected}, got ${got}`
    case 'invalid_value':
      if (issue.input === undefined) return 'is required'
      return `must be one of ${issue.values.join(', ')}, got ${got}`
    case 'too_small':
      return `must ${amount(issue.origin, 'at least', issue.minimum)}, got ${size(issue.input, got)}`
    case 'too_big':
      return `must ${amount(issue.origin, 'at most', issue.maximum)}, got ${size(issue.input, got)}`
    case 'unrecognized_keys':
      return 'is not known here'
    case 'invalid_format':
      // A pattern says in its own words what it takes.
      if (issue.format === 'regex' && issue.message.startsWith('must ')) return `${issue.message}, got ${got}`
      return `must be ${issue.format === 'email' ? 'an e-mail address' : `a valid ${issue.format}`}, got ${got}`
    default:
      return issue.message
  }
}

function amount(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'array' || origin === 'set')
    return `have ${bound} ${limit} ${limit === 1 ? 'entry' : 'entries'}`
  if (origin === 'string') return `have ${bound} ${limit} characters`
  return `be ${bound} ${limit}`
}

function size(input: unknown, got: string): string {
  return Array.isArray(input) ? String(input.length) : got
}

/** Describes a value for a message: enough to recognize it, never a secret, never much text. */
export function describe(input: unknown, secret = false): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'an array'
  if (typeof input === 'object') return 'an object'
  if (typeof input === 'string') {
    if (secret) return 'a string'
    const shown = input.length > SHOWN_CHARACTERS ? `${input.slice(0, SHOWN_CHARACTERS)}…` : input
    return JSON.stringify(shown.toWellFormed())
  }
  return secret ? `a ${typeof input}` : String(input)
}

/** One sentence about all invalid fields, for the problem's `detail`. */
export function summarize(errors: FieldErrors): string {
  const fields = Object.keys(errors)
  if (fields.length === 1) return `${errors[fields[0] as string]?.[0]}.`
  return `${fields.length} fields are invalid: ${fields.slice(0, 10).join(', ')}${fields.length > 10 ? ', …' : ''}.`
}
