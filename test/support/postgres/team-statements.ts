import ts from '../documents/typescript-api.ts'
import { functionOf, isText, sqlOf, statementAfter, statementBefore } from './sql-of-source.ts'

/** `within`: the function that holds it. */
export type TeamFinding = { within: string; text: string }

const TABLE =
  /\b(?:(?:UPDATE|DELETE FROM) (?<any>«[\w.]+»)|(?:UPDATE|DELETE FROM|FROM|JOIN|USING) (?<table>[a-z_]+))(?: (?:AS )?(?<alias>(?!on\b|where\b|set\b)[a-z]\w*))?/g
/** A value that a statement is given. */
const GIVEN = String.raw`(?:= (?:\$\d|«)|= ANY ?\((?:\$\d|«)|IN \((?:\$\d|«))`
/** A condition on the team: its id in an answer is none. */
const OF_TEAM = /\bteam_id = |= (?:\w+\.)?team_id\b|= «team\w*»/
const BUILT_OF_TEAM = /\.(?:where|on)(?:Ref)?\(\s*'(?:\w+\.)?team_id'/
const BEGINS_BUILT = /^(?:selectFrom|updateTable|deleteFrom)$/

/**
 * The statements of a source file that take a row of a team by its id alone: whoever gives a wrong id would reach the row of
 * another team. `tables` have a column `team_id`.
 */
export function teamFindings(source: string, tables: ReadonlySet<string>): TeamFinding[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true)
  const findings: TeamFinding[] = []
  const visit = (node: ts.Node) => {
    const texts = isText(node)
      ? foundInSql(sqlOf(node, file), tables)
      : ts.isCallExpression(node)
        ? foundInBuilt(node, tables)
        : []
    findings.push(...texts.map((text) => ({ within: functionOf(node), text })))
    if (!isText(node)) ts.forEachChild(node, visit)
  }
  visit(file)
  return findings
}

function foundInSql(sql: string, tables: ReadonlySet<string>): string[] {
  const found = [...sql.matchAll(TABLE)].flatMap(({ index, groups = {} }) => {
    const { any, table = any ?? '', alias } = groups as { any?: string; table?: string; alias?: string }
    // A table that is an argument may be any.
    if (!any && !tables.has(table)) return []
    const text = statementBefore(sql, index) + statementAfter(sql, index)
    const names = alias ? `(?:${alias}|${table})\\.` : `(?:(?<![.\\w])|\\b${table}\\.)`
    return new RegExp(`${names}id ${GIVEN}`).test(text) && !OF_TEAM.test(text) ? [text] : []
  })
  return [...new Set(found)]
}

/** A statement that is built by calls, one after the other. */
function foundInBuilt(call: ts.CallExpression, tables: ReadonlySet<string>): string[] {
  const {
    expression,
    arguments: [first],
  } = call
  if (!ts.isPropertyAccessExpression(expression) || !BEGINS_BUILT.test(expression.name.text)) return []
  if (!first || !ts.isStringLiteral(first) || !tables.has(first.text.split(' ')[0] ?? '')) return []
  let chain: ts.Node = call
  while (
    ts.isPropertyAccessExpression(chain.parent) ||
    (ts.isCallExpression(chain.parent) && chain.parent.expression === chain)
  )
    chain = chain.parent
  const [, alias = first.text] = / as (\w+)$/.exec(first.text) ?? []
  const text = chain.getText()
  const isById = new RegExp(`\\.where\\(\\s*'(?:${alias}\\.)?id',\\s*'(?:=|in)'`).test(text)
  return isById && !BUILT_OF_TEAM.test(text) ? [text] : []
}
