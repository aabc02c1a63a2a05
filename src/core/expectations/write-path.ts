/** Names that need no quotes (RFC 9535, section 2.5.1.1). */
const SHORTHAND = /^[A-Za-z_\u0080-\ud7ff\ue000-\uffff][A-Za-z0-9_\u0080-\ud7ff\ue000-\uffff]*$/

/** The JSONPath of one value, by the names and indexes on the way to it: `$.list[0]['odd name']`. */
export function pathTo(steps: readonly (string | number)[]): string {
  return `$${steps.map(segmentOf).join('')}`
}

function segmentOf(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`
  if (SHORTHAND.test(step)) return `.${step}`
  // Strings of JSON are those of JSONPath in double quotes.
  return `[${JSON.stringify(step)}]`
}
