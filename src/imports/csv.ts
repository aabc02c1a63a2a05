/** Reads CSV (RFC 4180) with `,` or `;` as the separator. The header line names the fields, in lower case. */
export function readCsv(text: string): Record<string, string>[] {
  const [head = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''))
  const names = head.map((name) => name.trim().toLowerCase())
  return rows
    .filter((row) => row.some((field) => field.trim() !== ''))
    .map((row) => Object.fromEntries(names.map((name, column) => [name, row[column] ?? ''])))
}

function rowsOf(text: string): string[][] {
  const firstLine = text.slice(0, text.indexOf('\n') + 1 || text.length)
  const separator = firstLine.includes(',') ? ',' : ';'
  const rows: string[][] = [[]]
  // A field, quoted or not, and the separator or line break after it.
  const field =
    separator === ','
      ? /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
      : /(?:"((?:[^"]|"")*)"|([^";\r\n]*))(;|\r?\n|$)/y
  while (field.lastIndex < text.length) {
    const found = field.exec(text)
    if (!found) break
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '') break
    if (found[3] !== separator) rows.push([])
  }
  return rows
}
