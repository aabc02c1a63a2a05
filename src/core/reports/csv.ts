/** A value of a cell; null leaves it empty. */
export type CsvValue = string | number | boolean | null

/** Spreadsheets take a text that begins so, in either width of its sign, for a formula or skip what it begins with. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** A line of a file for spreadsheets (RFC 4180). A text that would be read as a formula gets an apostrophe in front. */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cellOf).join(',')}\r\n`
}

function cellOf(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value)
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
