import type { Escalations } from './escalations/truth.ts'
import type { Reports } from './servers/truth.ts'
import type { Sites } from './sites/truth.ts'
import type { Span } from './spans.ts'
import type { Applied, Change, Promised } from './windows/truth.ts'

/** The logs of a run, one for each side. Times are milliseconds since 1970. */
export type Evidence = {
  intervalMs: number
  /** How long it may take until somebody else does the work of whoever is gone. */
  takeoverMs: number
  /** How long a check may take. */
  longestCheckMs: number
  /** The slack that a busy machine may add to any wait. */
  slackMs: number
  /** When the run was ready, and when it ended. */
  fromMs: number
  toMs: number
  /** When each target, job and condition of a server failed: the truth. */
  outages: Outage[]
  /** The requests and answers of each target, by its own log. */
  answers: Answer[]
  /** The checks that were judged. */
  checks: Check[]
  /** Every check of a target that is on record, judged or not. */
  recorded: RecordedCheck[]
  /** When in its interval each target is due. */
  phases: { monitor: number; phaseMs: number }[]
  /** When processes that probe came or went, whatever the cause. */
  takeovers: Span[]
  incidents: Incident[]
  deliveries: Delivery[]
  /** The steps of incidents of monitors, and what came of them. */
  escalations: Escalations
  /** The messages that reached the receiver, by its own log. */
  received: Received[]
  /** When nobody could check: no database, or nobody who probes. */
  blind: Span[]
  /** When somebody who probes could not reach the targets: failures are true from there. */
  unreachable: Span[]
  /** When no ping and no report could arrive. */
  unheard: Span[]
  /** Everything that jobs said, and from whom silence is a failure. */
  pings: Ping[]
  jobs: { monitors: number[]; intervalMs: number }
  /** Everything that servers reported, and what was kept of it. */
  reports: Reports
  /** Everything that crawlers were told, and what became of it. */
  sites: Sites
  /** When those who look at sites were gone or on their way back, or the database was. */
  blindToSites: Span[]
  /** When maintenance windows applied: the truth, by the clock of the database. */
  applied: Applied[]
  changes: Change[]
  promised: Promised[]
  /** While these lasted, and for a takeover after, two may have done the same. */
  faults: Span[]
  /** When the machine was too busy for the targets or the database to answer within a second. */
  standstills: Span[]
}

/**
 * `noticedAfterMs`: how long a failure lasts at least before anybody can know of it; an interval unless told. `mayEndMs`: when its end was
 * sent first; the service may know of it, though no answer said so until `toMs`.
 */
export type Outage = Span & {
  monitor: number
  noticedAfterMs?: number
  mayEndMs?: number
  condition?: string
}
export type Answer = { monitor: number; atMs: number; status: 'up' | 'down' }
/** `atMs`: when it began; `committedMs`: when it was on record, which all that it goes by had happened before. */
export type RecordedCheck = {
  monitor: number
  atMs: number
  status: string
  region: string | null
  committedMs: number
}
/** `turn`: the order in which those of one monitor were judged. */
export type Check = RecordedCheck & { turn: number }
/** Each condition of a server has its own, below zero, and each area of a site; their numbers take the place of a monitor's. */
export type Incident = {
  id: number
  monitor: number
  condition?: string
  startedMs: number
  resolvedMs: number | null
}
/** A word of a job, from its sending to the answer. */
export type Ping = { monitor: number; sentMs: number; doneMs: number; isFailure: boolean; isTaken: boolean }
export type Delivery = {
  messageId: string
  incident: number
  monitor: number
  event: string
  state: string
  attempts: number
}
export type Received = { messageId: string; monitor: number; event: string; body: string; atMs: number }

/** In the order of their times. */
export function byMonitor<T extends { monitor: number; atMs: number }>(all: T[]): Map<number, T[]> {
  return Map.groupBy(
    all.toSorted((a, b) => a.atMs - b.atMs),
    ({ monitor }) => monitor,
  )
}

export function describe(evidence: Evidence, { fromMs, toMs }: Span): string {
  return `from ${at(evidence, fromMs)} on for ${seconds(toMs - fromMs)}`
}

/** Since the run was ready, as its report counts. */
export function at({ fromMs }: Evidence, ms: number): string {
  return seconds(ms - fromMs)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}
