import type { Assertion } from '../../core/expectations/assertion.ts'
import { said } from '../../core/language/said.ts'
import { type MonitorType, neededOptionsOf, sends } from '../../core/monitors/monitor-types.ts'
import type { MonitorFacts } from '../draft-monitor.ts'
import { expect, expected } from '../expectations.ts'
import { type Fields, isFields, textOf } from '../fields.ts'
import type { Rule } from '../reasons.ts'
import type { Conditions } from './conditions.ts'

/** Reasons to skip an endpoint that speaks a protocol of its own. */
export const ANSWER_BLOCKERS: Rule[] = [
  [
    said('sends nothing, and is up whatever happens: a monitor here needs an answer'),
    (endpoint, type) => neededOptionsOf(type).includes('send') && textOf(endpoint.body) === '',
  ],
  [
    said('signs in and runs a command: an ssh monitor here reads what the server says of itself'),
    ({ ssh }) => isFields(ssh) && Object.values(ssh).some((value) => textOf(value) !== ''),
  ],
]

/** Whether an endpoint sends its body, and what comes back is judged. */
export function judgesAnswer(endpoint: Fields, type: MonitorType): boolean {
  return sends(type) && textOf(endpoint.body) !== ''
}

/** The text that such an endpoint sends, and the assertions on what comes back: something at least. */
export function answerFacts(
  endpoint: Fields,
  { keyword, expected: conditions }: Conditions,
): Pick<MonitorFacts, 'send' | 'expected'> {
  const fitting = conditions.flatMap(({ words, assertions }) => {
    const fit = onAnswer(assertions)
    return fit === null ? [] : [{ words, assertions: fit }]
  })
  const contained =
    keyword === null ? [] : [expected(keyword, expect('answer', 'contains', { target: keyword }))]
  const all = [...contained, ...fitting]
  return {
    send: textOf(endpoint.body),
    expected: all.length > 0 ? all : [expected('[CONNECTED]', expect('answer', 'exists'))],
  }
}

/** Conditions that no assertion about what comes back says. */
export function unfitOf({ expected: conditions }: Conditions): string[] {
  return conditions.filter(({ assertions }) => onAnswer(assertions) === null).map(({ words }) => words)
}

function onAnswer(assertions: readonly Assertion[]): Assertion[] | null {
  const read = assertions.map((assertion): Assertion | null => {
    if (assertion.source === 'response_time_ms') return assertion
    return assertion.source === 'body' ? { ...assertion, source: 'answer' } : null
  })
  const fit = read.filter((assertion) => assertion !== null)
  return fit.length === read.length ? fit : null
}
