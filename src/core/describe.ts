import { type Said, said } from './language/said.ts'

const SHOWN_CHARACTERS = 60

/** Describes a value for a message: enough to recognize it, never a secret, never much text. */
export function describe(input: string): string
export function describe(input: unknown, secret?: boolean): string | Said
export function describe(input: unknown, secret = false): string | Said {
  if (input === null) return said('null')
  if (Array.isArray(input)) return said('an array')
  if (typeof input === 'object') return said('an object')
  if (typeof input === 'string') {
    if (secret) return said('a string')
    const shown = input.length > SHOWN_CHARACTERS ? `${input.slice(0, SHOWN_CHARACTERS)}…` : input
    return JSON.stringify(shown.toWellFormed())
  }
  if (secret && typeof input === 'number') return said('a number')
  return secret ? `a ${typeof input}` : String(input)
}
