import type { Latency } from '../history/roll-up.ts'
import { addTimes, type KnownTimes, knownMs, noTime, uptimeOf } from '../history/uptime.ts'
import type { ReportLine, ReportTotals } from './report.ts'

/** Incidents of a subject in a range. Sums and counts, so that those of many subjects add up. */
export type IncidentSums = {
  incidents: number
  /** The part that lies in the range. */
  seconds: number
  longestSeconds: number
  /** Those that began in the range and had an alert delivered. */
  noticed: number
  noticeSeconds: number
  /** Those that ended in the range, with all of their duration. */
  recovered: number
  recoverSeconds: number
}

/** Times and incidents of a subject in a range. */
export type SubjectFacts = Pick<ReportLine, 'kind' | 'id' | 'name'> & {
  times: KnownTimes
  /** How much of the range it existed for. */
  existedMs: number
  incidents: IncidentSums
}

export function noIncidents(): IncidentSums {
  return {
    incidents: 0,
    seconds: 0,
    longestSeconds: 0,
    noticed: 0,
    noticeSeconds: 0,
    recovered: 0,
    recoverSeconds: 0,
  }
}

export function lineOf(
  facts: SubjectFacts,
  latency: Latency | null,
  bars: readonly KnownTimes[],
): ReportLine {
  const { kind, id, name } = facts
  return {
    ...{ kind, id, name },
    ...figuresOf(facts),
    p50_ms: rounded(latency?.p50),
    p95_ms: rounded(latency?.p95),
    p99_ms: rounded(latency?.p99),
    bars: bars.map(uptimeOf),
  }
}

/** The totals of all subjects as one: each second of each counts the same. */
export function totalsOf(all: readonly SubjectFacts[]): ReportTotals {
  const times = noTime()
  const incidents = noIncidents()
  let existedMs = 0
  for (const one of all) {
    addTimes(times, one.times)
    existedMs += one.existedMs
    const { longestSeconds, ...sums } = one.incidents
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) incidents[key] += sums[key]
    incidents.longestSeconds = Math.max(incidents.longestSeconds, longestSeconds)
  }
  return figuresOf({ times, existedMs, incidents })
}

/** The lowest uptime first, then the most time down; those of which nothing was judged come last. */
export function worstFirst(one: SubjectFacts, other: SubjectFacts): number {
  const [a, b] = [uptimeOf(one.times) ?? 2, uptimeOf(other.times) ?? 2]
  return (
    a - b ||
    other.times.downMs - one.times.downMs ||
    other.incidents.incidents - one.incidents.incidents ||
    one.name.localeCompare(other.name, 'en') ||
    one.id - other.id
  )
}

function figuresOf({ times, existedMs, incidents }: Pick<SubjectFacts, 'times' | 'existedMs' | 'incidents'>) {
  return {
    uptime: uptimeOf(times),
    // A second that was begun is said: with none, the uptime is 100 %.
    down_seconds: Math.ceil(times.downMs / 1_000),
    maintenance_seconds: Math.round(times.maintenanceMs / 1_000),
    unknown_seconds: Math.round(Math.max(0, existedMs - knownMs(times)) / 1_000),
    incidents: incidents.incidents,
    incident_seconds: Math.round(incidents.seconds),
    longest_seconds: incidents.incidents === 0 ? null : Math.round(incidents.longestSeconds),
    notice_seconds: mean(incidents.noticeSeconds, incidents.noticed),
    recover_seconds: mean(incidents.recoverSeconds, incidents.recovered),
  }
}

function mean(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round(sum / count)
}

/** One decimal below 10 ms, where a whole millisecond is much. */
function rounded(ms: number | null | undefined): number | null {
  if (ms === null || ms === undefined) return null
  return ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)
}
