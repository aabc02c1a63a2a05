import { type AnswerPart, Assertions } from '../../expectations/assertion.ts'
import { phrase } from '../../language/phrase.ts'
import { said } from '../../language/said.ts'
import type { MonitorType } from '../monitor-types.ts'
import type { Option } from './option.ts'

const OF_HTTP: readonly AnswerPart[] = [
  'status_code',
  'header',
  'body',
  'json',
  'response_time_ms',
  'response_time_p95_ms',
  'certificate_days',
]
/** The parts of an answer that the checks of a type have. */
const SOURCES_OF: Partial<Record<MonitorType, readonly AnswerPart[]>> = { http: OF_HTTP, keyword: OF_HTTP }

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

/** Options of what an answer must be besides one that arrives. */
export const EXPECTATIONS = {
  assertions: {
    schema: Assertions,
    description:
      'Expectations of the answer, at most 20, in order. The first one of severity `down` that is not met fails the check, and says why; one of severity `degraded` warns.',
    group: 'expectations',
    label: phrase('Assertions'),
    hint: phrase('What the answer must be besides its status. Write texts without quotes.'),
    has: (type) => SOURCES_OF[type] !== undefined,
    default: null,
    sources: OF_HTTP,
    faults: (type, value) => sourceFaults(SOURCES_OF[type] ?? [], type, value),
  },
} as const satisfies Record<string, Option>
