import type { Assertion } from '../../core/expectations/assertion.ts'
import { said } from '../../core/language/said.ts'
import { answerOf, type MonitorType, neededOptionsOf, sends } from '../../core/monitors/monitor-types.ts'
import { opensWebSocket } from '../../core/monitors/options/websocket.ts'
import type { MonitorFacts } from '../draft-monitor.ts'
import { type Expected, expect, expected } from '../expectations.ts'
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

/** Whether an endpoint sends its body, and what comes back is judged. One of a WebSocket wants a message in any case. */
export function judgesAnswer(endpoint: Fields, type: MonitorType): boolean {
  return opensWebSocket(type) || type === 'grpc' || (sends(type) && textOf(endpoint.body) !== '')
}

/** The text that such an endpoint sends, and the assertions on what comes back: something at least. */
export function answerFacts(
  endpoint: Fields,
  type: MonitorType,
  conditions: Conditions,
): Pick<MonitorFacts, 'send' | 'expected'> {
  const { met } = expectationsOf(type, conditions)
  if (type === 'grpc') return { expected: met }
  const isRead = met.some(({ assertions }) => assertions.some(({ source }) => OF_ANSWER.has(source)))
  const any = expected('[CONNECTED]', expect('answer', 'exists'))
  return { send: textOf(endpoint.body), expected: isRead ? met : [any, ...met] }
}

/** Conditions that no assertion about what comes back says. */
export function unfitOf(type: MonitorType, conditions: Conditions): string[] {
  return expectationsOf(type, conditions).unmet
}

const OF_ANSWER = new Set<Assertion['source']>(['answer', 'json'])

/** A body there is the answer here. */
function expectationsOf(
  type: MonitorType,
  { keyword, expected: all }: Conditions,
): { met: Expected[]; unmet: string[] } {
  const ofKeyword = keyword === null ? null : expect('answer', 'contains', { target: keyword })
  const read = all.map(({ words, assertions }) => ({
    words,
    assertions: assertions.map((one) =>
      one.source === 'body' ? { ...one, source: 'answer' as const } : one,
    ),
  }))
  const isKnown = ({ assertions }: Expected) =>
    assertions.every(({ source }) => answerOf(type).includes(source))
  return {
    met: [...(keyword === null ? [] : [expected(keyword, ofKeyword)]), ...read.filter(isKnown)],
    unmet: read.filter((one) => !isKnown(one)).map(({ words }) => words),
  }
}
