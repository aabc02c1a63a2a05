import {
  type AnswerPart,
  type Assertion,
  COMPARISONS,
  type Comparison,
  compares,
  type Scalar,
  SOURCES,
} from '../../../src/core/expectations/assertion.ts'
import { keysOf } from '../../../src/core/shape.ts'
import { sayAssertion } from './option-words.ts'

/** An assertion that is being written: its target as it is typed. */
export type AssertionRow = {
  source: AnswerPart
  property: string
  comparison: Comparison
  target: string
  severity: Assertion['severity']
}

/** A row that is added: of JSON where an answer may be that, otherwise of the first part that it has. */
export function newRow(offered: readonly AnswerPart[]): AssertionRow {
  const source = offered.includes('json') ? 'json' : (offered[0] ?? 'answer')
  const property = source === 'json' ? '$.status' : ''
  return { source, property, comparison: 'equals', target: '', severity: 'down' }
}

/** Expects a value as it is now. */
export function rowExpecting(source: 'header' | 'json', property: string, value: Scalar): AssertionRow {
  return { source, property, comparison: 'equals', target: typedTarget(source, value), severity: 'down' }
}

export function sameRow(one: AssertionRow, other: AssertionRow): boolean {
  return keysOf(one).every((key) => one[key] === other[key])
}

/** A draft holds the rows as text, which is compared and merged like any other. */
export function holdRows(rows: readonly AssertionRow[]): string {
  return rows.length === 0 ? '' : JSON.stringify(rows)
}

export function rowsIn(held: unknown): AssertionRow[] {
  return typeof held === 'string' && held !== '' ? JSON.parse(held) : []
}

export function holdAssertions(value: unknown): string {
  const assertions = Array.isArray(value) ? (value as Assertion[]) : []
  return holdRows(
    assertions.map(({ source, property = '', comparison, target, severity = 'down' }) => ({
      source,
      property,
      comparison,
      severity,
      target: typedTarget(source, target),
    })),
  )
}

/** The assertions as the API takes them; null without any. A text that is no number where one is wanted stays so, and is refused. */
export function readAssertions(held: unknown): unknown[] | null {
  const rows = rowsIn(held)
  if (rows.length === 0) return null
  return rows.map(({ source, property, comparison, target, severity }) => ({
    source,
    ...(SOURCES[source].property !== null && property !== '' && { property }),
    comparison,
    ...(COMPARISONS[comparison].takes !== 'nothing' && { target: targetOf(source, comparison, target) }),
    ...(severity !== 'down' && { severity }),
  }))
}

export function sayAssertions(held: unknown): string {
  return ((readAssertions(held) ?? []) as Assertion[]).map(sayAssertion).join('; ') || '–'
}

/** The comparisons that a source has, in the order of forms. */
export function comparisonsOf(source: AnswerPart): Comparison[] {
  return keysOf(COMPARISONS).filter((comparison) => compares(source, comparison))
}

function targetOf(source: AnswerPart, comparison: Comparison, typed: string): unknown {
  switch (COMPARISONS[comparison].takes) {
    case 'number':
    case 'count':
      return numberOr(typed)
    case 'several':
      return typed.split(',').map((one) => scalarOf(source, one.trim()))
    case 'one':
      return scalarOf(source, typed)
    default:
      return typed
  }
}

/** JSON has types: `7` is a number there, and `"7"` a text. Elsewhere everything is a text, or a number. */
function scalarOf(source: AnswerPart, typed: string): unknown {
  const { reads } = SOURCES[source]
  if (reads === 'number') return numberOr(typed)
  if (reads === 'text') return typed
  try {
    const value: unknown = JSON.parse(typed)
    return typeof value === 'object' && value !== null ? typed : value
  } catch {
    return typed
  }
}

function typedTarget(source: AnswerPart, target: Assertion['target']): string {
  if (target === undefined) return ''
  if (Array.isArray(target)) return target.map((one) => typedTarget(source, one)).join(', ')
  const isText = typeof target === 'string'
  // A text that would be read as another value is written in quotes.
  return isText && scalarOf(source, target) === target ? target : JSON.stringify(target)
}

function numberOr(typed: string): unknown {
  const text = typed.trim().replace(',', '.')
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : typed
}
