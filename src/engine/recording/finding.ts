import type { Assertion } from '../../core/expectations/assertion.ts'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { MonitorPatience } from '../../core/monitors/options/patience.ts'
import type { PingRow } from '../../store/monitors/recording.ts'
import type { Tick } from '../../store/probing/remote-probes.ts'

/** News of a monitor: from a probe, from a ping, or from its silence. */
export type Finding = {
  monitorId: number
  /** The settings it was found with; null for a ping, which any settings judge. */
  revision: number | null
  checkedAt: Date
  region: string | null
  /** Null when there is nothing to judge (a job that says it starts). */
  result: CheckResult | null
  /** `word`: of a person, or a program, about a manual monitor. `end`: a window ended after the last report in it, which was a failure. */
  heartbeat: 'ping' | 'silence' | 'word' | 'end' | null
  ping: PingRow | null
  /** The membership of the prober that found it; the finding counts while that lives. */
  membership?: number | null
  /** How many failures and passes count; one of each, unless told. A heartbeat's is read with it. */
  patience?: MonitorPatience
  /** All assertions of its monitor, where one of them is about several checks: that one is judged by the checks on record. */
  assertions?: readonly Assertion[] | undefined
  /** The tick that a remote probe checked for: its finding may come late, more than once, and without need. */
  tick?: RemoteTick
  /** A group that is to be judged by the states of its members; there is no result to give. */
  isGroup?: true
  /** It may wait so long for others to share its transaction: a check that is up as before, or a ping. */
  waitsMs?: number
  /** Asked once the monitor's state is locked, however long that took; false makes the finding stale. */
  stillTrue?: () => boolean
}

/** `hasTurn` and `askedAtMs` as `surplus` of core takes them. */
export type RemoteTick = Omit<Tick, 'monitorId'> & { hasTurn: boolean; askedAtMs: number }

/**
 * `stale`: the monitor was changed, paused or deleted meanwhile, the deadline has moved, or another prober has taken
 * the monitor over; nothing was written. `surplus`: nothing was written of what a remote probe had no reason to check,
 * as `why` says.
 */
export type Recorded = {
  kind: 'recorded' | 'stale' | 'surplus'
  heartbeatDueAt: Date | null
  why?: string
  /** A failure that was not the last of its attempts: a further one is to be made. */
  isAttempt?: boolean
}

export type Recorder = {
  /** Resolves once the finding and all that follows from it are durable. */
  record(finding: Finding): Promise<Recorded>
  /** Writes what is waiting and stops. */
  close(): Promise<void>
}
