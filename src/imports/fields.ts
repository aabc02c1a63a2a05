/** A record of an export: nothing is known of its members until they are read. */
export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The entry of that very name: what an export calls `constructor` is not every object's. */
export function entryOf<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** The records of a list; what is none is left out. */
export function recordsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** The first of the values that is text (or a number, as text) and not blank; '' when none is. */
export function textOf(...values: unknown[]): string {
  for (const value of values) {
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text === 'string' && text.trim() !== '') return text.trim()
  }
  return ''
}

/** The number in a number or its text; null when there is none. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Databases write 0 and 1 for false and true. */
export function isOn(value: unknown, byDefault = false): boolean {
  if (value === undefined || value === null || value === '') return byDefault
  return value === true || value === 1 || value === '1' || value === 'true'
}

/** The texts of a list, or of JSON that holds one. */
export function textsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? parseJson(value) : value
  return Array.isArray(list) ? list.map((entry) => textOf(entry)).filter((entry) => entry !== '') : []
}

/** Names and values of an object, or of JSON that holds one; null when there are none, or it is broken. */
export function pairsOf(value: unknown): Record<string, string> | null {
  const object = typeof value === 'string' ? parseJson(value) : value
  if (!isFields(object)) return null
  const pairs = Object.entries(object).map(([name, text]) => [name, textOf(text)])
  return pairs.length > 0 ? Object.fromEntries(pairs) : null
}

/** What the text holds; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
