import { Refusal } from '../../core/errors.ts'
import { type Said, said } from '../../core/language/said.ts'
import { scheduleFault } from '../../core/monitors/heartbeats/job-schedule.ts'
import {
  type MonitorOptions,
  mergeOptions,
  type SentOptions,
} from '../../core/monitors/options/monitor-options.ts'
import { withStoredSecrets } from '../../core/monitors/options/secret-options.ts'
import type { Services } from '../services.ts'
import { refuseUnusableTls } from './tls-options.ts'

const UNREADABLE = {
  property: (words: string) => said('must be a JSONPath of RFC 9535 ({words})', { words }),
  target: (words: string) => said('must be a pattern of RE2 ({words})', { words }),
} satisfies Record<string, (words: string) => Said>

/**
 * Refuses options that their schema cannot judge: schedules, assertions and certificates, each by the parser that will read
 * it, which is loaded for the first of them.
 */
export async function refuseUnreadableOptions(
  { now }: Pick<Services, 'now'>,
  sent: SentOptions | null | undefined,
  stored: MonitorOptions | null,
): Promise<void> {
  if (!sent) return
  refuseSchedule(sent, stored, now())
  await refuseUnreadableAssertions(sent)
  refuseUnusableTls(withStoredSecrets(sent, stored).options)
}

/** Judged in the zone that it will have. */
function refuseSchedule(sent: SentOptions, stored: MonitorOptions | null, now: Date): void {
  const { schedule, timezone } = mergeOptions(stored, sent) ?? {}
  if (schedule === undefined || (schedule === stored?.schedule && timezone === stored.timezone)) return
  const fault = scheduleFault(schedule, timezone, now)
  if (fault) throw Refusal.invalid({ 'options.schedule': [fault] })
}

/** Refuses assertions whose path or pattern is none, in the words of its parser, which is loaded for the first of them. */
async function refuseUnreadableAssertions(options: SentOptions): Promise<void> {
  const steps = (options.steps ?? []).map((step, index) => ({ step, at: `options.steps.${index}` }))
  const lists = [
    ...(['assertions', 'body_assertions'] as const).map((name) => ({
      list: options[name],
      at: `options.${name}`,
    })),
    ...steps.map(({ step, at }) => ({ list: step.assertions, at: `${at}.assertions` })),
  ].flatMap(({ list, at }) => (list ?? []).map((assertion, index) => ({ assertion, at: `${at}.${index}` })))
  const captures = steps.flatMap(({ step, at }) =>
    Object.entries(step.captures ?? {}).map(([name, capture]) => ({ capture, at: `${at}.captures.${name}` })),
  )
  if (lists.length === 0 && captures.length === 0) return
  const { syntaxFault, wantedFault } = await import('../../core/expectations/evaluate.ts')
  const faults: Record<string, Said[]> = {}
  for (const { assertion, at } of lists) {
    const fault = syntaxFault(assertion)
    if (fault) faults[`${at}.${fault.at}`] = [UNREADABLE[fault.at](fault.words)]
  }
  for (const { capture, at } of captures) {
    const fault = wantedFault(capture)
    if (fault === null) continue
    const unreadable = UNREADABLE[capture.source === 'json' ? 'property' : 'target']
    faults[`${at}.property`] = [
      fault.words === null ? said('must be a pattern with one group') : unreadable(fault.words),
    ]
  }
  if (Object.keys(faults).length > 0) throw Refusal.invalid(faults)
}
