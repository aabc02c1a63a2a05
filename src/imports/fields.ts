/** A record of an export, not validated yet. */
export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An own entry of the table: the name may be `constructor` in an export. */
export function entryOf<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** The records in a list; other entries are dropped. */
export function recordsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** The first value that is a number or text that is not blank, trimmed; '' if there is none. */
export function textOf(...values: unknown[]): string {
  for (const value of values) {
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text.trim() !== '') return text.trim()
  }
  return ''
}

/** Reads a number, or text that holds one; null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Reads a boolean, which databases store as 0 or 1. */
export function isOn(value: unknown, byDefault = false): boolean {
  if (value === undefined || value === null || value === '') return byDefault
  return value === true || value === 1 || value === '1' || value === 'true'
}

/** The texts in a list, or in the JSON of a list. */
export function textsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? parseJson(value) : value
  return Array.isArray(list) ? list.map((entry) => textOf(entry)).filter((entry) => entry !== '') : []
}

/** The entries of an object, or of the JSON of one; null if there are none or the JSON is invalid. */
export function pairsOf(value: unknown): Record<string, string> | null {
  const object = typeof value === 'string' ? parseJson(value) : value
  if (!isFields(object)) return null
  const pairs = Object.entries(object).map(([name, text]) => [name, textOf(text)])
  return pairs.length > 0 ? Object.fromEntries(pairs) : null
}

/** Parses JSON; undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
