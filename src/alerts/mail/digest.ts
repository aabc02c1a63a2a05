import { type Alert, headline } from '../../core/alerting/alert.ts'
import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome } from '../../core/alerting/delivery.ts'
import { ALERTS_PER_HOUR } from '../../core/alerting/mailbox.ts'
import type { Network } from '../../net/network.ts'
import { openMail } from '../email.ts'
import { type Message, oneLine, readableUtc } from '../text/message.ts'
import { mailHeaders, mailHtml, mailText, subjectOf } from './mail.ts'
import type { MailSettings } from './smtp-options.ts'

/** Further alerts are counted; the delivery log lists them. */
const MAX_LINES = 1_000

/** The content of one mail. `messageId` identifies it across attempts. */
export type MailedDigest = { messageId: string; address: string; alerts: Alert[] }

/** Mails alerts that were too many to send one by one to an address. Expected failures are data. */
export function createDigestMail(
  network: Network,
  mail: MailSettings | null,
  siteUrl: string,
  now: () => Date,
): (digest: MailedDigest, signal: AbortSignal) => Promise<DeliveryOutcome> {
  const send = openMail(network, mail, ATTEMPT_TIMEOUT_MS)
  return async ({ messageId, address, alerts }, signal) => {
    const message = composeDigest(alerts, siteUrl)
    const outcome = await send(
      (from) => ({
        ...mailHeaders({ messageId, address, sentAt: now() }, from, siteUrl),
        subject: subjectOf(message.title),
        text: mailText(message),
        html: mailHtml(message),
      }),
      signal,
    )
    return { ...outcome, detail: `${outcome.detail} (digest of ${alerts.length})` }
  }
}

/** Lists the alerts, oldest first. */
export function composeDigest(alerts: Alert[], siteUrl: string): Message {
  const left = alerts.length - MAX_LINES
  const more: Message['lines'] = left > 0 ? [['And', `${left} more, which stand in the delivery log`]] : []
  return {
    title:
      alerts.length === 1
        ? firstHeadline(alerts)
        : `${alerts.length} alerts: ${firstHeadline(alerts)} and others`,
    text: `More than ${ALERTS_PER_HOUR} alerts were for this address within an hour. What comes beyond is put together in one mail, every five minutes at most.`,
    lines: [
      ...alerts
        .slice(0, MAX_LINES)
        .map((alert): [string, string] => [readableUtc(alert.occurredAt), oneLine(lineOf(alert))]),
      ...more,
    ],
    link: siteUrl,
    tone: alerts.some(({ event }) => event.endsWith('.down')) ? 'bad' : 'neutral',
  }
}

function lineOf(alert: Alert): string {
  const title = headline(alert)
  const cause = alert.cause !== null && title.endsWith(alert.cause) ? null : alert.cause
  return [title, cause, `team ${alert.teamName}`].filter(Boolean).join(' · ')
}

function firstHeadline(alerts: Alert[]): string {
  const [first] = alerts
  return first ? oneLine(headline(first)) : ''
}
