import type { Delivery } from '../../../src/core/alerting/delivery-log.ts'
import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import type { IncidentStory } from '../../../src/core/monitors/incident-story.ts'

export type StoryEvent =
  | { kind: 'check'; at: string; check: CheckDetail }
  | { kind: 'opened'; at: string; cause: string | null }
  | { kind: 'told'; at: string; delivery: Delivery }
  | { kind: 'resolved'; at: string; seconds: number }
  | { kind: 'gap'; at: string; count: number }

/** The order of events at one instant: the check, its consequences, the alerts about it. */
const ORDER: StoryEvent['kind'][] = ['check', 'gap', 'opened', 'resolved', 'told']

/** All events of an incident, in chronological order. */
export function eventsOf({ incident, checks, checks_left_out, deliveries }: IncidentStory): StoryEvent[] {
  const events: StoryEvent[] = [
    ...checks.map((check) => ({ kind: 'check' as const, at: check.checked_at, check })),
    { kind: 'opened', at: incident.started_at, cause: incident.cause },
    ...deliveries.map((delivery) => ({ kind: 'told' as const, at: delivery.created_at, delivery })),
  ]
  const { resolved_at: resolvedAt, duration_seconds: seconds } = incident
  if (resolvedAt !== null) events.push({ kind: 'resolved', at: resolvedAt, seconds: seconds ?? 0 })
  const gapAt = checks_left_out > 0 ? widestGap(incident, checks) : null
  if (gapAt !== null) events.push({ kind: 'gap', at: gapAt, count: checks_left_out })
  return events.sort((a, b) => compare(a.at, b.at) || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

/** Checks come at even intervals: those left out were where two checks of the incident are farthest apart. */
function widestGap(incident: IncidentStory['incident'], checks: CheckDetail[]): string | null {
  const during = checks.filter(({ checked_at }) => checked_at >= incident.started_at)
  let widest = -1
  let after: string | null = during[0]?.checked_at ?? null
  during.slice(1).forEach(({ checked_at }, index) => {
    const before = during[index]?.checked_at ?? checked_at
    const apart = Date.parse(checked_at) - Date.parse(before)
    if (apart <= widest) return
    widest = apart
    after = before
  })
  return after
}

/** Times have one shape, so that their order is that of their text. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
