import type { Letter } from '../../core/accounts/letter.ts'
import { type DeliveryOutcome, nextDelaySeconds } from '../../core/alerting/delivery.ts'
import type { Database } from '../../postgres/database.ts'
import type { Loop } from '../../postgres/loop.ts'
import {
  type ClaimedLetter,
  claimLetters,
  deleteLetter,
  openLetter,
  postponeLetter,
  releaseLetterClaims,
  renewLetterClaims,
  secondsToNextLetter,
} from '../../store/accounts/letters.ts'
import type { Claim } from '../../store/claims.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import { startClaimLoop } from './claim-loop.ts'

export type SendLetter = (letter: Letter, messageId: string, signal: AbortSignal) => Promise<DeliveryOutcome>

/** Sends letters that are due, by the rules of alerts; a letter is deleted once it is sent or its link has expired. */
export function createLetterSender(deps: {
  db: Database
  vault: Vault
  send: SendLetter
  /** This process, as the holder of claims. */
  holder: string
  now: () => Date
  random: () => number
  /** Called when an attempt has ended; tells whether another one is planned. */
  note: (id: number, outcome: DeliveryOutcome, willRetry: boolean) => void
  onTrouble: (error: unknown) => void
  onRound?: () => void
}): Loop {
  const { db, vault, holder, now } = deps

  async function attempt(claimed: ClaimedLetter, signal: AbortSignal) {
    const outcome = claimed.expiresAt <= now() ? tooLate() : await send(claimed, signal)
    if (signal.aborted && outcome.kind !== 'sent') return
    const seconds = secondsToRetry(claimed, outcome)
    if (seconds === null) await deleteLetter(db, holder, claimed.id)
    else await postponeLetter(db, holder, claimed.id, seconds)
    deps.note(claimed.id, outcome, seconds !== null)
  }

  async function send(claimed: ClaimedLetter, signal: AbortSignal): Promise<DeliveryOutcome> {
    try {
      return await deps.send(openLetter(vault, claimed), claimed.messageId, signal)
    } catch (error) {
      // Usually a missing key: once the process starts again with the key, it finds the letter.
      deps.onTrouble(error)
      return { kind: 'retry', statusCode: null, detail: 'internal error', retryAfterSeconds: null }
    }
  }

  /** Null when its link expires before another attempt. */
  function secondsToRetry(claimed: ClaimedLetter, outcome: DeliveryOutcome): number | null {
    if (outcome.kind !== 'retry') return null
    const { attempts, createdAt, expiresAt } = claimed
    const nowMs = now().getTime()
    const ageSeconds = (nowMs - createdAt.getTime()) / 1_000
    const seconds = nextDelaySeconds(attempts + 1, ageSeconds, outcome.retryAfterSeconds, deps.random())
    return seconds === null || nowMs + seconds * 1_000 >= expiresAt.getTime() ? null : seconds
  }

  const rows = {
    claim: (claim: Omit<Claim, 'holder'>) => claimLetters(db, { ...claim, holder }),
    renew: (ids: number[], leaseSeconds: number) => renewLetterClaims(db, holder, ids, leaseSeconds),
    release: (ids?: number[]) => releaseLetterClaims(db, holder, ids),
    secondsToNext: () => secondsToNextLetter(db),
    attempt,
  }
  return startClaimLoop(rows, 'letters', deps.onTrouble, deps.onRound)
}

function tooLate(): DeliveryOutcome {
  return { kind: 'rejected', statusCode: null, detail: 'its link has expired' }
}
