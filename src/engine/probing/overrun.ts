import type { Overruns } from '../../store/probing/overruns.ts'

/** A check that goes on into the next turn is claimed this long before it, and given up when the claim is late. */
const CLAIM_AHEAD_MS = 500
const CLAIMED_BY_MS = 100
/** A check takes at most its timeout and this, the recording not included. */
const MARGIN_MS = 5_000

/** A check that may still be under way when the turn of another region begins. */
export type OverrunCheck = {
  monitorId: number
  timeoutMs: number
  membership: number
  /** When the next turn begins. */
  turnMs: number
  giveUp: () => void
}

export type OverrunGuard = {
  /** The check of the target is over; resolves once the other regions are told, or could not be. */
  end(): Promise<void>
}

/** Whether there is no time left to begin a check before the next turn. */
export function isTooLate(nowMs: number, turnMs: number): boolean {
  return turnMs - nowMs <= CLAIMED_BY_MS
}

/** Either tells other regions that a check goes on into the next turn, or gives the check up before that begins. */
export function guardOverrun(
  { monitorId, timeoutMs, membership, turnMs, giveUp }: OverrunCheck,
  overruns: Overruns,
  nowMs: () => number,
  onTrouble: (error: unknown) => void,
): OverrunGuard {
  const maxMs = timeoutMs + MARGIN_MS
  let timer: NodeJS.Timeout | undefined
  let claiming: Promise<boolean> | undefined
  let over = false
  const leftMs = (aheadMs: number) => Math.max(0, turnMs - aheadMs - nowMs())
  if (nowMs() + maxMs >= turnMs) timer = setTimeout(claim, leftMs(CLAIM_AHEAD_MS))

  async function claim() {
    timer = setTimeout(giveUp, leftMs(CLAIMED_BY_MS))
    claiming = overruns.claim(monitorId, membership, maxMs).catch((error) => {
      onTrouble(error)
      return false
    })
    const claimed = await claiming
    clearTimeout(timer)
    if (!over && !claimed) giveUp()
  }

  return {
    async end() {
      over = true
      clearTimeout(timer)
      if (await claiming) await overruns.end(monitorId, membership).catch(onTrouble)
    },
  }
}

/** Guards whose checks are over, while other regions are being told so: a process ends only then. */
export function createEndedGuards() {
  const telling = new Set<Promise<void>>()
  return {
    end(guard: OverrunGuard | null): void {
      if (guard === null) return
      const told = guard.end().finally(() => telling.delete(told))
      telling.add(told)
    },
    async told(): Promise<void> {
      await Promise.all(telling)
    },
  }
}
