import type { Letter } from '../../core/accounts/letter.ts'
import { type DeliveryOutcome, nextDelaySeconds } from '../../core/alerting/delivery.ts'
import type { Loop } from '../../postgres/loop.ts'
import { type ClaimedLetter, openLetter, queuedLetters, settleLetter } from '../../store/accounts/letters.ts'
import type { Vault } from '../../store/sealing/vault.ts'
import { type MailQueue, type MailSender, startMailLoop } from './mail-loop.ts'

export type SendLetter = (letter: Letter, messageId: string, signal: AbortSignal) => Promise<DeliveryOutcome>

/** Sends letters that are due; a letter is deleted once it is sent or its link has expired. */
export function createLetterSender(
  deps: { vault: Vault; send: SendLetter; note: MailQueue<ClaimedLetter>['note'] } & MailSender,
): Loop {
  const { vault, now, note } = deps
  return startMailLoop(deps, {
    rows: queuedLetters,
    capacity: 'letters',
    whyUseless: ({ expiresAt }) => (expiresAt <= now() ? 'its link has expired' : null),
    send: (letter, signal) => deps.send(openLetter(vault, letter), letter.messageId, signal),
    /** Null when its link expires before another attempt. */
    nextDelay({ expiresAt }, ...timing) {
      const seconds = nextDelaySeconds(...timing)
      return seconds === null || now().getTime() + seconds * 1_000 >= expiresAt.getTime() ? null : seconds
    },
    settle: settleLetter,
    note,
  })
}
