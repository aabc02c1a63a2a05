import * as z from 'zod'
import { Delivery } from '../alerting/delivery-log.ts'
import { CheckDetail } from '../history/monitor-report.ts'
import { type CheckStatus, passes } from './check.ts'
import { Incident } from './incident.ts'
import { MonitorBrief } from './status.ts'

/** An incident as a line of a list. */
export const IncidentRow = Incident.extend({ monitor_id: z.int(), monitor_name: z.string() })
export type IncidentRow = z.infer<typeof IncidentRow>

/** All that happened in an incident: the checks from before it to after it, and who was told. */
export const IncidentStory = z.object({
  incident: Incident,
  monitor: MonitorBrief,
  /** Oldest first, bounded: the last ones before it, its first ones, its last ones, and the one that ended it. */
  checks: z.array(CheckDetail),
  /** How many checks of the incident are left out of `checks`. */
  checks_left_out: z.int(),
  /** Oldest first, each with its attempts. */
  deliveries: z.array(Delivery),
})
export type IncidentStory = z.infer<typeof IncidentStory>

export const IncidentState = z.enum(['open', 'resolved'])
export type IncidentState = z.infer<typeof IncidentState>

export const CHECKS_BEFORE = 5
export const FIRST_FAILURES = 20
export const LAST_CHECKS = 5

/**
 * Of the checks around an incident, oldest first, those that its story shows; and how many lie within it. What is
 * chosen of parts, chosen from again, is what would be chosen of the whole.
 */
export function storyChecks<Check extends { checkedAt: Date; status: CheckStatus }>(
  checks: Check[],
  { startedAt, resolvedAt }: { startedAt: Date; resolvedAt: Date | null },
): { shown: Check[]; shownWithin: number; countWithin: number } {
  const before = checks.filter(({ checkedAt }) => checkedAt < startedAt).slice(-CHECKS_BEFORE)
  const within = checks.filter(
    ({ checkedAt }) => checkedAt >= startedAt && (resolvedAt === null || checkedAt <= resolvedAt),
  )
  // Nothing passes in an incident but what ends it; one that a pause ended has no such check.
  const recovering = within.filter(({ status }) => passes(status)).slice(-1)
  const failing = within.filter(({ status }) => !passes(status))
  const first = failing.filter(({ status }) => status === 'down').slice(0, FIRST_FAILURES)
  const chosen = new Set([...first, ...failing.slice(-LAST_CHECKS), ...recovering])
  return {
    shown: [...before, ...within.filter((check) => chosen.has(check))],
    shownWithin: chosen.size,
    countWithin: within.length,
  }
}
