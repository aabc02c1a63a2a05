import { getsPlace } from '../../core/sharing/share.ts'
import { type SharedName, sizeOf } from '../../core/sharing/shared.ts'
import type { Database } from '../../postgres/database.ts'
import { type Loop, type LoopReports, type Round, startLoop } from '../../postgres/loop.ts'
import type { Claimable } from '../../store/claims.ts'

const CLAIM_SECONDS = 6
const RENEW_MS = 2_000
const MAX_SLEEP_MS = 2_000
/** A row that is due and was not claimed waits for another one, such as an earlier alert of its monitor. */
const MIN_SLEEP_MS = 25
/** Rows may be due that their teams have no place for; an end of one wakes the loop before. */
const NO_PLACE_SLEEP_MS = 250

/**
 * Claims rows that are due and works on as many at once as the shared capacity has places. The rows are the queue. Its end
 * interrupts the work under way, which the next process tries again.
 */
export function startClaimLoop<Row extends { id: number; teamId: number }>(
  deps: {
    db: Database
    /** This process, as the holder of claims, which it renews while it works on a row. */
    holder: string
    rows: Claimable<Row>
    capacity: SharedName
    /** Does the work and writes what became of it; `signal` tells that the process stops. */
    attempt: (row: Row, signal: AbortSignal) => Promise<void>
  } & LoopReports,
): Loop {
  const { db, holder, rows, capacity, begins, onTrouble, onRound } = deps
  const stop = new AbortController()
  const underWay = new Map<number, { teamId: number; done: Promise<void> }>()
  /** Claiming alone is no success. */
  let hasAttemptFailed = false
  let mayBeDue = true

  async function work({ isWoken }: Round): Promise<number> {
    const isExpected = isWoken || mayBeDue
    mayBeDue = true
    const sleepMs = await claimAndStart(isExpected)
    mayBeDue = sleepMs < MAX_SLEEP_MS
    return sleepMs
  }

  /**
   * Starts the rows that are due; returns for how many milliseconds there is nothing more to do. Where none is expected a
   * look comes first: it writes nothing, and mostly there is nothing.
   */
  async function claimAndStart(isExpected: boolean): Promise<number> {
    const limit = sizeOf(capacity) - underWay.size
    if (limit <= 0) return MAX_SLEEP_MS
    if (!isExpected) {
      const idleMs = await msToNext()
      if (idleMs > 0) return Math.min(idleMs, MAX_SLEEP_MS)
    }
    const earlier = new Map(underWay)
    const held = [...underWay.values()].map(({ teamId }) => teamId)
    const claimed = await rows.claim(db, { holder, limit, leaseSeconds: CLAIM_SECONDS, held })
    for (const row of claimed) {
      const end = earlier.get(row.id)?.done
      if (end === undefined) start(row)
      else releaseAfter(row, end)
    }
    if (claimed.length > 0) return 0
    if (held.some((teamId) => !getsPlace(countOf(teamId, held), limit))) return NO_PLACE_SLEEP_MS
    // A row that is due and was not claimed is with another process at this moment.
    return Math.min(Math.max(await msToNext(), MIN_SLEEP_MS), MAX_SLEEP_MS)
  }

  /** 0 where a row is due. */
  async function msToNext(): Promise<number> {
    const seconds = (await rows.secondsToNext(db)) ?? Number.POSITIVE_INFINITY
    return seconds > 0 ? seconds * 1_000 + 1 : 0
  }

  function start(row: Row) {
    keepUnderWay(row, deps.attempt(row, stop.signal))
  }

  /**
   * A row is claimed again while it is under way: after a standstill that outlasted the first claim, or as the attempt has
   * just left it due. It is not begun twice; if there is more to do, the next claim finds it.
   */
  function releaseAfter(row: Row, end: Promise<void>) {
    keepUnderWay(
      row,
      end.then(() => rows.release(db, holder, [row.id])),
    )
  }

  function keepUnderWay({ id, teamId }: Row, work: Promise<void>) {
    const settled = work.then(
      () => {
        hasAttemptFailed = false
      },
      (error) => {
        hasAttemptFailed = true
        onTrouble(error)
      },
    )
    const done = settled.finally(() => {
      if (underWay.get(id)?.done === done) underWay.delete(id)
      working.wake()
    })
    underWay.set(id, { teamId, done })
  }

  async function renew(): Promise<number> {
    const ids = [...underWay.keys()]
    if (ids.length > 0) await rows.renew(db, holder, ids, CLAIM_SECONDS)
    return RENEW_MS
  }

  const working = startLoop({
    work,
    begins,
    onTrouble,
    onRound: () => hasAttemptFailed || onRound?.(),
  })
  const renewing = startLoop({ work: renew, onTrouble, troubleMs: RENEW_MS })
  return {
    wake: working.wake,
    async close() {
      stop.abort()
      await working.close()
      await Promise.all([...underWay.values()].map(({ done }) => done))
      await renewing.close()
      await rows.release(db, holder).catch(onTrouble)
    },
  }
}

function countOf(teamId: number, held: readonly number[]): number {
  return held.filter((one) => one === teamId).length
}
