import { type Said, said } from '../../core/language/said.ts'
import { MADE_NAMES, referencesIn } from '../../core/monitors/steps/template.ts'
import { recordsOf } from '../fields.ts'

/** The values that references in a request stand for, as Postman writes them. */
const REFERENCE = /\{\{([^{}]+)\}\}/g
/** Values that Postman makes anew, by the names of those that are made here. */
const MADE: ReadonlyMap<string, string> = new Map([
  ['$guid', 'uuid'],
  ['$randomUUID', 'uuid'],
  ['$isoTimestamp', 'now'],
])
/** Values may refer to others: bounds, so that a small file cannot say a text without end. */
const MAX_DEPTH = 10
const MAX_REFERENCES = 1_000
const MAX_FILLED_LENGTH = 131_072
const MAX_SECRET_NAME = 40
/** A secret must have some text: the monitor is paused until people set the true one. */
const UNSET = 'not set yet'

type Variable = { text: string; isSecret: boolean }
/** Variables by name, the nearest place first. */
export type Scope = readonly ReadonlyMap<string, Variable>[]

/** A request that cannot come over, and why. */
export class UnfitRequest extends Error {
  readonly reason: Said

  constructor(reason: Said) {
    super(reason.text)
    this.reason = reason
  }
}

/** Variables of a collection, a folder or an environment; those that are switched off are none. */
export function variablesOf(list: unknown): ReadonlyMap<string, Variable> {
  const variables = new Map<string, Variable>()
  for (const { key, id, value, type, disabled, enabled } of recordsOf(list)) {
    const name = writtenOf(key ?? id).trim()
    if (name === '' || disabled === true || enabled === false) continue
    variables.set(name, { text: writtenOf(value), isSecret: type === 'secret' })
  }
  return variables
}

/** A value as Postman writes it into a request: unlike a name, with its blanks. */
export function writtenOf(value: unknown): string {
  return typeof value === 'string' ? value : ['number', 'boolean'].includes(typeof value) ? String(value) : ''
}

/** Names the secrets of a monitor, and knows which have no value in the file. */
export type Secrets = {
  nameFor(variable: string, value: string): string
  /** Their values, of those that the texts refer to. */
  usedIn(texts: readonly string[]): { values: Record<string, string>; unset: string[] }
}

export function createSecrets(): Secrets {
  const byVariable = new Map<string, string>()
  const values = new Map<string, string>()
  return {
    nameFor(variable, value) {
      const known = byVariable.get(variable)
      if (known !== undefined) return known
      const name = unused(variable.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_'), values)
      byVariable.set(variable, name)
      values.set(name, value)
      return name
    },
    usedIn(texts) {
      const names = new Set(texts.flatMap(referencesIn))
      const used = [...values].filter(([name]) => names.has(`secret.${name}`))
      return {
        values: Object.fromEntries(used.map(([name, value]) => [name, value || UNSET])),
        unset: used.filter(([, value]) => value === '').map(([name]) => name),
      }
    },
  }
}

function unused(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const isFree = (name: string) =>
    !taken.has(name) && name !== 'secret' && !(MADE_NAMES as readonly string[]).includes(name)
  let name = wanted.slice(0, MAX_SECRET_NAME)
  for (let count = 2; !isFree(name); count++) name = `${wanted.slice(0, MAX_SECRET_NAME - 6)}_${count}`
  return name
}

type Budget = { references: number; length: number }

/**
 * The text with the values of its variables, each literal part written by `encode`. Secrets and values that are made anew
 * become references of a step; with `secrets` null they become their values. Throws an UnfitRequest where that is impossible.
 */
export function filled(
  text: string,
  scope: Scope,
  secrets: Secrets | null,
  encode = (literal: string) => literal,
): string {
  const budget = { references: MAX_REFERENCES, length: MAX_FILLED_LENGTH }
  return expanded(text, { scope, secrets, encode, budget }, 0)
}

type Filling = { scope: Scope; secrets: Secrets | null; encode: (literal: string) => string; budget: Budget }

function expanded(text: string, filling: Filling, depth: number): string {
  const { budget, encode } = filling
  if (depth > MAX_DEPTH) throw new UnfitRequest(said('has variables that refer to each other too deeply'))
  let written = ''
  let end = 0
  const literal = (part: string) => {
    budget.length -= part.length
    if (budget.length < 0 || budget.references < 0)
      throw new UnfitRequest(said('is too long once its variables are filled in'))
    written += encode(part)
  }
  for (const match of text.matchAll(REFERENCE)) {
    literal(text.slice(end, match.index))
    end = match.index + match[0].length
    budget.references--
    const isInBraces = text[match.index - 1] === '{' && text[end] === '}'
    written += insertedFor((match[1] ?? '').trim(), filling, depth, isInBraces)
  }
  literal(text.slice(end))
  return written
}

function insertedFor(name: string, filling: Filling, depth: number, isInBraces: boolean): string {
  const { scope, secrets } = filling
  const made = MADE.get(name)
  if (made !== undefined && secrets === null)
    throw new UnfitRequest(
      said('uses {name}, which a monitor of one request cannot make', { name: `{{${name}}}` }),
    )
  if (made !== undefined) return reference(made, isInBraces)
  if (name.startsWith('$'))
    throw new UnfitRequest(said('uses {name}, a value that is not made here', { name: `{{${name}}}` }))
  const variable = scope.find((variables) => variables.has(name))?.get(name)
  if (variable?.isSecret && secrets !== null) {
    const value = variable.text === '' ? '' : expanded(variable.text, plain(filling), depth + 1)
    return reference(`secret.${secrets.nameFor(name, value)}`, isInBraces)
  }
  // An export leaves the values out that people keep to themselves.
  if (!variable || variable.text === '')
    throw new UnfitRequest(said('refers to {name}, which has no value in the file', { name: `{{${name}}}` }))
  return expanded(variable.text, filling, depth + 1)
}

function plain(filling: Filling): Filling {
  return { ...filling, secrets: null, encode: (literal) => literal }
}

/** Between braces of the text, three would insert the value without them. */
function reference(name: string, isInBraces: boolean): string {
  if (isInBraces) throw new UnfitRequest(said('has {name} between further braces', { name: `{{${name}}}` }))
  return `{{${name}}}`
}
