import type { Maintenance } from '../../../src/core/maintenance/maintenance-at.ts'
import {
  DEFAULT_THRESHOLDS,
  type ThresholdChanges,
  thresholdsOf,
} from '../../../src/core/servers/condition.ts'
import type { Hosted } from '../../../src/core/servers/hosted.ts'
import type { Sample } from '../../../src/core/servers/series.ts'
import {
  judgeReport,
  judgeSilence,
  type ServerJudgement,
  type ServerStanding,
} from '../../../src/core/servers/verdict.ts'

export const START = Date.parse('2027-03-10T00:00:00Z')
const NO_WINDOW: Maintenance = { applies: false, endedAt: null }

/** A machine without trouble. */
export const CALM: Sample = {
  cpu_percent: 5,
  memory_total_bytes: 16e9,
  memory_available_bytes: 12e9,
  'file_system_size_bytes:/': 100e9,
  'file_system_used_percent:/': 40,
  'file_system_size_bytes:/var': 20e9,
  'file_system_used_percent:/var': 50,
}

/** News of a server: minute, event, condition and cause. */
export type Told = [minute: number, event: 'begins' | 'warns' | 'ends', condition: string, cause: string]

/** Judges one server as the recorder does: keeps its state, gives numbers to incidents, and notes what was told. */
export class JudgedServer {
  standing: ServerStanding = { status: 'pending', conditions: [], trends: null, lastReportAt: null }
  thresholds = DEFAULT_THRESHOLDS
  maintenance = NO_WINDOW
  cpus: number | null = 4
  failedUnits: string[] = []
  hosted: Hosted | null = null
  wantsTop = false
  readonly told: Told[] = []
  readonly startedAt: Date[] = []
  #incidents = 0

  constructor(changes: ThresholdChanges = {}) {
    this.set(changes)
  }

  set(changes: ThresholdChanges): void {
    this.thresholds = thresholdsOf(changes)
  }

  /** Covers the server by a window, until told otherwise. */
  cover(applies: boolean, endedAtMinute: number | null = null): void {
    this.maintenance = { applies, endedAt: endedAtMinute === null ? null : atMinute(endedAtMinute) }
  }

  report(minute: number, figures: Record<string, number | undefined> = {}): ServerStanding['status'] {
    const sample = Object.fromEntries(
      Object.entries({ ...CALM, ...figures }).filter(([, value]) => value !== undefined),
    ) as Sample
    const receivedAt = atMinute(minute)
    const { cpus, failedUnits, hosted } = this
    const report = { sample, cpus, receivedAt, failedUnits, hosted }
    this.#take(minute, judgeReport(this.standing, report, this.thresholds, this.maintenance))
    this.standing.lastReportAt = receivedAt
    return this.standing.status
  }

  silence(minute: number): ServerStanding['status'] {
    this.#take(minute, judgeSilence(this.standing, atMinute(minute), this.thresholds, this.maintenance))
    return this.standing.status
  }

  /** Reports every minute, from one up to, and without, another. */
  reports(
    from: number,
    to: number,
    figures: Record<string, number | undefined> = {},
  ): ServerStanding['status'] {
    for (let minute = from; minute < to; minute++) this.report(minute, figures)
    return this.standing.status
  }

  #take(minute: number, judgement: ServerJudgement): void {
    const { status, conditions, trends, begins, ends, wantsTop } = judgement
    for (const { condition, cause } of ends) this.told.push([minute, 'ends', keyOf(condition), cause])
    for (const { condition, cause, startedAt } of begins) {
      condition.incident_id = ++this.#incidents
      this.startedAt.push(startedAt)
      this.told.push([minute, condition.warns_only ? 'warns' : 'begins', keyOf(condition), cause])
    }
    // As the database keeps them.
    const stored = JSON.parse(JSON.stringify({ conditions, trends }))
    this.standing = { ...stored, status, lastReportAt: this.standing.lastReportAt }
    this.wantsTop = wantsTop
  }
}

function keyOf({ kind, part }: { kind: string; part: string | null }): string {
  return part === null ? kind : `${kind}:${part}`
}

export function atMinute(minute: number): Date {
  return new Date(START + minute * 60_000)
}
