import {
  ENDURANCE_MS,
  MAX_KEPT_ANSWERS,
  MAX_RESULTS,
  type ProbeResult,
} from '../core/probing/remote-probe.ts'

/** As many as one process finds in the time for which they are kept. */
const MAX_KEPT = 165_000

/** A batch that keeps its numbers until it is known to be stored. */
export type ResultBatch = { first: number; results: ProbeResult[] }

/** A bounded queue of results that are not known to be stored, oldest first. */
export type KeptResults = {
  add(result: ProbeResult): void
  /** The next batch to send: the same one until it is settled. Null when none is left. */
  batch(nowMs: number): ResultBatch | null
  /** The batch is stored. */
  settle(): void
  /** The batch will never be stored. */
  discard(): void
  /** Numbers begin again at 1. */
  renumber(): void
  readonly size: number
  /** The number of results given up because there were too many, or they were too old. */
  readonly dropped: number
}

export function createKeptResults(mostKept = MAX_KEPT): KeptResults {
  let waiting: ProbeResult[] = []
  let current: ResultBatch | null = null
  let settled = 0
  let dropped = 0

  /** In mass trouble, and while the service is out of reach, the later failures go without their answers. */
  let answers = 0

  /** Removes the first ones. */
  function take(count: number): ProbeResult[] {
    const taken = waiting.slice(0, count)
    waiting = waiting.slice(count)
    answers -= taken.filter(hasAnswer).length
    return taken
  }

  function drop(count: number) {
    dropped += take(count).length
  }

  return {
    add(result) {
      waiting.push(answers < MAX_KEPT_ANSWERS ? result : withoutAnswer(result))
      if (hasAnswer(waiting.at(-1) as ProbeResult)) answers++
      // A part at once: the array is not copied for each result.
      if (waiting.length > mostKept) drop(Math.ceil(mostKept / 100))
    },
    batch(nowMs) {
      if (current) return current
      const oldestMs = nowMs - ENDURANCE_MS
      const fresh = waiting.findIndex(({ checked_at }) => checked_at.getTime() >= oldestMs)
      if (fresh !== 0 && waiting.length > 0) drop(fresh < 0 ? waiting.length : fresh)
      if (waiting.length === 0) return null
      current = { first: settled + 1, results: take(MAX_RESULTS) }
      return current
    },
    settle() {
      settled += current?.results.length ?? 0
      current = null
    },
    discard() {
      dropped += current?.results.length ?? 0
      current = null
    },
    renumber() {
      settled = 0
      if (current) current.first = 1
    },
    get size() {
      return waiting.length + (current?.results.length ?? 0)
    },
    get dropped() {
      return dropped
    },
  }
}

function hasAnswer({ result }: ProbeResult): boolean {
  return result.answer !== undefined
}

function withoutAnswer({ result: { answer, ...result }, ...rest }: ProbeResult): ProbeResult {
  return { ...rest, result }
}
