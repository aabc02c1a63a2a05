import type { Overruns } from '../../store/probing/overruns.ts'

/** What goes on into the next turn is claimed so long before it, and given up when that is not done by then. */
const CLAIM_AHEAD_MS = 500
const CLAIMED_BY_MS = 100
/** A check takes at most its timeout and this, the recording not included. */
const MARGIN_MS = 5_000

/** A check that may still be under way when the turn of another region begins. */
export type Watched = {
  monitorId: number
  timeoutMs: number
  membership: number
  /** When the next turn begins. */
  turnMs: number
  giveUp: () => void
}

export type Watch = {
  /** The target is not looked at any more. */
  end(): void
}

/** Whether there is no time left to begin a check before the next turn. */
export function isTooLate(nowMs: number, turnMs: number): boolean {
  return turnMs - nowMs <= CLAIMED_BY_MS
}

/** Sees to it that a check which goes on into the next turn is known to be under way, or is under way no more. */
export function watchOverrun(
  { monitorId, timeoutMs, membership, turnMs, giveUp }: Watched,
  overruns: Overruns,
  nowMs: () => number,
  onTrouble: (error: unknown) => void,
): Watch {
  const longestMs = timeoutMs + MARGIN_MS
  let timer: NodeJS.Timeout | undefined
  let claimed = false
  let over = false
  const leftMs = (aheadMs: number) => Math.max(0, turnMs - aheadMs - nowMs())
  if (nowMs() + longestMs >= turnMs) timer = setTimeout(claim, leftMs(CLAIM_AHEAD_MS))

  async function claim() {
    timer = setTimeout(giveUp, leftMs(CLAIMED_BY_MS))
    try {
      claimed = await overruns.claim(monitorId, membership, longestMs)
    } catch (error) {
      onTrouble(error)
    }
    clearTimeout(timer)
    if (over) release()
    else if (!claimed) giveUp()
  }

  function release() {
    if (claimed) overruns.end(monitorId, membership).catch(onTrouble)
  }

  return {
    end() {
      over = true
      clearTimeout(timer)
      release()
    },
  }
}
