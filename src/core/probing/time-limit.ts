/*
 * Decides when an attempt has had its time, on a machine that may stand still meanwhile. All times are milliseconds of
 * a monotonic clock.
 */

/** Targets wait for us at least this long. After a longer stall they may have hung up, which we notice soon. */
const STALL_FORGIVEN_MS = 2_000

export type TimeSpent = {
  limitMs: number
  /** Since the attempt began. */
  elapsedMs: number
  /** The part in which this process did not listen, or did not wait for the target. */
  stalledMs: number
  /** The time by which the deadline was moved so far. */
  movedMs: number
}

/**
 * How far to move the deadline (again): by the time that this process did not listen, as far as the attempt lacks it,
 * and by no more than the limit in all. 0 when it is time to judge.
 */
export function moreTimeMs({ limitMs, elapsedMs, stalledMs, movedMs }: TimeSpent): number {
  const missedMs = limitMs - (elapsedMs - stalledMs)
  const grantableMs = Math.min(stalledMs, limitMs) - movedMs
  return Math.max(0, Math.min(missedMs, grantableMs))
}

/**
 * Whether we listened long enough, without an answer, to blame the target: for the whole limit. On a machine that is
 * always late, a target that has been silent since its last step for the limit is as good: an answer would have waited
 * for us, and would have been read by now.
 */
export function isSilenceHeard({ limitMs, elapsedMs, stalledMs }: TimeSpent, silentMs: number): boolean {
  return stalledMs <= limitMs || elapsedMs - stalledMs >= limitMs || silentMs >= limitMs
}

/** Whether a failure now may come from a stall of ours that lasted so long and ended so long ago. */
export function mayBeOvertaken(
  limitMs: number,
  { stallMs, agoMs }: { stallMs: number; agoMs: number },
): boolean {
  const forgivenMs = Math.min(limitMs, STALL_FORGIVEN_MS)
  return stallMs >= forgivenMs && agoMs <= forgivenMs
}

/** The longest that an attempt takes, where the machine does not stand still for longer than the limit. */
export function longestAttemptMs(limitMs: number): number {
  return 2 * limitMs
}
