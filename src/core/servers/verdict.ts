import type { Maintenance } from '../maintenance/maintenance-at.ts'
import type { CheckStatus } from '../monitors/check.ts'
import { type Condition, conditionKey } from './condition.ts'
import { hoursUntilFull, type Trends, withReport } from './disk-trend.ts'
import {
  noReport,
  notMounted,
  reading,
  reportsAgain,
  THRESHOLD_CHANGED,
  THRESHOLD_SWITCHED_OFF,
} from './judging/cause.ts'
import { Judging, type ServerJudgement } from './judging/judging.ts'
import { mountsOf, readingsOf } from './judging/threshold-value.ts'
import { type Sample, seriesKey } from './series.ts'
import type { Thresholds } from './threshold.ts'

export type { ServerJudgement }

/** A server's state before it is judged. */
export type ServerStanding = {
  status: CheckStatus
  conditions: Condition[]
  trends: Trends | null
  /** Null for a server that waits for its first report, which nothing is said about. */
  lastReportAt: Date | null
}

export type JudgedReport = { sample: Sample; cpus: number | null; receivedAt: Date; failedUnits: string[] }

/** Judges a report, which ends any silence. */
export function judgeReport(
  standing: ServerStanding,
  report: JudgedReport,
  thresholds: Thresholds,
  maintenance: Maintenance,
): ServerJudgement {
  const { sample, cpus, receivedAt: at } = report
  const trends = withReport(standing.trends, sample, at)
  const hours = (mount: string) =>
    hoursUntilFull(trends, mount, sample[seriesKey('file_system_used_percent', mount)])
  const readings = new Map(readingsOf(sample, cpus, hours).map((value) => [conditionKey(value), value]))
  const mounts = mountsOf(sample)
  const judging = new Judging(at, thresholds, maintenance)

  for (const before of standing.conditions) {
    const { kind, part } = before
    if (kind === 'silent') {
      const lastMs = standing.lastReportAt?.getTime() ?? Date.parse(before.since)
      judging.end(before, reportsAgain(Math.max(0, at.getTime() - lastMs)))
      continue
    }
    const value = readings.get(conditionKey(before))
    readings.delete(conditionKey(before))
    const isGone = before.phase !== 'beginning' && part !== null && mounts.size > 0 && !mounts.has(part)
    if (value) judging.value(value, before, value.value, reading(value, report))
    else judging.value({ kind, part }, before, isGone ? 'gone' : null, notMounted(String(part)))
  }
  for (const value of readings.values()) judging.value(value, null, value.value, reading(value, report))
  return judging.finish(standing.conditions, trends)
}

/**
 * Judges that no report came until `at`. It does nothing twice, and nothing before it is time; so it also judges a server
 * anew whose thresholds or windows have changed.
 */
export function judgeSilence(
  standing: ServerStanding,
  at: Date,
  thresholds: Thresholds,
  maintenance: Maintenance,
): ServerJudgement {
  const { lastReportAt, conditions, trends } = standing
  const { is_on, seconds } = thresholds.silent
  const silentMs = lastReportAt === null ? 0 : at.getTime() - lastReportAt.getTime()
  const isDue = lastReportAt !== null && silentMs >= seconds * 1_000
  const judging = new Judging(at, thresholds, maintenance)

  let before: Condition | null = null
  for (const condition of conditions) {
    const { kind, part } = condition
    if (kind === 'silent') before = condition
    else judging.value({ kind, part }, condition, null, '')
  }
  if (is_on && isDue) judging.silence(before, noReport(silentMs))
  else if (before) judging.end(before, is_on ? THRESHOLD_CHANGED : THRESHOLD_SWITCHED_OFF)
  const judgement = judging.finish(standing.conditions, trends)
  return lastReportAt === null ? { ...judgement, status: standing.status } : judgement
}
