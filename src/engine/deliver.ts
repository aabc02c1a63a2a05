import { setTimeout as delay } from 'node:timers/promises'
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

const MAX_UNDER_WAY = 64
const CLAIM_SECONDS = 6
const RENEW_MS = 2_000
const LONGEST_SLEEP_MS = 2_000
const TROUBLE_MS = 1_000

export type Send = (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<DeliveryOutcome>

export type Deliverer = {
  /** Something new may be due. */
  wake(): void
  /** Interrupts what is under way (it is tried again by whoever comes next) and stops. */
  close(): Promise<void>
}

/** Sends what is due: claims rows, hands each to its channel, and writes the outcome. The rows are the queue. */
export function createDeliverer(deps: {
  db: Database
  vault: Vault
  send: Send
  /** This process, as the holder of claims. */
  holder: string
  now: () => Date
  random: () => number
  onTrouble: (error: unknown) => void
}): Deliverer {
  const { db, vault, holder, now } = deps
  const stop = new AbortController()
  const underWay = new Map<number, Promise<void>>()
  let woken = false
  let wakeUp = () => {}

  async function deliverUntilStopped() {
    while (!stop.signal.aborted) {
      const sleepMs = await claimAndStart().catch((error) => {
        deps.onTrouble(error)
        return TROUBLE_MS
      })
      await sleep(sleepMs)
    }
  }

  /** Starts what is due; returns for how long there is nothing more to do, in milliseconds. */
  async function claimAndStart(): Promise<number> {
    const limit = MAX_UNDER_WAY - underWay.size
    if (limit <= 0) return LONGEST_SLEEP_MS
    const claimed = await claimDeliveries(db, vault, { holder, leaseSeconds: CLAIM_SECONDS, limit })
    for (const delivery of claimed) start(delivery)
    if (claimed.length > 0) return 0
    const seconds = await secondsToNextDelivery(db)
    return Math.min((seconds ?? Number.POSITIVE_INFINITY) * 1_000 + 1, LONGEST_SLEEP_MS)
  }

  function start(delivery: ClaimedDelivery) {
    const done = attempt(delivery)
      .catch(deps.onTrouble)
      .finally(() => {
        underWay.delete(delivery.id)
        wake()
      })
    underWay.set(delivery.id, done)
  }

  async function attempt(delivery: ClaimedDelivery) {
    const attemptedAt = now()
    const outcome = await deps.send(delivery, stop.signal)
    if (stop.signal.aborted && outcome.kind !== 'sent') return
    const finishedAt = now()
    await settleDelivery(db, holder, delivery, {
      outcome,
      attemptedAt,
      durationMs: finishedAt.getTime() - attemptedAt.getTime(),
      nextDelaySeconds:
        outcome.kind === 'retry' && !isTriedOnce(delivery.alert.event)
          ? nextDelaySeconds(
              delivery.attempts + 1,
              (finishedAt.getTime() - delivery.createdAt.getTime()) / 1_000,
              outcome.retryAfterSeconds,
              deps.random(),
            )
          : null,
    })
  }

  async function renewUntilStopped() {
    while (!stop.signal.aborted) {
      await delay(RENEW_MS, undefined, { signal: stop.signal }).catch(() => {})
      const ids = [...underWay.keys()]
      if (ids.length > 0) await renewClaims(db, holder, ids, CLAIM_SECONDS).catch(deps.onTrouble)
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

  /** Remembered when nobody sleeps just now, so that no news waits for the next turn. */
  function wake() {
    woken = true
    wakeUp()
  }

  const running = Promise.all([deliverUntilStopped(), renewUntilStopped()])
  return {
    wake,
    async close() {
      stop.abort()
      wake()
      await running
      await Promise.all(underWay.values())
      await releaseClaims(db, holder).catch(deps.onTrouble)
    },
  }
}
