import { said } from '../../core/language/said.ts'
import { type Fields, isFields } from '../fields.ts'

/**
 * A dollar sign and the name behind it, as the shell and Go's `os.ExpandEnv` know names: `$NAME`, `${NAME}`, `$1`, `$?`.
 * Gatus fills them in from its environment before it reads the file, and takes `$$` for one dollar sign.
 */
const VARIABLE = /(?<!\$)(?:\$\$)*\$(\{|[A-Za-z0-9_*#@!?-])/

/** Stands for a text that Gatus would have filled in, so that it is not taken for a value. */
class Unfilled {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export const HOLDS_VARIABLE = said(
  'holds a variable of the environment of Gatus: fill it in first, such as by envsubst < config.yaml',
)

/** A configuration as Gatus reads it: `$$` is a dollar sign everywhere, and what holds a variable is no text any more. */
export function readDollars(value: unknown): unknown {
  if (typeof value === 'string')
    return VARIABLE.test(value) ? new Unfilled(value) : value.replaceAll('$$', '$')
  if (Array.isArray(value)) return value.map(readDollars)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, readDollars(entry)]),
  ) satisfies Fields
}

/** Whether a part of a configuration, or anything in it, holds a variable. */
export function holdsVariable(value: unknown): boolean {
  if (value instanceof Unfilled) return true
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsVariable)
}

/** A text to name something by, with its variables as they are written. */
export function writtenText(value: unknown): unknown {
  return value instanceof Unfilled ? value.text : value
}
