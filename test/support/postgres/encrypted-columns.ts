import { readMigrations } from '../../../src/postgres/migrate.ts'

/** The columns, as `table.column`, that the migrations call encrypted: of tables as they were made, and added later. */
export async function encryptedColumns(): Promise<string[]> {
  const lines = (await readMigrations()).flatMap(({ sql }) => sql.split('\n'))
  const found: string[] = []
  let table = ''
  for (const line of lines) {
    table = /^(?:CREATE|ALTER) TABLE (\w+)/.exec(line)?.[1] ?? table
    const [, column] = /(?:^ +|ADD COLUMN )(?!ADD)(\w+) .*-- encrypted/.exec(line) ?? []
    if (column) found.push(`${table}.${column}`)
  }
  return found
}
