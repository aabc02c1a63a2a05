import { slotsToMove } from '../../core/probing/slot.ts'
import { expectedDue, threadsFor, threadsFrom } from '../../core/probing/thread-count.ts'
import type { DueRate } from './due-rate.ts'
import { nextReport } from './thread-messages.ts'
import type { ThreadSet } from './thread-set.ts'
import type { ThreadShares } from './thread-shares.ts'

export type ThreadResizing = {
  /** How much of the schedule is loaded, from 0 to 1. */
  part: number
  /** The number of regions that share its checks at least. */
  regions: number
  /** How many threads the schedule needs. */
  wanted(): number
  /** Makes the threads as many as the schedule needs, in the background. */
  fit(): void
  /** The same, where they are too few. */
  growIfOutgrown(): void
  /** Runs the work now, or, while monitors are between two threads, once they have arrived; in order. */
  whenSettled(work: () => void): void
  /**
   * Runs the work while the number of threads stays the same: a thread that had to end would take with it that one of
   * its checks is to be made elsewhere. The next load resizes.
   */
  withoutResizing<T>(work: () => Promise<T>): Promise<T>
  close(): void
}

/** Changes the number of threads while they check: monitors change hands some slots at a time. */
export function createThreadResizing(deps: {
  cores: number
  threads: ThreadSet
  shares: ThreadShares
  rate: DueRate
  onTrouble: (error: unknown) => void
}): ThreadResizing {
  const { threads, shares, rate } = deps
  let running: Promise<void> | null = null
  let moving = false
  let waiting: (() => void)[] = []
  let heldBy = 0
  let closed = false

  function wanted(): number {
    const { part, regions } = resizing
    if (part === 1) return threadsFrom(shares.count, rate.perSecond() / regions, deps.cores)
    return Math.max(shares.count, threadsFor(expectedDue(rate, part) / regions, deps.cores))
  }

  function fit() {
    const count = wanted()
    if (count === shares.count || running || heldBy > 0 || closed) return
    running = resize(count)
      .finally(() => {
        running = null
      })
      .then(growIfOutgrown, deps.onTrouble)
  }

  function growIfOutgrown() {
    if (wanted() > shares.count) fit()
  }

  async function resize(count: number) {
    const added = threads.start(count - shares.count)
    // The others go on meanwhile: no check waits for the start of a thread.
    await Promise.all(added.map((thread) => nextReport(thread, 'ready')))
    shares.pin(rate.slots())
    threads.addSharing(added)
    shares.count = count
    for (let slots = nextToMove(); slots.length > 0 && !closed; slots = nextToMove()) await move(slots)
    threads.keep(count)
  }

  function nextToMove(): number[] {
    return slotsToMove(shares.pinnedElsewhere(), rate.monitorsOf)
  }

  /** Each thread gives up the monitors that another one is to check; only when all have does any take them over. */
  async function move(slots: number[]) {
    moving = true
    const reports = threads.sharing.map((thread, index) => {
      const report = nextReport(thread, 'released')
      thread.post({ kind: 'release', slots, index, count: shares.count })
      return report
    })
    const released = (await Promise.all(reports)).map((report) => report?.released)
    shares.unpin(slots)
    const moved = shares.load(
      [],
      released.flatMap((given) => given?.monitors ?? []),
      released.flatMap((given) => given?.nextChecks ?? []),
    )
    moving = false
    const works = waiting
    waiting = []
    for (const work of works) work()
    await moved
  }

  const resizing: ThreadResizing = {
    part: 1,
    regions: 1,
    wanted,
    fit,
    growIfOutgrown,
    whenSettled(work) {
      if (moving) waiting.push(work)
      else work()
    },
    async withoutResizing(work) {
      while (running !== null) await running
      heldBy++
      return work().finally(() => {
        heldBy--
      })
    },
    close() {
      closed = true
    },
  }
  return resizing
}
