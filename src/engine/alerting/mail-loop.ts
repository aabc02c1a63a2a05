import { type DeliveryOutcome, nextDelaySeconds } from '../../core/alerting/delivery.ts'
import type { SharedName } from '../../core/sharing/shared.ts'
import type { Database } from '../../postgres/database.ts'
import type { Loop, LoopReports } from '../../postgres/loop.ts'
import type { Claimable, Settlement } from '../../store/claims.ts'
import { startClaimLoop } from './claim-loop.ts'

/** A message that is no alert, and waits in a queue. */
export type QueuedMail = { id: number; teamId: number; messageId: string; attempts: number; createdAt: Date }

/** The parts of a process that sends mails. */
export type MailSender = {
  db: Database
  /** This process, as the holder of claims. */
  holder: string
  now: () => Date
  random: () => number
} & LoopReports

/** All that mails of one queue have of their own. */
export type MailQueue<Mail extends QueuedMail> = {
  rows: Claimable<Mail>
  capacity: SharedName
  /** Why it is of no use any more; null for one that is to be sent. */
  whyUseless?: (mail: Mail) => string | null
  /** Opens and sends it; throws if no key opens it. */
  send: (mail: Mail, signal: AbortSignal) => Promise<DeliveryOutcome>
  /** As `nextDelaySeconds` of alerts, which holds for those that have no rule of their own. */
  nextDelay?: (mail: Mail, ...timing: Parameters<typeof nextDelaySeconds>) => number | null
  settle: (
    db: Database,
    holder: string,
    mail: Mail,
    settled: Settlement & { detail: string; refusesReceiver: boolean },
  ) => Promise<void>
  /** Called when an attempt has ended; tells whether another one is planned. */
  note: (mail: Mail, outcome: DeliveryOutcome, willRetry: boolean) => void
}

/** Sends the mails of a queue, by the rules of alerts. */
export function startMailLoop<Mail extends QueuedMail>(sender: MailSender, queue: MailQueue<Mail>): Loop {
  const { db, holder, now, random, onTrouble } = sender

  async function attempt(mail: Mail, signal: AbortSignal) {
    const useless = queue.whyUseless?.(mail) ?? null
    const outcome = useless === null ? await send(mail, signal) : rejected(useless)
    if (signal.aborted && outcome.kind !== 'sent') return
    const seconds = secondsToRetry(mail, outcome)
    await queue.settle(db, holder, mail, {
      state: outcome.kind === 'sent' ? 'sent' : seconds === null ? 'failed' : 'pending',
      nextDelaySeconds: seconds,
      detail: outcome.detail,
      refusesReceiver: outcome.kind === 'rejected' && outcome.refusesReceiver === true,
    })
    queue.note(mail, outcome, seconds !== null)
  }

  async function send(mail: Mail, signal: AbortSignal): Promise<DeliveryOutcome> {
    try {
      return await queue.send(mail, signal)
    } catch (error) {
      // Usually a missing key: once the process starts again with the key, it finds the mail.
      onTrouble(error)
      return { kind: 'retry', statusCode: null, detail: 'internal error', retryAfterSeconds: null }
    }
  }

  /** Null when it is not tried again. */
  function secondsToRetry(mail: Mail, outcome: DeliveryOutcome): number | null {
    if (outcome.kind !== 'retry') return null
    const ageSeconds = (now().getTime() - mail.createdAt.getTime()) / 1_000
    const timing = [mail.attempts + 1, ageSeconds, outcome.retryAfterSeconds, random()] as const
    return queue.nextDelay ? queue.nextDelay(mail, ...timing) : nextDelaySeconds(...timing)
  }

  return startClaimLoop({ ...sender, rows: queue.rows, capacity: queue.capacity, attempt })
}

function rejected(detail: string): DeliveryOutcome {
  return { kind: 'rejected', statusCode: null, detail }
}
