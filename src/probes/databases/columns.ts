import type { JsonNode } from '../../core/expectations/json-path.ts'
import { Garbled } from '../packets/cursor.ts'
import { MAX_ROWS, MAX_TEXT_LENGTH, type QueryResult, TooManyRows, TooMuchText } from './engine.ts'

/** In UTF-16 units: what JSON has around a name and its value, and a value that is NULL. */
const AROUND_LENGTH = 4
const NULL_LENGTH = 4

export type ValueKind = 'text' | 'number' | 'boolean' | 'json'

/** The rows of a query, as they come: texts by columns that have names and kinds of values. */
export class Columns {
  readonly #columns: { name: string; kind: ValueKind }[] = []
  readonly #rows: JsonNode[] = []
  #first: string | null = null
  #namesLength = 0
  #textLength = 0

  name(name: string, kind: ValueKind): void {
    this.#columns.push({ name, kind })
    this.#namesLength += name.length + AROUND_LENGTH
  }

  get count(): number {
    return this.#columns.length
  }

  add(values: readonly (string | null)[]): void {
    if (values.length !== this.#columns.length) throw new Garbled()
    if (this.#rows.length === MAX_ROWS) throw new TooManyRows()
    this.#textLength += this.#namesLength
    for (const value of values) this.#textLength += value?.length ?? NULL_LENGTH
    if (this.#textLength > MAX_TEXT_LENGTH) throw new TooMuchText()
    if (this.#rows.length === 0) this.#first = values[0] ?? null
    const entries = this.#columns.map(
      ({ name, kind }, at) => [name, readAs(kind, values[at] ?? null)] as const,
    )
    this.#rows.push(Object.fromEntries(entries))
  }

  found(): QueryResult {
    return { first: this.#first, rows: this.#rows }
  }
}

function readAs(kind: ValueKind, value: string | null): JsonNode {
  if (value === null || kind === 'text') return value
  if (kind === 'boolean') return value === 't' || value === '1'
  if (kind === 'number') return isExact(value) ? Number(value) : value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const MAX_DIGITS = 15
/** A longer text has more digits, or zeros that none writes, and the patterns below need a bound. */
const MAX_NUMBER_LENGTH = 400

/** Whether a number of JavaScript has all of its digits. */
function isExact(value: string): boolean {
  if (value.length > MAX_NUMBER_LENGTH) return false
  const digits = value.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '')
  return digits.length <= MAX_DIGITS && Number.isFinite(Number(value)) && value.trim() !== ''
}
