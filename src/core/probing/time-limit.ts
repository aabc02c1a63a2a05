/*
 * When an attempt has had its time, on a machine that may stand still while it waits. All times are milliseconds on a
 * clock that nobody sets.
 */

/** Others wait for us for so long at least. Behind a longer stall they may have hung up, which we hear soon. */
const STALL_FORGIVEN_MS = 2_000

export type TimeSpent = {
  limitMs: number
  /** Since the attempt began. */
  elapsedMs: number
  /** Of that, how long this process did not listen, or waited for what is not the target's. */
  stalledMs: number
  /** By how much the deadline was moved so far. */
  movedMs: number
}

/**
 * By how much the deadline is to be moved (again): by what this process did not listen, as far as it misses that, and
 * by no more than the limit in all. 0 when it is time to judge.
 */
export function moreTimeMs({ limitMs, elapsedMs, stalledMs, movedMs }: TimeSpent): number {
  const missedMs = limitMs - (elapsedMs - stalledMs)
  const grantableMs = Math.min(stalledMs, limitMs) - movedMs
  return Math.max(0, Math.min(missedMs, grantableMs))
}

/**
 * Whether an attempt without an answer has been listened to for long enough to blame the target: for the whole limit.
 * Where the machine is always late, that the target left its last step alone for the limit is as good: what it says
 * waits for us, and has been read by now.
 */
export function isSilenceHeard({ limitMs, elapsedMs, stalledMs }: TimeSpent, silentMs: number): boolean {
  return stalledMs <= limitMs || elapsedMs - stalledMs >= limitMs || silentMs >= limitMs
}

/** Whether what fails now may fail because we stood still for so long, until so long ago. */
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
