import ts from '../documents/typescript-api.ts'
import {
  functionOf,
  isText,
  type SqlText,
  sqlOf,
  statementAfter,
  statementBefore,
  withoutParentheses,
} from './sql-of-source.ts'

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
  diagnoses: ['id'],
  baselines: ['monitor_id'],
  site_host_seats: ['seat'],
  escalation_steps: ['id'],
}

const LOCKING = /\bFOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)\b/g
const BUILT = /^for(?:NoKeyUpdate|Update|Share|KeyShare)$/
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
function faultsOfBuilt(call: ts.CallExpression): Fault[] {
  if (!ts.isPropertyAccessExpression(call.expression) || !BUILT.test(call.expression.name.text)) return []
  const text = call.getText()
  const joins = /\.(?:inner|left|cross)Join\(/.test(text) || text.split('selectFrom(').length > 2
  return joins ? [{ fault: 'locks by a join', text }] : []
}

/** The condition of a removal (postgres/remove-some.ts), by which rows are locked. */
function faultsOfRemoval({ parent }: SqlText, text: string): Fault[] {
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
