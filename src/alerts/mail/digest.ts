import { type Alert, headline } from '../../core/alerting/alert.ts'
import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome } from '../../core/alerting/delivery.ts'
import { ALERTS_PER_HOUR } from '../../core/alerting/mailbox.ts'
import { shownTexts } from '../../core/language/hidden-characters.ts'
import { readableTime } from '../../core/language/readable-time.ts'
import { translatorOf } from '../../core/language/service.ts'
import type { Translator } from '../../core/language/translate.ts'
import type { Network } from '../../net/network.ts'
import { openMail } from '../email.ts'
import { type Message, oneLine } from '../text/message.ts'
import { mailHeaders, mailHtml, mailText, subjectOf } from './mail.ts'
import type { MailSettings } from './smtp-options.ts'

/** Further alerts are counted; the delivery log lists them. */
const MAX_LINES = 1_000

/**
 * The content of one mail. `messageId` identifies it across attempts. `timeZone`: whose clocks its times are told by; null
 * for UTC.
 */
export type MailedDigest = { messageId: string; address: string; timeZone: string | null; alerts: Alert[] }

/** Mails alerts that were too many to send one by one to an address. Expected failures are data. */
export function createDigestMail(
  network: Network,
  mail: MailSettings | null,
  siteUrl: string,
  now: () => Date,
): (digest: MailedDigest, signal: AbortSignal) => Promise<DeliveryOutcome> {
  const send = openMail(network, mail, ATTEMPT_TIMEOUT_MS)
  return async ({ messageId, address, timeZone, alerts }, signal) => {
    const message = composeDigest(shownTexts(alerts), siteUrl, timeZone)
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

/** Lists the alerts, oldest first, in the language of the newest: they may be those of several teams. */
export function composeDigest(alerts: Alert[], siteUrl: string, timeZone: string | null = null): Message {
  const language = alerts.at(-1)?.language ?? 'en'
  const { t } = translatorOf(language)
  const left = alerts.length - MAX_LINES
  const more: Message['lines'] =
    left > 0 ? [[t('And'), t('{left, number} more in the delivery log', { left })]] : []
  const first = firstHeadline(alerts, t)
  return {
    language,
    t,
    title:
      alerts.length === 1
        ? first
        : t('{count, plural, one {# alert} other {# alerts}}: {first} and others', {
            count: alerts.length,
            first,
          }),
    text: t(
      'This address got more than {count, plural, one {# alert} other {# alerts}} within an hour. Further alerts come together in one mail, at most every five minutes.',
      { count: ALERTS_PER_HOUR },
    ),
    lines: [
      ...alerts
        .slice(0, MAX_LINES)
        .map((alert): [string, string] => [
          readableTime(alert.occurredAt, timeZone),
          oneLine(lineOf(alert, t)),
        ]),
      ...more,
    ],
    link: siteUrl,
    tone: alerts.some(({ event }) => event.endsWith('.down')) ? 'bad' : 'neutral',
  }
}

function lineOf(alert: Alert, t: Translator['t']): string {
  const title = headline(alert, t)
  const cause = alert.cause !== null && title.endsWith(alert.cause) ? null : alert.cause
  return [title, cause, t('team {name}', { name: alert.teamName })].filter(Boolean).join(' · ')
}

function firstHeadline(alerts: Alert[], t: Translator['t']): string {
  const [first] = alerts
  return first ? oneLine(headline(first, t)) : ''
}
