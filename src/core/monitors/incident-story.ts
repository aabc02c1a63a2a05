import * as z from 'zod'
import { Delivery } from '../alerting/delivery-log.ts'
import { CheckDetail } from '../history/monitor-report.ts'
import { Holder } from '../on-call/acknowledgement.ts'
import { IncidentResponse, type ResponseEvent } from '../on-call/response.ts'
import { TopProcess } from '../servers/machine-report.ts'
import { type CheckStatus, passes } from './check.ts'
import { Incident } from './incident.ts'
import { IncidentKind } from './incidents/incident-kind.ts'
import { MonitorNotes } from './notes.ts'
import { IncidentHold } from './options/shown-dependencies.ts'
import { MonitorBrief } from './status.ts'

/** An incident in a list of all kinds. */
export const IncidentRow = Incident.extend({
  kind: IncidentKind,
  subject_id: z.int(),
  subject_name: z.string(),
  /** The condition of a server (`disk_space:/var`) or the area of a site; null for a monitor, which has one incident. */
  about: z.string().nullable(),
  /** A condition that is no outage. */
  warns_only: z.boolean(),
  /** Null if nobody has it, or once it is over. */
  acknowledgement: Holder.nullable(),
})
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
  response: IncidentResponse,
  hold: IncidentHold,
})
export type IncidentStory = z.infer<typeof IncidentStory>

/** The record of an incident of a server or a site: no checks are kept of those. */
export const SubjectIncidentStory = z.object({
  incident: IncidentRow,
  /** The processes of a server that used the most when it began. */
  processes: z.array(TopProcess),
  deliveries: z.array(Delivery),
  response: IncidentResponse,
  hold: IncidentHold,
})
export type SubjectIncidentStory = z.infer<typeof SubjectIncidentStory>

/** The part of a story that a timeline tells. */
export type ToldStory = Pick<IncidentStory, 'incident' | 'deliveries' | 'response'> &
  Partial<Pick<IncidentStory, 'checks' | 'checks_left_out'>>

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

/** A line of an incident's timeline. */
export type StoryEvent =
  | { kind: 'check'; at: string; check: CheckDetail }
  | { kind: 'opened'; at: string; cause: string | null }
  | { kind: 'told'; at: string; delivery: Delivery }
  | { kind: 'resolved'; at: string; seconds: number }
  | { kind: 'response'; at: string; event: ResponseEvent }
  | { kind: 'gap'; at: string; count: number }

/** The order of events at one instant: the check, its consequences, the alerts about it, and the checks after it. */
const ORDER: StoryEvent['kind'][] = ['check', 'opened', 'resolved', 'response', 'told', 'gap']

/** All events of an incident, in chronological order. */
export function eventsOf({
  incident,
  checks = [],
  checks_left_out = 0,
  deliveries,
  response,
}: ToldStory): StoryEvent[] {
  const events: StoryEvent[] = [
    ...checks.map((check) => ({ kind: 'check' as const, at: check.checked_at, check })),
    { kind: 'opened', at: incident.started_at, cause: incident.cause },
    ...deliveries.map((delivery) => ({ kind: 'told' as const, at: delivery.created_at, delivery })),
    ...response.events.map((event) => ({ kind: 'response' as const, at: event.at, event })),
  ]
  const { resolved_at: resolvedAt, duration_seconds: seconds } = incident
  if (resolvedAt !== null) events.push({ kind: 'resolved', at: resolvedAt, seconds: seconds ?? 0 })
  const gapAt = checks_left_out > 0 ? widestGap(incident, checks) : null
  if (gapAt !== null) events.push({ kind: 'gap', at: gapAt, count: checks_left_out })
  return events.sort((a, b) => compare(a.at, b.at) || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

/** Several checks that passed one after another: a line says as much as each of them. */
export type PassedChecks = { kind: 'passed'; at: string; checks: CheckDetail[] }

/** The events with the passing checks in a row as one. */
export function foldPassed(events: readonly StoryEvent[]): (StoryEvent | PassedChecks)[] {
  const told: (StoryEvent | PassedChecks)[] = []
  let run: Extract<StoryEvent, { kind: 'check' }>[] = []
  function endRun() {
    const [first] = run
    if (first && run.length > 1)
      told.push({ kind: 'passed', at: first.at, checks: run.map(({ check }) => check) })
    else told.push(...run)
    run = []
  }
  for (const event of events) {
    if (event.kind === 'check' && passes(event.check.status)) {
      run.push(event)
      continue
    }
    endRun()
    told.push(event)
  }
  endRun()
  return told
}

/** The names of the contacts that an outage or a warning was sent to, in the order in which it reached them. */
export function alertedContacts(deliveries: readonly AboutAlert[]): string[] {
  const sent = deliveries.filter(({ state, event }) => state === 'sent' && !isRecovery(event))
  return [...new Set(sent.map(({ contact_name: name }) => name))]
}

type AboutAlert = Pick<Delivery, 'contact_name' | 'event' | 'state'>

function isRecovery(event: Delivery['event']): boolean {
  return event.endsWith('.recovery')
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
