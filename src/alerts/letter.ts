import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome } from '../core/delivery.ts'
import type { Letter } from '../core/letter.ts'
import type { Network } from '../net/network.ts'
import { openMail } from './email.ts'
import { mailHtml, mailText, messageIdOf } from './mail.ts'
import type { MailSettings } from './smtp-options.ts'

/** Mails a letter, in the clothes of an alert, once; `id` names it over all attempts. Expected failure is data. */
export function createLetterMail(
  network: Network,
  mail: MailSettings | null,
  siteUrl: string,
  now: () => Date,
): (letter: Letter, id: string, signal: AbortSignal) => Promise<DeliveryOutcome> {
  const send = openMail(network, mail, ATTEMPT_TIMEOUT_MS)
  return ({ to, title, text, link }, id, signal) => {
    const message = { title, text, lines: [], link, tone: 'neutral' as const }
    return send(
      (from) => ({
        from,
        to: { name: '', address: to },
        subject: title,
        messageId: messageIdOf(id, from, siteUrl),
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
