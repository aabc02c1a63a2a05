import type {
  MonitorReport,
  Percentiles,
  RegionLine,
  ReportPoint,
} from '../../core/history/monitor-report.ts'
import { type Stretch, withoutChecks } from '../../core/history/report-stretch.ts'
import { addCheck, emptyRollUp, latencyOf, mergeRollUp, type RollUp } from '../../core/history/roll-up.ts'
import { formatInstant } from '../../core/instant.ts'
import type { Database } from '../../postgres/database.ts'
import { readCheckPage } from '../../store/history/history.ts'
import type { RolledUp } from '../../store/history/roll-ups.ts'
import { readRolledUp } from '../../store/history/summaries.ts'

/** As many are read in a few hundredths of a second. A stretch that has more is made from roll-ups. */
const MAX_CHECKS = 20_000

/** The checks of a stretch, summed up by step and region, but none before `keptFrom`; the stretch comes back as it was made. */
export async function readStretch(
  db: Database,
  id: number,
  wanted: Stretch,
  keptFrom: Date | null,
  now: Date,
): Promise<{ stretch: Stretch; rolledUp: RolledUp[] }> {
  const stretch = wanted.unit === 'check' ? wanted : null
  if (stretch) {
    const rolledUp = await readChecks(db, id, stretch, keptFrom)
    if (rolledUp) return { stretch, rolledUp }
  }
  const coarse = stretch ? withoutChecks(stretch, now) : wanted
  const from = keptFrom && keptFrom > coarse.from ? keptFrom : coarse.from
  // The unit that begins at the end is not part of it.
  const to = new Date(coarse.to.getTime() - 1)
  if (coarse.unit === 'check' || from > to) return { stretch: coarse, rolledUp: [] }
  return { stretch: coarse, rolledUp: await readRolledUp(db, [id], coarse.unit, from, to) }
}

/** Null if there are too many. */
async function readChecks(
  db: Database,
  monitorId: number,
  { from, to, stepSeconds }: Stretch,
  keptFrom: Date | null,
): Promise<RolledUp[] | null> {
  const since = keptFrom && keptFrom > from ? keptFrom : from
  const { checks } = await readCheckPage(db.query, monitorId, { since, before: to, limit: MAX_CHECKS })
  if (checks.length >= MAX_CHECKS) return null
  const stepMs = stepSeconds * 1_000
  const steps = new Map<string, RolledUp>()
  for (const check of checks) {
    const at = new Date(Math.floor(check.checkedAt.getTime() / stepMs) * stepMs)
    const region = check.region ?? ''
    const key = `${at.getTime()} ${region}`
    const step = steps.get(key) ?? { monitorId, at, region, rollUp: emptyRollUp() }
    addCheck(step.rollUp, check)
    steps.set(key, step)
  }
  return [...steps.values()].filter(({ rollUp }) => countOf(rollUp) > 0)
}

/** Those that failed under maintenance alone leave nothing. */
function countOf({ up, degraded, down, pending }: RollUp): number {
  return up + degraded + down + pending
}

/** Lists the regions that checked; checks without a region belong to none. */
export function regionsOf(rolledUp: RolledUp[]): string[] {
  return [...new Set(rolledUp.map(({ region }) => region))].filter((region) => region !== '').sort()
}

export function latencyOfAll(rolledUp: RolledUp[]): MonitorReport['latency'] {
  const whole = emptyRollUp()
  for (const { rollUp } of rolledUp) mergeRollUp(whole, rollUp)
  const { mean } = latencyOf(whole)
  return { ...percentilesOf(whole), mean_ms: mean === null ? null : Math.round(mean * 10) / 10 }
}

/** Oldest first; steps without checks are left out. */
export function pointsOf(rolledUp: RolledUp[], stretch: Stretch): ReportPoint[] {
  return stepsOf(rolledUp, stretch).map(([at, rollUp]) => ({
    at: formatInstant(at),
    up: rollUp.up,
    degraded: rollUp.degraded,
    down: rollUp.down,
    pending: rollUp.pending,
    ...percentilesOf(rollUp),
  }))
}

export function regionLines(rolledUp: RolledUp[], stretch: Stretch): RegionLine[] {
  return regionsOf(rolledUp).map((region) => ({
    region,
    points: stepsOf(
      rolledUp.filter((one) => one.region === region),
      stretch,
    ).map(([at, rollUp]) => ({ at: formatInstant(at), p50_ms: percentilesOf(rollUp).p50_ms })),
  }))
}

function stepsOf(rolledUp: RolledUp[], { stepSeconds }: Stretch): [at: Date, rollUp: RollUp][] {
  const stepMs = stepSeconds * 1_000
  const steps = new Map<number, RollUp>()
  for (const { at, rollUp } of rolledUp) {
    const step = Math.floor(at.getTime() / stepMs) * stepMs
    const sum = steps.get(step) ?? emptyRollUp()
    mergeRollUp(sum, rollUp)
    steps.set(step, sum)
  }
  return [...steps].sort(([a], [b]) => a - b).map(([at, rollUp]) => [new Date(at), rollUp])
}

function percentilesOf(rollUp: RollUp): Percentiles {
  const { p50, p95, p99 } = latencyOf(rollUp)
  return {
    p50_ms: p50 && Math.round(p50),
    p95_ms: p95 && Math.round(p95),
    p99_ms: p99 && Math.round(p99),
  }
}
