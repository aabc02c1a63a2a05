import * as z from 'zod'
import { Delivery } from '../alerting/delivery-log.ts'
import { CheckDetail } from '../history/monitor-report.ts'
import { type CheckStatus, passes } from './check.ts'
import { Incident } from './incident.ts'
import { MonitorNotes } from './notes.ts'
import { MonitorBrief } from './status.ts'

/** An incident in a list. */
export const IncidentRow = Incident.extend({ monitor_id: z.int(), monitor_name: z.string() })
export type IncidentRow = z.infer<typeof IncidentRow>

/** The full record of an incident: the checks from before to after it, and the alerts it caused. */
export const IncidentStory = z.object({
  incident: Incident,
  monitor: MonitorBrief,
  notes: MonitorNotes,
  /**
   * Oldest first, limited to the last ones before the incident, its first and last ones, and the one that ended it.
   */
  checks: z.array(CheckDetail),
  /** Number of the incident's checks that `checks` omits. */
  checks_left_out: z.int(),
  /** Oldest first, with all attempts. */
  deliveries: z.array(Delivery),
})
export type IncidentStory = z.infer<typeof IncidentStory>

export const IncidentState = z.enum(['open', 'resolved'])
export type IncidentState = z.infer<typeof IncidentState>

export const CHECKS_BEFORE = 5
export const FIRST_FAILURES = 20
export const LAST_CHECKS = 5

/**
 * Selects the checks that an incident's story shows from those around it, oldest first, and counts those
 * within it. Selecting from selections of parts gives the same result as selecting from the whole.
 */
export function storyChecks<Check extends { checkedAt: Date; status: CheckStatus }>(
  checks: Check[],
  { startedAt, resolvedAt }: { startedAt: Date; resolvedAt: Date | null },
): { shown: Check[]; shownWithin: number; countWithin: number } {
  const before = checks.filter(({ checkedAt }) => checkedAt < startedAt).slice(-CHECKS_BEFORE)
  const within = checks.filter(
    ({ checkedAt }) => checkedAt >= startedAt && (resolvedAt === null || checkedAt <= resolvedAt),
  )
  // Only the check that ends an incident passes. An incident that a pause ended has none.
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
