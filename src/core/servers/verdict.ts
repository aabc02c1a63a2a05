import { formatInstant } from '../instant.ts'
import type { Maintenance } from '../maintenance/maintenance-at.ts'
import type { CheckStatus } from '../monitors/check.ts'
import {
  type Condition,
  changeOf,
  conditionKey,
  type Figure,
  isJudged,
  isNamed,
  isOfProcesses,
  levelsOf,
  readingsOf,
  type ThresholdKind,
  type Thresholds,
} from './condition.ts'
import {
  noReport,
  notMounted,
  reading,
  reportsAgain,
  THRESHOLD_CHANGED,
  THRESHOLD_SWITCHED_OFF,
} from './condition-causes.ts'
import { hoursUntilFull, type Trends, withReport } from './disk-trend.ts'
import type { Hosted } from './hosted.ts'
import { goneContainer, hostedReadings, isContainerGone } from './hosted-readings.ts'
import type { Counters, Machine, MachineReport } from './machine-report.ts'
import { mountsOf, type Sample, seriesKey } from './series.ts'

/** A machine that started again may say a longer uptime than fits, by the time that its report took. */
const STARTED_MARGIN_SECONDS = 30

/** The state of a server once it is locked. */
export type PlacedServer = {
  machine: Machine | null
  counters: Counters | null
  latest: Sample | null
  lastReportAt: Date | null
  /** Null once it is silent. */
  silentAt: Date | null
}

/**
 * `judge`: it is news. `replay`: it came before, so that it is fine and changes nothing. `other`: it is of another machine
 * with the same token, while the first one is heard from.
 */
export type ReportPlacement = 'judge' | 'replay' | 'other'

/**
 * The fate of a report. `unknown`: there is no such server, or it is paused. `busy`: too many wait for the database; as
 * with the one before, nothing was written.
 */
export type ReportFate = {
  kind: 'recorded' | Exclude<ReportPlacement, 'judge'> | 'unknown' | 'busy'
  /** Whether the next report is to name the processes that use the most. */
  wantsTop: boolean
}

/** Decides what becomes of a report. */
export function placeReport(report: MachineReport, before: PlacedServer, receivedAt: Date): ReportPlacement {
  const isHeard = before.silentAt !== null && receivedAt < before.silentAt
  if (isHeard && isOtherMachine(report, before, receivedAt)) return 'other'
  return isReplay(report, before, receivedAt) ? 'replay' : 'judge'
}

function isOtherMachine(
  { machine, counters }: MachineReport,
  before: PlacedServer,
  receivedAt: Date,
): boolean {
  const known = before.machine
  if (!known) return false
  if (machine.machine_id !== null && known.machine_id !== null) {
    if (machine.machine_id !== known.machine_id) return true
    // Copies of a disk share the id, but no start: what has been up for longer did not start since the last report.
    if (machine.boot_id === null || known.boot_id === null || machine.boot_id === known.boot_id) return false
    return (
      counters.clock === 'uptime' && counters.at > secondsSince(before, receivedAt) + STARTED_MARGIN_SECONDS
    )
  }
  return machine.host_name !== null && known.host_name !== null && machine.host_name !== known.host_name
}

function isReplay({ counters, gauges }: MachineReport, before: PlacedServer, receivedAt: Date): boolean {
  const known = before.counters
  if (!known || known.clock !== counters.clock || known.bootId !== counters.bootId) return false
  const isSameTime = isSame(counters.at, known.at)
  if (counters.clock === 'uptime') {
    // A container that started again keeps the boot id of its host.
    const hasStartedSince = counters.at <= secondsSince(before, receivedAt)
    return isSameTime || (counters.at < known.at && !hasStartedSince)
  }
  // Parts of one round come with one time: only what says nothing new came before.
  return (
    isSameTime &&
    Object.entries(counters.values).every(([key, value]) => isSame(value, known.values[key])) &&
    Object.entries(gauges).every(([key, value]) => isSame(value, before.latest?.[key]))
  )
}

function secondsSince({ lastReportAt }: PlacedServer, receivedAt: Date): number {
  return lastReportAt ? (receivedAt.getTime() - lastReportAt.getTime()) / 1_000 : Number.POSITIVE_INFINITY
}

/** As stored: to the millisecond. */
function isSame(value: number, known: number | undefined): boolean {
  return known !== undefined && Math.abs(value - known) < 0.001
}

/** A server's state before it is judged. */
export type ServerStanding = {
  status: CheckStatus
  conditions: Condition[]
  trends: Trends | null
  /** Null for a server that waits for its first report, which nothing is said about. */
  lastReportAt: Date | null
}

export type JudgedReport = {
  sample: Sample
  cpus: number | null
  receivedAt: Date
  failedUnits: string[]
  /** Containers and units as they are after this report. */
  hosted: Hosted | null
}

/**
 * The effect of a report or its absence. Each of `begins` opens an incident, whose ID belongs into that very object, which
 * is also one of `conditions`. Each of `ends` resolves one: first, because one key can be in both.
 */
export type ServerJudgement = {
  status: CheckStatus
  conditions: Condition[]
  trends: Trends | null
  begins: { condition: Condition; cause: string; startedAt: Date }[]
  ends: { condition: Condition; cause: string }[]
  /** Whether the next report is to name the processes that use the most. */
  wantsTop: boolean
}

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
  const ofHosted = report.hosted ? hostedReadings(report.hosted, thresholds, at) : []
  const all = [...readingsOf(sample, cpus, hours), ...ofHosted]
  const readings = new Map(all.map((value) => [conditionKey(value), value]))
  const mounts = mountsOf(sample)
  const isGone = ({ kind, part }: Condition) => {
    if (part === null || isNamed(kind)) return false
    if (kind === 'container_restarts') return isContainerGone(report.hosted, part)
    return mounts.size > 0 && !mounts.has(part)
  }
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
    const figure = before.phase !== 'beginning' && isGone(before) ? 'gone' : null
    if (value) judging.value(value, before, value.value, () => reading(value, report))
    else judging.value({ kind, part }, before, figure, () => gone(before))
  }
  for (const value of readings.values()) judging.value(value, null, value.value, () => reading(value, report))
  return judging.finish(standing.conditions, trends)
}

function gone({ kind, part }: Condition): string {
  return kind === 'container_restarts' ? goneContainer(String(part)) : notMounted(String(part))
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
    else judging.value({ kind, part }, condition, null, () => '')
  }
  if (is_on && isDue) judging.silence(before, () => noReport(silentMs))
  else if (before) judging.end(before, is_on ? THRESHOLD_CHANGED : THRESHOLD_SWITCHED_OFF)
  const judgement = judging.finish(standing.conditions, trends)
  return lastReportAt === null ? { ...judgement, status: standing.status } : judgement
}

/** Collects what becomes of each condition of a server, at one time. */
class Judging {
  readonly #at: Date
  readonly #thresholds: Thresholds
  readonly #maintenance: Maintenance
  readonly #conditions: Condition[] = []
  readonly #begins: ServerJudgement['begins'] = []
  readonly #ends: ServerJudgement['ends'] = []

  constructor(at: Date, thresholds: Thresholds, maintenance: Maintenance) {
    this.#at = at
    this.#thresholds = thresholds
    this.#maintenance = maintenance
  }

  /**
   * Judges the value of a threshold. Null is unknown, which neither begins nor ends anything. `words` are asked for only where
   * something begins or ends, which is seldom.
   */
  value(
    { kind, part }: { kind: ThresholdKind; part: string | null },
    before: Condition | null,
    figure: Figure | null,
    words: () => string,
  ): void {
    const { is_on } = this.#thresholds[kind]
    if (!isJudged(this.#thresholds, kind, part)) {
      if (before) this.end(before, is_on ? THRESHOLD_CHANGED : THRESHOLD_SWITCHED_OFF)
      return
    }
    const threshold = levelsOf(this.#thresholds, kind)
    const gapMs = this.#thresholds.silent.seconds * 1_000
    if (figure === null) {
      if (before && !isForgotten(before, this.#at.getTime() - gapMs)) this.#conditions.push(before)
      return
    }
    const asSet = before && this.#asSet(before)
    const { after, ended } = changeOf({
      ...{ kind, part, before: asSet, figure, threshold },
      ...{ at: this.#at, gapMs },
    })
    if (asSet && ended !== null) this.end(asSet, ended === 'changed' ? THRESHOLD_CHANGED : words())
    if (after) this.#keep(after, words)
  }

  /** Keeps the silence of a server, or begins it. */
  silence(before: Condition | null, words: () => string): void {
    const { warns_only } = this.#thresholds.silent
    const since = formatInstant(this.#at)
    const silent: Condition = {
      kind: 'silent',
      part: null,
      phase: 'on',
      since,
      incident_id: null,
      warns_only,
    }
    this.#keep(before ? this.#asSet(before) : silent, words)
  }

  end(condition: Condition, words: string): void {
    if (condition.incident_id !== null) this.#ends.push({ condition, cause: words })
  }

  /** The very list that there was, if all of it goes on, so that it need not be written. */
  finish(before: Condition[], trends: Trends | null): ServerJudgement {
    const goesOn =
      this.#begins.length === 0 &&
      before.length === this.#conditions.length &&
      before.every((condition, index) => condition === this.#conditions[index])
    const conditions = goesOn ? before : this.#conditions
    return {
      status: this.#status(),
      conditions,
      trends,
      begins: this.#begins,
      ends: this.#ends,
      wantsTop: conditions.some((condition) => condition.phase !== 'ending' && isOfProcesses(condition)),
    }
  }

  /** A condition that only warned and now counts, or the other way round, ends, so that it can begin as what it is. */
  #asSet(condition: Condition): Condition {
    const { warns_only } = this.#thresholds[condition.kind]
    if (warns_only === condition.warns_only) return condition
    this.end(condition, THRESHOLD_CHANGED)
    return { ...condition, warns_only, incident_id: null }
  }

  /** Outside of maintenance, a condition that is on and was not told begins. */
  #keep(condition: Condition, words: () => string): void {
    this.#conditions.push(condition)
    if (this.#maintenance.applies || condition.phase !== 'on' || condition.incident_id !== null) return
    const { endedAt } = this.#maintenance
    const wasHeld = endedAt !== null && condition.since < formatInstant(endedAt)
    this.#begins.push({ condition, cause: words(), startedAt: wasHeld ? endedAt : this.#at })
  }

  /** That of the worst condition. One that began under maintenance and ends without having been told does not count. */
  #status(): CheckStatus {
    const { applies } = this.#maintenance
    const begun = new Set(this.#begins.map(({ condition }) => condition))
    const counting = this.#conditions.filter(
      (condition) =>
        condition.phase !== 'beginning' &&
        (applies || condition.incident_id !== null || begun.has(condition)),
    )
    if (counting.length === 0) return 'up'
    if (counting.every(({ warns_only }) => warns_only)) return 'degraded'
    return applies ? 'maintenance' : 'down'
  }
}

/** Whether a gap has undone what had begun to begin. */
function isForgotten({ phase, seen_at }: Condition, sinceMs: number): boolean {
  return phase === 'beginning' && (seen_at === undefined || Date.parse(seen_at) < sinceMs)
}
