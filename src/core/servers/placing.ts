import type { Counters, Machine, MachineReport } from './machine-report.ts'
import type { Sample } from './series.ts'

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
