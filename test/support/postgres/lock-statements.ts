import ts from '../documents/typescript-api.ts'

/** `within`: the function that holds it. */
export type LockFinding = { within: string; fault: string; text: string }

/** Tables whose rows several processes change at once, many at a time, and the columns that name one row. */
const CONTENDED: Record<string, string[]> = {
  deliveries: ['id'],
  mailboxes: ['mailbox_hash'],
  letters: ['id'],
  status_notices: ['id'],
  report_mails: ['id'],
  monitor_state: ['monitor_id'],
  server_state: ['server_id'],
  site_areas: ['area'],
  slots: ['slot'],
  probers: ['id'],
  overruns: ['monitor_id'],
  confirmations: ['id'],
  trial_checks: ['id'],
  site_host_seats: ['seat'],
  escalation_steps: ['id'],
}

const LOCKING = /\bFOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)\b/g
const BUILT = /^for(?:NoKeyUpdate|Update|Share|KeyShare)$/
const KEYWORD = /\b(?:SELECT|UPDATE|DELETE FROM|INSERT INTO)\b/g
const IN_QUERY = /(?:\bIN|=) \(\s*SELECT\b/g

/**
 * The statements of a source file that can lose rows, or wait for each other in a circle, when a row changes while they wait
 * for its lock: see CONTRIBUTING.md. It reads SQL in literals, with the constants and functions of the same file put in.
 */
export function lockFindings(source: string): LockFinding[] {
  if (!/\b(?:UPDATE|DELETE FROM|SHARE|removeSome)\b|\.for(?:NoKey|Key|Update|Share)/.test(source)) return []
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const findings: LockFinding[] = []
  const visit = (node: ts.Node) => {
    const faults = isText(node)
      ? [...faultsOfSql(sqlOf(node, file)), ...faultsOfRemoval(node, sqlOf(node, file))]
      : ts.isCallExpression(node)
        ? faultsOfBuilt(node)
        : []
    findings.push(...faults.map((fault) => ({ within: functionOf(node), ...fault })))
    if (!isText(node)) ts.forEachChild(node, visit)
  }
  visit(file)
  return findings
}

type Fault = Omit<LockFinding, 'within'>
type Text = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression

function isText(node: ts.Node): node is Text {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)
}

function functionOf(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if (ts.isFunctionDeclaration(at) && at.name) return at.name.text
    if (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent)) return at.name.getText()
  }
  return ''
}

/** A value of another file stands as `«name»`. */
function sqlOf(node: Text, file: ts.SourceFile, within: readonly string[] = []): string {
  if (!ts.isTemplateExpression(node)) return node.text
  const parts = node.templateSpans.map(
    ({ expression, literal }) => textOf(expression, file, within) + literal.text,
  )
  return node.head.text + parts.join('')
}

function textOf(expression: ts.Expression, file: ts.SourceFile, within: readonly string[]): string {
  const called = ts.isCallExpression(expression) ? expression.expression : expression
  if (!ts.isIdentifier(called) || within.includes(called.text)) return `«${called.getText()}»`
  const declared = declarationOf(called.text, file)
  const texts: string[] = []
  const collect = (node: ts.Node) => {
    if (isText(node)) texts.push(sqlOf(node, file, [...within, called.text]))
    else ts.forEachChild(node, collect)
  }
  if (declared) collect(declared)
  return texts.join(' ') || `«${called.text}»`
}

function declarationOf(name: string, file: ts.SourceFile): ts.Node | null {
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement
    if (!ts.isVariableStatement(statement)) continue
    const found = statement.declarationList.declarations.find((one) => one.name.getText() === name)
    if (found) return found
  }
  return null
}

function faultsOfBuilt(call: ts.CallExpression): Fault[] {
  if (!ts.isPropertyAccessExpression(call.expression) || !BUILT.test(call.expression.name.text)) return []
  const text = call.getText()
  const joins = /\.(?:inner|left|cross)Join\(/.test(text) || text.split('selectFrom(').length > 2
  return joins ? [{ fault: 'locks by a join', text }] : []
}

/** The condition of a removal (postgres/remove-some.ts), by which rows are locked. */
function faultsOfRemoval({ parent }: Text, text: string): Fault[] {
  const isCondition = ts.isPropertyAssignment(parent) && ['where', 'unless'].includes(parent.name.getText())
  return isCondition && /\(\s*SELECT\b/.test(text) ? [{ fault: 'locks by a subquery', text }] : []
}

function faultsOfSql(sql: string): Fault[] {
  return [...faultsOfLocks(sql), ...faultsOfQueries(sql), ...faultsOfWrites(sql)]
}

/** Rows that are locked come from one table, by conditions on themselves. */
function faultsOfLocks(sql: string): Fault[] {
  return [...sql.matchAll(LOCKING)].flatMap(({ index }) => {
    const text = statementBefore(sql, index)
    if (!text.startsWith('SELECT')) return []
    const flat = withoutParentheses(text)
    const from = flat.split(/\bFROM\b/)[1]?.split(/\b(?:WHERE|ORDER BY|LIMIT)\b/)[0] ?? ''
    if (/\bJOIN\b/.test(flat) || from.includes(',')) return [{ fault: 'locks by a join', text }]
    if (/\(\s*SELECT\b/.test(withoutKnownValues(text))) return [{ fault: 'locks by a subquery', text }]
    return []
  })
}

/** Values that a statement works out once, before it reads rows, and lists of parameters. */
function withoutKnownValues(sql: string): string {
  return sql.replace(/ARRAY\(SELECT \w+ FROM \w+\)/g, '').replace(/\(SELECT \* FROM unnest\([^)]*\)\)/g, '')
}

/** A write takes rows that are locked: a condition in a query is not looked at again. */
function faultsOfQueries(sql: string): Fault[] {
  return [...sql.matchAll(IN_QUERY)].flatMap(({ index }) => {
    const text = statementBefore(sql, index)
    const where = withoutParentheses(text).includes('WHERE')
    return /^(?:UPDATE|DELETE)/.test(text) && where ? [{ fault: 'writes by a query', text }] : []
  })
}

/** Several rows are locked in the order of their keys before they are written. */
function faultsOfWrites(sql: string): Fault[] {
  return [...sql.matchAll(/\b(?:UPDATE|DELETE FROM) (?<table>\w+)/g)].flatMap(({ index, groups }) => {
    const keys = CONTENDED[groups?.table ?? '']
    if (!keys) return []
    const text = statementAfter(sql, index)
    const isOne = keys.some((key) => new RegExp(`\\b${key} = (?:\\$\\d|«)`).test(text))
    const sources = [...text.matchAll(/\b(?:FROM|USING|JOIN) (?<name>\w+)/g)].map(
      ({ groups }) => groups?.name ?? '',
    )
    const isHeld = sources.some((name) => tableExpression(sql, name).search(LOCKING) >= 0)
    return isOne || isHeld ? [] : [{ fault: 'writes several rows in no order', text }]
  })
}

/** The text in the parentheses of `name AS (…)`. */
function tableExpression(sql: string, name: string): string {
  const begin = sql.indexOf(`${name} AS (`)
  return begin < 0 ? '' : statementAfter(sql, begin + name.length + ' AS ('.length)
}

/** The innermost statement around a place, from its keyword to there. */
function statementBefore(sql: string, index: number): string {
  let depth = 0
  let start = index
  while (start > 0) {
    const character = sql[start - 1]
    if (character === ')') depth++
    if (character === '(' && --depth < 0) break
    start--
  }
  const text = sql.slice(start, index)
  const flat = blankedParentheses(text)
  const [last] = [...flat.matchAll(KEYWORD)].slice(-1)
  return last ? text.slice(last.index) : text
}

function statementAfter(sql: string, index: number): string {
  let depth = 0
  for (let at = index; at < sql.length; at++) {
    if (sql[at] === '(') depth++
    if (sql[at] === ')' && --depth < 0) return sql.slice(index, at)
  }
  return sql.slice(index)
}

function withoutParentheses(sql: string): string {
  return blankedParentheses(sql).replaceAll('\0', '')
}

function blankedParentheses(sql: string): string {
  let depth = 0
  return [...sql]
    .map((character) => {
      if (character === ')') depth--
      const shown = depth === 0 ? character : '\0'
      if (character === '(') depth++
      return shown
    })
    .join('')
}
