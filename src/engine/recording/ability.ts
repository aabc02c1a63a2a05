/** From the first finding that cannot be recorded until the process says so, and gives such findings up. */
const UNABLE_AFTER_MS = 8_000
const TRIAL_EVERY_MS = 2_000
/** One that is unable again soon after a trial worked waits longer and longer before the next. */
const RELAPSE_MS = 600_000
const MAX_TRIAL_PAUSE_MS = 300_000
/** Findings that could not be recorded, the newest, which trials are made with. */
const MAX_SAMPLES = 3
/** This many findings that cannot be kept, and none besides, are no fault of theirs. */
const MIN_SPOILT = 3
/** A failure that is this old says nothing any more. */
const SPOILT_HOLDS_MS = 60_000

/** Why nothing is recorded at present. `isLasting`: trying the same again here cannot help, and others may be able to. */
export type RecordingTrouble = { why: string; isLasting: boolean }

/** How a recorder does. */
export type RecordingState = {
  /** Findings that wait to be written. */
  readonly waiting: number
  readonly trouble: RecordingTrouble | null
  /** See `Ability`. */
  readonly isDoubtful: boolean
}

/** How long a recorder bears failures; other values are for tests. */
export type Patience = { unableAfterMs?: number; trialEveryMs?: number }

export type Ability<Finding> = {
  /** Null while findings are recorded, or while failures are new. */
  readonly trouble: RecordingTrouble | null
  /** Whether findings are being kept, or given up, that a retry alone will not mend. */
  readonly isDoubtful: boolean
  /** Whether to keep a finding that could not be recorded for a lasting reason, and to try it again. */
  keeps(finding: Finding, why: string): boolean
  /** A batch was recorded; `isMended`: none of those that were kept is left. */
  recorded(isMended: boolean): void
  /** A batch waits for a trouble that passes. */
  delayed(why: string): void
  /** A finding cannot be kept because of its values. */
  spoilt(why: string): void
  close(): Promise<void>
}

/**
 * Whether a recorder is able to record, from how its batches end. One that is unable tries with findings that failed,
 * until `tryOut` resolves: the database then had the same statements, and took them back.
 */
export function createAbility<Finding>(deps: {
  tryOut: (finding: Finding) => Promise<void>
  monotonicMs: () => number
  /** Called at each change, with the reason or null. */
  onChange: (why: string | null) => void
  patience?: Patience | undefined
}): Ability<Finding> {
  const { tryOut, monotonicMs, onChange, patience = {} } = deps
  const { unableAfterMs = UNABLE_AFTER_MS, trialEveryMs = TRIAL_EVERY_MS } = patience
  /** Since when findings are kept; null while none is. */
  let keptSinceMs: number | null = null
  let unable: string | null = null
  let samples: Finding[] = []
  let delayed: { sinceMs: number; why: string } | null = null
  let spoilt: { sinceMs: number; lastMs: number; count: number; why: string } | null = null
  let pauseMs = trialEveryMs
  let ableSinceMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let trying: Promise<void> = Promise.resolve()
  let closed = false

  function becomeUnable(why: string) {
    unable = why
    const isRelapse = monotonicMs() - ableSinceMs < RELAPSE_MS
    pauseMs = isRelapse ? Math.min(pauseMs * 2, MAX_TRIAL_PAUSE_MS) : trialEveryMs
    onChange(why)
    planTrial()
  }

  function becomeAble() {
    unable = null
    keptSinceMs = null
    samples = []
    ableSinceMs = monotonicMs()
    onChange(null)
  }

  function planTrial() {
    if (closed) return
    timer = setTimeout(() => {
      trying = makeTrial()
    }, pauseMs)
  }

  async function makeTrial() {
    try {
      for (const sample of samples) await tryOut(sample)
      becomeAble()
    } catch {
      planTrial()
    }
  }

  return {
    get trouble() {
      if (unable !== null) return { why: unable, isLasting: true }
      const nowMs = monotonicMs()
      if (delayed && nowMs - delayed.sinceMs >= unableAfterMs) return { why: delayed.why, isLasting: false }
      const isNothingElse = spoilt !== null && spoilt.count >= MIN_SPOILT
      if (!spoilt || !isNothingElse || nowMs - spoilt.lastMs >= SPOILT_HOLDS_MS) return null
      return spoilt.lastMs - spoilt.sinceMs >= unableAfterMs ? { why: spoilt.why, isLasting: false } : null
    },
    get isDoubtful() {
      return unable !== null || keptSinceMs !== null
    },
    keeps(finding, why) {
      delayed = null
      samples = [finding, ...samples].slice(0, MAX_SAMPLES)
      if (unable !== null) return false
      const nowMs = monotonicMs()
      keptSinceMs ??= nowMs
      if (nowMs - keptSinceMs < unableAfterMs) return true
      becomeUnable(why)
      return false
    },
    recorded(isMended) {
      delayed = null
      spoilt = null
      if (unable !== null || !isMended) return
      keptSinceMs = null
      samples = []
    },
    delayed(why) {
      delayed = { sinceMs: delayed?.sinceMs ?? monotonicMs(), why }
    },
    spoilt(why) {
      delayed = null
      const nowMs = monotonicMs()
      const isStale = spoilt !== null && nowMs - spoilt.lastMs >= SPOILT_HOLDS_MS
      const before = isStale ? null : spoilt
      spoilt = { sinceMs: before?.sinceMs ?? nowMs, lastMs: nowMs, count: (before?.count ?? 0) + 1, why }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await trying
    },
  }
}
