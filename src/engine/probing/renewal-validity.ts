/** How long after a renewal checks are begun: shorter than the lease, and than turns are known before they count. */
const VALID_MS = 3_000

/** How long checks may be begun after a renewal; all times are those of a clock that is never set. */
export type RenewalValidity = {
  readonly untilMs: number
  /** A renewal that was sent then has succeeded; `isAlone`: no other process could check the same monitors. */
  renew(sentMs: number, isAlone: boolean): void
  /** The membership has ended. */
  end(): void
  /** Called all the time: extends the validity where checks go on without a renewal, and returns whether it did. */
  extend(): boolean
}

/**
 * Without a renewal checks go on where no other process could make them, and besides for `enduresMs` after the last
 * one; unless this process itself stood still.
 */
export function createRenewalValidity(monotonicMs: () => number, enduresMs: number): RenewalValidity {
  let untilMs = 0
  let renewedMs = Number.NEGATIVE_INFINITY
  let wasAlone = false
  let aliveMs = monotonicMs()

  function forgetRenewal() {
    wasAlone = false
    renewedMs = Number.NEGATIVE_INFINITY
  }

  return {
    get untilMs() {
      return untilMs
    },
    renew(sentMs, isAlone) {
      renewedMs = sentMs
      untilMs = sentMs + VALID_MS
      wasAlone = isAlone
    },
    end() {
      untilMs = 0
      forgetRenewal()
    },
    extend() {
      const nowMs = monotonicMs()
      if (nowMs - aliveMs > VALID_MS) forgetRenewal()
      aliveMs = nowMs
      const goesOn = wasAlone || nowMs - renewedMs < enduresMs
      if (goesOn) untilMs = nowMs + VALID_MS
      return goesOn
    },
  }
}
