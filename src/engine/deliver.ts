import { type DeliveryOutcome, isTriedOnce, nextDelaySeconds } from '../core/delivery.ts'
import type { Database } from '../store/database.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  releaseClaims,
  renewClaims,
  secondsToNextDelivery,
  settleDelivery,
} from '../store/deliveries.ts'
import type { Vault } from '../store/vault.ts'
import { type ClaimLoop, startClaimLoop } from './claim-loop.ts'

const MAX_UNDER_WAY = 64

export type Send = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<DeliveryOutcome>

/** Sends what is due: claims rows, hands each to its channel, and writes the outcome. */
export function createDeliverer(deps: {
  db: Database
  vault: Vault
  send: Send
  /** This process, as the holder of claims. */
  holder: string
  now: () => Date
  random: () => number
  /** Hears how each attempt ended; `gave up`: it was to be tried again, and is not. */
  note?: (delivery: ClaimedDelivery, outcome: DeliveryOutcome['kind'] | 'gave up', tookMs: number) => void
  onTrouble: (error: unknown) => void
}): ClaimLoop {
  const { db, vault, holder, now } = deps

  async function attempt(delivery: ClaimedDelivery, signal: AbortSignal) {
    const attemptedAt = now()
    const outcome = await deps.send(delivery, signal)
    if (signal.aborted && outcome.kind !== 'sent') return
    const finishedAt = now()
    const durationMs = finishedAt.getTime() - attemptedAt.getTime()
    const nextDelaySeconds = secondsToRetry(delivery, outcome, finishedAt)
    const givesUp = outcome.kind === 'retry' && nextDelaySeconds === null
    deps.note?.(delivery, givesUp ? 'gave up' : outcome.kind, durationMs)
    await settleDelivery(db, holder, delivery, { outcome, attemptedAt, durationMs, nextDelaySeconds })
  }

  /** Null when it is not tried again. */
  function secondsToRetry(delivery: ClaimedDelivery, outcome: DeliveryOutcome, at: Date): number | null {
    if (outcome.kind !== 'retry' || isTriedOnce(delivery.alert.event)) return null
    const ageSeconds = (at.getTime() - delivery.createdAt.getTime()) / 1_000
    return nextDelaySeconds(delivery.attempts + 1, ageSeconds, outcome.retryAfterSeconds, deps.random())
  }

  const rows = {
    claim: (limit: number, leaseSeconds: number) =>
      claimDeliveries(db, vault, { holder, leaseSeconds, limit }),
    renew: (ids: number[], leaseSeconds: number) => renewClaims(db, holder, ids, leaseSeconds),
    release: () => releaseClaims(db, holder),
    secondsToNext: () => secondsToNextDelivery(db),
    attempt,
  }
  return startClaimLoop(rows, MAX_UNDER_WAY, deps.onTrouble)
}
