import type { Assertion } from '../../core/expectations/assertion.ts'
import { answerOf, type MonitorType } from '../../core/monitors/monitor-types.ts'
import type { MonitorFacts } from '../draft-monitor.ts'
import { type Expected, expect, expected } from '../expectations.ts'
import { type Fields, pairsOf, textOf } from '../fields.ts'
import type { Conditions } from './conditions.ts'

type Facts = Pick<MonitorFacts, 'request_headers' | 'request' | 'expected'>

/** An endpoint there sends its body, and wants a message in any case. */
export function webSocketFacts(endpoint: Fields, type: MonitorType, conditions: Conditions): Facts {
  const { met } = expectationsOf(type, conditions)
  const isRead = met.some(({ assertions }) => assertions.some(({ source }) => OF_MESSAGE.has(source)))
  const any = expected('[CONNECTED]', expect('answer', 'exists'))
  return {
    request_headers: pairsOf(endpoint.headers),
    request: { message: textOf(endpoint.body) },
    expected: isRead ? met : [any, ...met],
  }
}

/** Conditions that a message has no part for. */
export function unaskedOfMessage(type: MonitorType, conditions: Conditions): string[] {
  return expectationsOf(type, conditions).unmet
}

const OF_MESSAGE = new Set<Assertion['source']>(['answer', 'json'])

/** A body there is the message here. */
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
