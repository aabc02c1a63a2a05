import { setTimeout as delay } from 'node:timers/promises'

const CLAIM_SECONDS = 6
const RENEW_MS = 2_000
const MAX_SLEEP_MS = 2_000
/** A row that is due and was not claimed waits for another one, such as an earlier alert of its monitor. */
const MIN_SLEEP_MS = 25
const TROUBLE_MS = 1_000

/** Rows that are work to do: one process at a time claims a row and renews the claim while it works on it. */
export type ClaimedRows<Row extends { id: number }> = {
  claim(limit: number, leaseSeconds: number): Promise<Row[]>
  renew(ids: number[], leaseSeconds: number): Promise<void>
  /** Gives up every claim of this process. */
  release(): Promise<void>
  /** Seconds until there is something to claim, null when nothing is waiting. */
  secondsToNext(): Promise<number | null>
  /** Does the work and writes what became of it; `signal` tells that the process stops. */
  attempt(row: Row, signal: AbortSignal): Promise<void>
}

export type ClaimLoop = {
  /** Something new may be due. */
  wake(): void
  /** Interrupts the work under way, which the next process tries again, and stops. */
  close(): Promise<void>
}

/** Claims rows that are due and works on up to `maxUnderWay` of them at once. The rows are the queue. */
export function startClaimLoop<Row extends { id: number }>(
  rows: ClaimedRows<Row>,
  maxUnderWay: number,
  onTrouble: (error: unknown) => void,
): ClaimLoop {
  const stop = new AbortController()
  const underWay = new Map<number, Promise<void>>()
  let woken = false
  let wakeUp = () => {}

  async function workUntilStopped() {
    while (!stop.signal.aborted) {
      const sleepMs = await claimAndStart().catch((error) => {
        onTrouble(error)
        return TROUBLE_MS
      })
      await sleep(sleepMs)
    }
  }

  /** Starts the rows that are due; returns for how many milliseconds there is nothing more to do. */
  async function claimAndStart(): Promise<number> {
    const limit = maxUnderWay - underWay.size
    if (limit <= 0) return MAX_SLEEP_MS
    const claimed = await rows.claim(limit, CLAIM_SECONDS)
    // After a standstill that outlasted its claims, rows under way here are claimed again: they are not begun twice.
    for (const row of claimed) if (!underWay.has(row.id)) start(row)
    if (claimed.length > 0) return 0
    const seconds = await rows.secondsToNext()
    // A row that is due and was not claimed is with another process at this moment.
    const sleepMs = (seconds ?? Number.POSITIVE_INFINITY) * 1_000 + 1
    return Math.min(Math.max(sleepMs, MIN_SLEEP_MS), MAX_SLEEP_MS)
  }

  function start(row: Row) {
    const done = rows
      .attempt(row, stop.signal)
      .catch(onTrouble)
      .finally(() => {
        underWay.delete(row.id)
        wake()
      })
    underWay.set(row.id, done)
  }

  async function renewUntilStopped() {
    while (!stop.signal.aborted) {
      await delay(RENEW_MS, undefined, { signal: stop.signal }).catch(() => {})
      const ids = [...underWay.keys()]
      if (ids.length > 0) await rows.renew(ids, CLAIM_SECONDS).catch(onTrouble)
    }
  }

  function sleep(ms: number): Promise<void> {
    if (ms <= 0 || woken || stop.signal.aborted) {
      woken = false
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const awake = () => {
        clearTimeout(timer)
        woken = false
        wakeUp = () => {}
        resolve()
      }
      const timer = setTimeout(awake, ms)
      wakeUp = awake
    })
  }

  /** Remembered when the loop is not asleep, so that no news waits for the next turn. */
  function wake() {
    woken = true
    wakeUp()
  }

  const running = Promise.all([workUntilStopped(), renewUntilStopped()])
  return {
    wake,
    async close() {
      stop.abort()
      wake()
      await running
      await Promise.all(underWay.values())
      await rows.release().catch(onTrouble)
    },
  }
}
