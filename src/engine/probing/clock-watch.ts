import type { ClockSample } from '../../core/probing/clock.ts'
import type { Clock } from './clock.ts'

/** A clock of this machine that is wrong by more than this is the operator's concern. */
const WRONG_CLOCK_MS = 1_000

/** Sets the clock by samples of the database's, and tells the operator when this machine's own goes wrong or right. */
export function createClockWatch(deps: {
  clock: Clock
  wallMs: () => number
  note: (message: string) => void
}): (sample: ClockSample) => void {
  const { clock, wallMs, note } = deps
  /** The lead of this machine's clock when the operator was last told. */
  let notedAheadMs = 0

  return (sample) => {
    clock.compare(sample)
    const aheadMs = wallMs() - clock.now().getTime()
    if (Math.abs(aheadMs - notedAheadMs) < WRONG_CLOCK_MS) return
    notedAheadMs = aheadMs
    note(
      Math.abs(aheadMs) < WRONG_CLOCK_MS
        ? "the clock of this machine agrees with the database's again"
        : `the clock of this machine is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ` +
            `${aheadMs > 0 ? 'ahead of' : 'behind'} the database's, which checks go by: set it right`,
    )
  }
}
