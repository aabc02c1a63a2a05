import { type AnswerPart, Assertions } from '../../expectations/assertion.ts'
import { phrase } from '../../language/phrase.ts'
import { said } from '../../language/said.ts'
import { answerOf, type MonitorType, topicsOf } from '../monitor-types.ts'
import type { Option, OptionFault } from './option.ts'

const OF_A_MESSAGE: readonly AnswerPart[] = ['answer', 'json']

/** Refuses assertions about what a type does not have. */
export function sourceFaults(
  sources: readonly AnswerPart[],
  type: MonitorType,
  value: unknown,
): ReturnType<NonNullable<Option['faults']>> {
  return (Array.isArray(value) ? value : []).flatMap(({ source }, index) =>
    sources.includes(source)
      ? []
      : [
          {
            at: [index, 'source'],
            message: said('is nothing that a monitor of type {type} has, got {got}', { type, got: source }),
          },
        ],
  )
}

/** Refuses assertions about a message where none is waited for. */
function messageFaults(value: unknown): OptionFault[] {
  return (Array.isArray(value) ? value : []).flatMap(({ source }, index) =>
    OF_A_MESSAGE.includes(source)
      ? [{ at: [index, 'source'], message: said('reads a message, and needs `topic`') }]
      : [],
  )
}

/** Options of what an answer must be besides one that arrives. */
export const EXPECTATIONS = {
  assertions: {
    schema: Assertions,
    description:
      'Expectations of the answer, at most 20, in order. The first one of severity `down` that is not met fails the check, and says why; one of severity `degraded` warns.',
    group: 'expectations',
    label: phrase('Assertions'),
    hint: phrase('What the answer must be besides its status. Write texts without quotes.'),
    has: (type) => answerOf(type).length > 0,
    default: null,
    sources: answerOf,
    faults: (type, value) => sourceFaults(answerOf(type), type, value),
    clashes: (value, { type }, { topic }) =>
      topicsOf(type) !== null && typeof topic !== 'string' ? messageFaults(value) : [],
  },
} as const satisfies Record<string, Option>
