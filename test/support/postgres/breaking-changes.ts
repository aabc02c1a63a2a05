/** A statement of a migration that processes of the release before may not survive. */
export type BreakingChange = { what: string; statement: string }

/** Says, in a line of its own before or in the statement, why the release before works beside it: in some words, not one. */
const EXPLAINED = /^[^\S\n]*--[^\S\n]*the release before: \S+(?:[^\S\n]+\S+){2,}/im

/** Statements that need an explanation; `isKnown` says whether the table was there before this migration. */
const RULES: [what: string, test: (sql: string, isKnown: (table: string) => boolean) => boolean][] = [
  ['drops something', (sql) => /\bdrop\s+(?!not\s+null\b|default\b)/i.test(sql)],
  ['drops a default', (sql) => /\bdrop\s+default\b/i.test(sql)],
  ['renames something', (sql) => /\brename\s+(?:to|column|constraint|value|attribute|\w+\s+to)\b/i.test(sql)],
  ['takes a table out of another', (sql) => /\bdetach\s+partition\b/i.test(sql)],
  ['takes a right away', (sql) => /\brevoke\s/i.test(sql)],
  ['wants a value where there may be none', (sql) => /\bset\s+not\s+null\b/i.test(sql)],
  ['adds a column that wants a value and has no default', addsWantedColumn],
  [
    'gives a column another type',
    (sql) => /\balter\s+(?:column\s+)?\S+\s+(?:set\s+data\s+)?type\b/i.test(sql),
  ],
  ['changes a type', (sql) => /^\s*alter\s+(?:type|domain)\b/i.test(sql)],
  ['refuses rows that were taken', constrainsKnownTable],
  ['refuses rows that were taken', uniqueOnKnownTable],
  ['acts on rows of a table', triggerOnKnownTable],
]

export function breakingChanges(migration: string): BreakingChange[] {
  const statements = statementsOf(migration)
  const made = new Set(
    statements.flatMap(
      ({ sql }) => nameAfter(sql, /\bcreate\s+(?:\w+\s+)?table\s+(?:if\s+not\s+exists\s+)?/i) ?? [],
    ),
  )
  const isKnown = (table: string) => !made.has(table)
  const views = new Set(statements.flatMap(({ sql }) => nameAfter(sql, /\bcreate\s+view\s+/i) ?? []))
  return statements.flatMap(({ sql, text }) => {
    if (EXPLAINED.test(text) || isReplacement(sql, views)) return []
    const [what] = RULES.find(([, breaks]) => breaks(sql, isKnown)) ?? []
    return what === undefined ? [] : [{ what, statement: sql.replaceAll(/\s+/g, ' ').trim() }]
  })
}

/** Statements with their comments, and without those and what strings say. Bodies of DO stay: they change tables, too. */
function statementsOf(migration: string): { sql: string; text: string }[] {
  const parts = migration.matchAll(
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;|[^;'$/-]+|[\s\S]/g,
  )
  const statements: { sql: string; text: string }[] = []
  let [sql, text] = ['', '']
  for (const [part] of parts) {
    if (part === ';') {
      statements.push({ sql, text })
      // A comment behind it is none of the next one.
      ;[sql, text] = ['', part]
      continue
    }
    text += part
    if (/^(?:--|\/\*)/.test(part)) sql += ' '
    else sql += part.startsWith("'") ? "''" : part.startsWith('$') ? withoutComments(part) : part
  }
  return [...statements, { sql, text }].filter(({ sql }) => sql.trim() !== '')
}

function withoutComments(body: string): string {
  return body.replaceAll(/--[^\n]*/g, ' ')
}

/** A name as it is written after a pattern, without its schema and quotes. */
function nameAfter(sql: string, before: RegExp): string | null {
  const name = new RegExp(`${before.source}(?:only\\s+)?(?:\\w+\\.)?"?(\\w+)"?`, 'i').exec(sql)?.[1]
  return name?.toLowerCase() ?? null
}

function alteredTable(sql: string): string | null {
  return nameAfter(sql, /\balter\s+table\s+(?:if\s+exists\s+)?/i)
}

function addsWantedColumn(sql: string, isKnown: (table: string) => boolean): boolean {
  const table = alteredTable(sql)
  if (table === null || !isKnown(table)) return false
  return actionsOf(sql).some(
    (action) =>
      /\badd\s+(?!constraint\b|check\b|unique\b|primary\b|foreign\b|exclude\b)/i.test(action) &&
      /\bnot\s+null\b/i.test(action) &&
      !/\b(?:default|generated)\b/i.test(action),
  )
}

function constrainsKnownTable(sql: string, isKnown: (table: string) => boolean): boolean {
  const table = alteredTable(sql)
  if (table === null || !isKnown(table)) return false
  return actionsOf(sql).some((action) => {
    const constraint = /\badd\s+(?:constraint\s+\S+\s+)?(?:check|unique|primary|foreign|exclude)\b/i.test(
      action,
    )
    return constraint || (/\badd\b/i.test(action) && /\b(?:unique|primary\s+key)\b/i.test(action))
  })
}

function uniqueOnKnownTable(sql: string, isKnown: (table: string) => boolean): boolean {
  if (!/\bcreate\s+unique\s+index\b/i.test(sql)) return false
  const table = nameAfter(sql, /\bindex\b[^(]*?\son\s+/i)
  return table !== null && isKnown(table)
}

function triggerOnKnownTable(sql: string, isKnown: (table: string) => boolean): boolean {
  if (!/\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?(?:trigger|rule|policy)\b/i.test(sql)) return false
  const table = nameAfter(sql, /\s(?:on|to)\s+/i)
  return table !== null && isKnown(table)
}

/** Tables go, and views have their names: `test/postgres/subjects-migration.test.ts` writes to each as to the table. */
function isReplacement(sql: string, views: ReadonlySet<string>): boolean {
  const dropped = /^\s*drop\s+table\s+([\w\s,]+)$/i.exec(sql)?.[1]?.split(',') ?? []
  return dropped.length > 0 && dropped.every((name) => views.has(name.trim().toLowerCase()))
}

/** The actions of ALTER TABLE, which commas part; those within parentheses are lists. */
function actionsOf(sql: string): string[] {
  const actions = ['']
  let depth = 0
  for (const letter of sql) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += letter
  }
  return actions
}
