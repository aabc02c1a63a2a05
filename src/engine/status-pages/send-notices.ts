import { type DeliveryOutcome, nextDelaySeconds } from '../../core/alerting/delivery.ts'
import { nextConfirmationSeconds } from '../../core/status-pages/subscribers/confirmation.ts'
import type { Notice } from '../../core/status-pages/subscribers/notice.ts'
import type { Database } from '../../postgres/database.ts'
import type { Loop } from '../../postgres/loop.ts'
import type { Claim } from '../../store/claims.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import {
  type ClaimedNotice,
  claimNotices,
  releaseNoticeClaims,
  renewNoticeClaims,
  secondsToNextNotice,
  settleNotice,
} from '../../store/status-pages/notice-queue.ts'
import { startClaimLoop } from '../alerting/claim-loop.ts'

/** Sends messages to subscribers of status pages, by the rules of alerts; a webhook that has not confirmed is left alone sooner. */
export function createNoticeLoop(deps: {
  db: Database
  vault: Vault
  siteUrl: string
  send: (notice: Notice, teamId: number, messageId: string, signal: AbortSignal) => Promise<DeliveryOutcome>
  /** This process, as the holder of claims. */
  holder: string
  now: () => Date
  random: () => number
  /** Called when an attempt has ended; tells whether another one is planned. */
  note: (id: number, type: Notice['type'], outcome: DeliveryOutcome, willRetry: boolean) => void
  onTrouble: (error: unknown) => void
  onRound?: () => void
}): Loop {
  const { db, vault, holder } = deps

  async function attempt(claimed: ClaimedNotice, signal: AbortSignal) {
    const outcome = claimed.isShown ? await send(claimed, signal) : takenOff()
    if (signal.aborted && outcome.kind !== 'sent') return
    const seconds = secondsToRetry(claimed, outcome)
    await settleNotice(db, holder, claimed, {
      state: outcome.kind === 'sent' ? 'sent' : seconds === null ? 'failed' : 'pending',
      nextDelaySeconds: seconds,
      detail: outcome.detail,
      refusesReceiver: outcome.kind === 'rejected' && outcome.refusesReceiver === true,
    })
    deps.note(claimed.id, claimed.type, outcome, seconds !== null)
  }

  async function send(claimed: ClaimedNotice, signal: AbortSignal): Promise<DeliveryOutcome> {
    try {
      return await deps.send(claimed.open(), claimed.teamId, claimed.messageId, signal)
    } catch (error) {
      // Usually a missing key: once the process starts again with the key, it finds the message.
      deps.onTrouble(error)
      return { kind: 'retry', statusCode: null, detail: 'internal error', retryAfterSeconds: null }
    }
  }

  /** Null when it is not tried again. */
  function secondsToRetry(
    { attempts, createdAt, isConfirmation }: ClaimedNotice,
    outcome: DeliveryOutcome,
  ): number | null {
    if (outcome.kind !== 'retry') return null
    const ageSeconds = (deps.now().getTime() - createdAt.getTime()) / 1_000
    const next = isConfirmation ? nextConfirmationSeconds : nextDelaySeconds
    return next(attempts + 1, ageSeconds, outcome.retryAfterSeconds, deps.random())
  }

  const rows = {
    claim: (claim: Omit<Claim, 'holder'>) => claimNotices(db, vault, deps.siteUrl, { ...claim, holder }),
    renew: (ids: number[], leaseSeconds: number) => renewNoticeClaims(db, holder, ids, leaseSeconds),
    release: (ids?: number[]) => releaseNoticeClaims(db, holder, ids),
    secondsToNext: () => secondsToNextNotice(db),
    attempt,
  }
  return startClaimLoop(rows, 'notices', deps.onTrouble, deps.onRound)
}

function takenOff(): DeliveryOutcome {
  return {
    kind: 'rejected',
    statusCode: null,
    detail: 'the page or the post was taken off before it was sent',
  }
}
