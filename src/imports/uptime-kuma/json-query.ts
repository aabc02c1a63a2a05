import type { Assertion } from '../../core/expectations/assertion.ts'
import { equalTo, escaped, expect, scalarsOf, stepOf } from '../expectations.ts'
import { type Fields, numberOf, textOf } from '../fields.ts'

const WHOLE_BODY = '$'
const STEPS = /\.?(?:([A-Za-z_]\w*)|`([^`]+)`)|(\[[^\]]*\])/gy
const FILTER = /^\[\s*(\w+)\s*=\s*(?:'([^'"\\]*)'|"([^'"\\]*)"|(-?\d+))\s*\]$/
/** Words of JSONata that are no names. */
const WORDS = ['and', 'or', 'in', 'true', 'false', 'null', 'function']

const ORDERS = { '>': 'greater_than', '>=': 'at_least', '<': 'less_than', '<=': 'at_most' } as const

/**
 * The assertions of a json-query monitor, whose query is JSONata: names, indexes and comparisons with one value of elements
 * are read. Null for other queries, and for comparisons that always fail there.
 */
export function jsonQueryOf(monitor: Fields): Assertion[] | null {
  const path = pathOfQuery(textOf(monitor.json_path, monitor.jsonPath) || WHOLE_BODY)
  const operator = textOf(monitor.json_path_operator, monitor.jsonPathOperator) || '=='
  const wanted = textOf(monitor.expected_value, monitor.expectedValue)
  if (path === null) return null
  const made = path === WHOLE_BODY ? ofBody(operator, wanted) : ofValue(path, operator, wanted)
  const fit = made?.filter((assertion) => assertion !== null)
  return made && fit && fit.length === made.length ? fit : null
}

/** The same where its value must be equal, whatever comparison stands beside it. */
export function equalQueryOf(monitor: Fields): Assertion[] | null {
  const { json_path_operator: _, jsonPathOperator: __, ...query } = monitor
  return jsonQueryOf(query)
}

/** A single value is wanted there: what is missing or null fails, whatever the comparison. */
function ofValue(property: string, operator: string, wanted: string): (Assertion | null)[] | null {
  const { comparison, target } = equalTo(scalarsOf(wanted), operator === '==')
  switch (operator) {
    case '==':
      return [expect('json', comparison, { property, target })]
    case '!=':
      return [
        expect('json', 'exists', { property }),
        expect('json', 'not_equals', { property, target: null }),
        expect('json', comparison, { property, target }),
      ]
    case 'contains':
      return [expect('json', 'contains', { property, target: wanted })]
    default:
      return inOrder('json', { property }, operator, wanted)
  }
}

/** The body itself may be a text, and one that is no JSON. */
function ofBody(operator: string, wanted: string): (Assertion | null)[] | null {
  const whole = `^\\s*"?${escaped(wanted)}"?\\s*$`
  switch (operator) {
    case '==':
      return [expect('body', 'matches', { target: whole })]
    case '!=':
      return [expect('body', 'not_matches', { target: whole })]
    case 'contains':
      return [expect('body', 'contains', { target: wanted })]
    default:
      return inOrder('body', {}, operator, wanted)
  }
}

function inOrder(
  source: 'json' | 'body',
  property: Pick<Assertion, 'property'>,
  operator: string,
  wanted: string,
): (Assertion | null)[] | null {
  const target = numberOf(wanted)
  const comparison = Object.hasOwn(ORDERS, operator) ? ORDERS[operator as keyof typeof ORDERS] : null
  return target === null || comparison === null ? null : [expect(source, comparison, { ...property, target })]
}

/** A JSONPath that finds what a path of JSONata does; null for other expressions. */
function pathOfQuery(query: string): string | null {
  const steps = query.trim().replace(/^\$\$?(?=[.[]|$)\.?/, '')
  // A bracket that begins an expression makes an array.
  if (steps.startsWith('[') && !/^\$\$?\[/.test(query.trim())) return null
  let path = WHOLE_BODY
  let end = 0
  let isFiltered = false
  for (const match of steps.matchAll(STEPS)) {
    const [all, name, quoted, bracket] = match
    if (bracket === undefined) {
      if (all.startsWith('.') === (end === 0) || (name !== undefined && WORDS.includes(name))) return null
      path += stepOf(name ?? quoted ?? '')
      isFiltered = false
    } else {
      const step: string | null = isFiltered ? null : stepOfBracket(bracket)
      if (step === null) return null
      isFiltered = step.startsWith('[?')
      path += step
    }
    end += all.length
  }
  return end === steps.length ? path : null
}

function stepOfBracket(bracket: string): string | null {
  const index = /^\[\s*(-?\d+)\s*\]$/.exec(bracket)?.[1]
  if (index !== undefined) return stepOf(Number(index))
  const [, name, single, double, number] = FILTER.exec(bracket) ?? []
  if (name === undefined) return null
  return `[?@.${name} == ${number ?? JSON.stringify(single ?? double)}]`
}
