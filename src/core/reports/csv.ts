import Papa from 'papaparse'

/** A value of a cell; null leaves it empty. */
export type CsvValue = string | number | boolean | null

/** A text with one of these in front is computed, in either width of the sign. */
const SIGN = '[=+\\-@＝＋－＠﹦﹢﹣﹫]'
/** Some spreadsheets skip these before a sign; a quote ends where the text around it is split. */
const SKIPPED = '\\s\\p{Cf}\\p{Cc}"'
/** Not only commas: whoever opens a file may split it there, and does not see the quotes then that begin before. */
const SEPARATORS = ';|\\t\\r\\n\\v\\f\\u0085\\u2028\\u2029'

/** Tabs and line breaks in front are taken for the sign itself by some. */
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|[${SKIPPED}]*${SIGN})`, 'u')
/** The last separator before a sign; between them stands nothing that counts. */
const FORMULA_INSIDE = new RegExp(`[${SEPARATORS}](?=(?:(?![${SEPARATORS}])[${SKIPPED}])*${SIGN})`, 'gu')

/**
 * A line of a file for spreadsheets (RFC 4180). A text that would be read as a formula gets an apostrophe in front, as a
 * whole and behind each separator that other programs split it at. Numbers stay numbers.
 */
export function csvLine(values: readonly CsvValue[]): string {
  const cells = values.map((value) =>
    typeof value === 'string' ? value.replaceAll(FORMULA_INSIDE, "$&'") : value,
  )
  return `${Papa.unparse([cells], { escapeFormulae: FORMULA, newline: '\r\n' })}\r\n`
}
