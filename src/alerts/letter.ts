import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome } from '../core/delivery.ts'
import type { Network } from '../net/network.ts'
import { openMail } from './email.ts'
import { mailHtml, mailText } from './mail.ts'
import type { MailSettings } from './smtp-options.ts'

/** A mail to a person about their account, in the clothes of an alert. */
export type Letter = { to: string; title: string; text: string; link: string }

export type SendLetter = (letter: Letter, signal: AbortSignal) => Promise<DeliveryOutcome>

/** Letters are not queued: who misses one asks for another. */
export function createLetters(network: Network, mail: MailSettings | null, now: () => Date): SendLetter {
  const send = openMail(network, mail, ATTEMPT_TIMEOUT_MS)
  return ({ to, title, text, link }, signal) => {
    const message = { title, text, lines: [], link, tone: 'neutral' as const }
    return send(
      (from) => ({
        from,
        to: { name: '', address: to },
        subject: title,
        date: now(),
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        xMailer: false,
        text: mailText(message),
        html: mailHtml(message),
      }),
      signal,
    )
  }
}
