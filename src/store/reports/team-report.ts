import { DAY_MS, nextWhole, startOfDay } from '../../core/history/history-span.ts'
import { emptyRollUp, type Latency, latencyOf, mergeRollUp, type RollUp } from '../../core/history/roll-up.ts'
import { type KnownTimes, noTime, type TimeSpan } from '../../core/history/uptime.ts'
import { formatInstant } from '../../core/instant.ts'
import { SUBJECT_KINDS } from '../../core/maintenance/window.ts'
import { barsOf, type DayRange } from '../../core/reports/calendar-days.ts'
import { spanOf } from '../../core/reports/range.ts'
import { MAX_REPORT_LINES, type ReportSubjects, type TeamReport } from '../../core/reports/report.ts'
import { lineOf, noIncidents, type SubjectFacts, totalsOf, worstFirst } from '../../core/reports/summary.ts'
import type { Database } from '../../postgres/database.ts'
import { readRolledUp } from '../history/summaries.ts'
import { findTeam } from '../teams/teams.ts'
import { readIncidentSums } from './incident-sums.ts'
import { countReportedSubjects, type ReportedSubject, readReportedSubjects, resolveTags } from './subjects.ts'
import { readTimesOfSpans } from './times.ts'

/** Monitors whose response times are in memory at once. */
const MONITORS_AT_ONCE = 250

export type ReportWish = {
  teamId: number
  subjects: ReportSubjects
  range: DayRange
  timeZone: string
  /** At most so many lines; more than a page shows have no bars. */
  lines: number
  now: Date
}

/** Everything that a report says, of all its subjects in one go: roll-ups are summed up by the database. */
export async function readTeamReport(db: Database, wish: ReportWish): Promise<TeamReport> {
  const { teamId, range, timeZone, now } = wish
  const span = spanOf(range, timeZone)
  const chosen = await resolveTags(db.query, teamId, wish.subjects)
  const [team, subjects, count] = await Promise.all([
    findTeam(db.query, teamId),
    readReportedSubjects(db.query, teamId, chosen),
    countReportedSubjects(db.query, teamId, chosen),
  ])
  const facts = await readFacts(db, teamId, subjects, span, now)
  facts.sort(worstFirst)
  const shown = facts.slice(0, wish.lines)
  const bars = wish.lines <= MAX_REPORT_LINES ? barsOf(range) : []
  const spans = bars.map((bar) => spanOf(bar, timeZone))
  const [times, latency] = await Promise.all([
    readBars(db, shown, spans, now),
    readLatency(db, shown, { fromMs: span.fromMs, toMs: Math.min(span.toMs, now.getTime()) }),
  ])
  return {
    team: team?.name ?? '',
    time_zone: timeZone,
    ...range,
    made_at: formatInstant(now),
    is_running: span.toMs > now.getTime(),
    bars,
    totals: totalsOf(facts),
    subjects: count,
    lines: shown.map((one) =>
      lineOf(one, one.kind === 'monitor' ? (latency.get(one.id) ?? null) : null, times.get(one) ?? []),
    ),
  }
}

async function readFacts(
  db: Database,
  teamId: number,
  subjects: ReportedSubject[],
  span: TimeSpan,
  now: Date,
): Promise<SubjectFacts[]> {
  const facts: SubjectFacts[] = []
  for (const kind of SUBJECT_KINDS) {
    const these = subjects.filter((one) => one.kind === kind)
    const ids = these.map(({ id }) => id)
    const [times, incidents] = await Promise.all([
      readTimesOfSpans(db, kind, ids, [span], now),
      readIncidentSums(db, kind, teamId, ids, span, now),
    ])
    for (const { id, name, createdAt } of these) {
      const beganMs = Math.max(span.fromMs, createdAt.getTime())
      facts.push({
        ...{ kind, id, name },
        times: times.get(id)?.[0] ?? noTime(),
        existedMs: Math.max(0, Math.min(span.toMs, now.getTime()) - beganMs),
        incidents: incidents.get(id) ?? noIncidents(),
      })
    }
  }
  return facts
}

async function readBars(
  db: Database,
  shown: readonly SubjectFacts[],
  spans: TimeSpan[],
  now: Date,
): Promise<Map<SubjectFacts, KnownTimes[]>> {
  const bars = new Map<SubjectFacts, KnownTimes[]>()
  for (const kind of SUBJECT_KINDS) {
    const these = shown.filter((one) => one.kind === kind)
    const times = await readTimesOfSpans(
      db,
      kind,
      these.map(({ id }) => id),
      spans,
      now,
    )
    for (const one of these) bars.set(one, times.get(one.id) ?? [])
  }
  return bars
}

/** Response times of monitors in a span; whole days of UTC from the roll-ups of days. */
async function readLatency(
  db: Database,
  shown: readonly SubjectFacts[],
  { fromMs, toMs }: TimeSpan,
): Promise<Map<number, Latency>> {
  const ids = shown.filter(({ kind }) => kind === 'monitor').map(({ id }) => id)
  const wholeMs = Math.min(nextWhole(new Date(fromMs), DAY_MS).getTime(), toMs)
  const partMs = Math.max(startOfDay(new Date(toMs)).getTime(), wholeMs)
  const latency = new Map<number, Latency>()
  for (let first = 0; first < ids.length; first += MONITORS_AT_ONCE) {
    const some = ids.slice(first, first + MONITORS_AT_ONCE)
    const sums = new Map<number, RollUp>(some.map((id) => [id, emptyRollUp()]))
    const parts = [
      { unit: 'hour', fromMs, toMs: wholeMs },
      { unit: 'day', fromMs: wholeMs, toMs: partMs },
      { unit: 'hour', fromMs: partMs, toMs },
    ] as const
    for (const part of parts) {
      if (part.fromMs >= part.toMs) continue
      // Read up to the unit that holds the end: the millisecond before it.
      const rolledUp = await readRolledUp(db, some, part.unit, new Date(part.fromMs), new Date(part.toMs - 1))
      for (const { monitorId, rollUp } of rolledUp) mergeRollUp(sums.get(monitorId) as RollUp, rollUp)
    }
    for (const [id, sum] of sums) latency.set(id, latencyOf(sum))
  }
  return latency
}
