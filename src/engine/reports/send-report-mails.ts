import { type DeliveryOutcome, nextDelaySeconds } from '../../core/alerting/delivery.ts'
import type { ReportMail } from '../../core/reports/recipient.ts'
import type { Database } from '../../postgres/database.ts'
import type { Loop } from '../../postgres/loop.ts'
import type { Claim } from '../../store/claims.ts'
import {
  type ClaimedReportMail,
  claimReportMails,
  releaseReportMailClaims,
  renewReportMailClaims,
  secondsToNextReportMail,
  settleReportMail,
} from '../../store/reports/mail-queue.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import { startClaimLoop } from '../alerting/claim-loop.ts'

export type SendReportMail = (
  mail: ReportMail,
  messageId: string,
  signal: AbortSignal,
) => Promise<DeliveryOutcome>

/** Sends monthly mails, by the rules of alerts. */
export function createReportMailLoop(deps: {
  db: Database
  vault: Vault
  send: SendReportMail
  /** This process, as the holder of claims. */
  holder: string
  now: () => Date
  random: () => number
  /** Called when an attempt has ended; tells whether another one is planned. */
  note: (id: number, outcome: DeliveryOutcome, willRetry: boolean) => void
  onTrouble: (error: unknown) => void
  onRound?: () => void
}): Loop {
  const { db, vault, holder } = deps

  async function attempt(claimed: ClaimedReportMail, signal: AbortSignal) {
    const outcome = await send(claimed, signal)
    if (signal.aborted && outcome.kind !== 'sent') return
    const seconds = secondsToRetry(claimed, outcome)
    await settleReportMail(db, holder, claimed, {
      state: outcome.kind === 'sent' ? 'sent' : seconds === null ? 'failed' : 'pending',
      nextDelaySeconds: seconds,
      detail: outcome.detail,
      refusesReceiver: outcome.kind === 'rejected' && outcome.refusesReceiver === true,
    })
    deps.note(claimed.id, outcome, seconds !== null)
  }

  async function send(claimed: ClaimedReportMail, signal: AbortSignal): Promise<DeliveryOutcome> {
    try {
      return await deps.send(claimed.open(), claimed.messageId, signal)
    } catch (error) {
      // Usually a missing key: once the process starts again with the key, it finds the mail.
      deps.onTrouble(error)
      return { kind: 'retry', statusCode: null, detail: 'internal error', retryAfterSeconds: null }
    }
  }

  /** Null when it is not tried again. */
  function secondsToRetry(
    { attempts, createdAt }: ClaimedReportMail,
    outcome: DeliveryOutcome,
  ): number | null {
    if (outcome.kind !== 'retry') return null
    const ageSeconds = (deps.now().getTime() - createdAt.getTime()) / 1_000
    return nextDelaySeconds(attempts + 1, ageSeconds, outcome.retryAfterSeconds, deps.random())
  }

  const rows = {
    claim: (claim: Omit<Claim, 'holder'>) => claimReportMails(db, vault, { ...claim, holder }),
    renew: (ids: number[], leaseSeconds: number) => renewReportMailClaims(db, holder, ids, leaseSeconds),
    release: (ids?: number[]) => releaseReportMailClaims(db, holder, ids),
    secondsToNext: () => secondsToNextReportMail(db),
    attempt,
  }
  return startClaimLoop(rows, 'reportMails', deps.onTrouble, deps.onRound)
}
