import { type SharedName, sizeOf } from '../../core/sharing/shared.ts'

/** Attempts that others ask for by rows, and this process claims. */
export type ClaimedAttempts = {
  /** Claims under this membership from now on; null claims nothing. */
  assign(membership: number | null): void
  /** There may be a new request. */
  wake(): void
  /** Cancels the attempts under way: those that asked do without. */
  close(): Promise<void>
}

/** The rows are the queue: it sleeps until it is woken, and claims the requests that no other process has claimed. */
export function createClaimedAttempts<Claimed>(deps: {
  /** `held`: the teams of the attempts under way. */
  claim: (membership: number, limit: number, held: number[]) => Promise<Claimed[]>
  teamOf: (claimed: Claimed) => number
  /** Tells the result unless the signal aborts. */
  attempt: (claimed: Claimed, membership: number, signal: AbortSignal) => Promise<void>
  /** Requests of others do not keep a process from checks of its own. */
  capacity: SharedName
  onTrouble: (error: unknown) => void
}): ClaimedAttempts {
  const stop = new AbortController()
  const underWay = new Map<Promise<void>, number>()
  const size = sizeOf(deps.capacity)
  let membership: number | null = null
  let claiming: Promise<void> | null = null
  let woken = false

  function wake() {
    woken = true
    claiming ??= claimAll()
      .catch(deps.onTrouble)
      .finally(() => {
        claiming = null
        // A call that came just when it was about to sleep is not lost.
        if (woken && mayClaim()) wake()
      })
  }

  function mayClaim(): boolean {
    return membership !== null && !stop.signal.aborted && underWay.size < size
  }

  async function claimAll() {
    while (woken && membership !== null && mayClaim()) {
      woken = false
      const under = membership
      const claimed = await deps.claim(under, size - underWay.size, [...underWay.values()])
      for (const one of claimed) start(one, under)
      if (claimed.length > 0) woken = true
    }
  }

  function start(claimed: Claimed, under: number) {
    const done = deps
      .attempt(claimed, under, stop.signal)
      .catch(deps.onTrouble)
      .finally(() => {
        underWay.delete(done)
        // There may be more of a team that had its share of the places.
        wake()
      })
    underWay.set(done, deps.teamOf(claimed))
  }

  return {
    assign(next) {
      membership = next
      if (woken) wake()
    },
    wake,
    async close() {
      stop.abort()
      await claiming
      await Promise.all(underWay.keys())
    },
  }
}
