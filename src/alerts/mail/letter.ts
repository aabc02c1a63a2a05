import type { Letter } from '../../core/accounts/letter.ts'
import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome } from '../../core/alerting/delivery.ts'
import { LETTERS_PER_HOUR } from '../../core/alerting/mailbox.ts'
import { shownTexts } from '../../core/language/hidden-characters.ts'
import { type Language, languageFor } from '../../core/language/language.ts'
import { translatorOf } from '../../core/language/service.ts'
import type { Network } from '../../net/network.ts'
import { openMail } from '../email.ts'
import type { Message } from '../text/message.ts'
import { mailHeaders, mailHtml, mailText, subjectOf } from './mail.ts'
import type { MailSettings } from './smtp-options.ts'

/** Mails a letter in the layout of an alert, once; `id` identifies it across attempts. Expected failures are data. */
export function createLetterMail(
  network: Network,
  mail: MailSettings | null,
  siteUrl: string,
  now: () => Date,
): (letter: Letter, id: string, signal: AbortSignal) => Promise<DeliveryOutcome> {
  const send = openMail(network, mail, ATTEMPT_TIMEOUT_MS)
  return (letter, id, signal) => {
    const { to } = letter
    const message = composeLetter(shownTexts(letter), siteUrl)
    return send(
      (from) => ({
        ...mailHeaders({ messageId: id, address: to, sentAt: now() }, from, siteUrl),
        subject: subjectOf(message.title),
        text: mailText(message),
        html: mailHtml(message),
      }),
      signal,
    )
  }
}

/** The mail by which an operator tries settings of the mail server. */
export function testLetter(to: string, language: Language, siteUrl: string): Letter {
  const { t } = translatorOf(language)
  return {
    ...{ to, language, link: siteUrl },
    title: t('Test mail from Upbeat'),
    text: t('These mail settings work: the mail server took this mail, and it has reached you.'),
  }
}

function composeLetter({ title, text, link, language, others = [] }: Letter, siteUrl: string): Message {
  const spoken = languageFor([language ?? 'en'])
  const { t } = translatorOf(spoken)
  const speech = { language: spoken, t }
  const tone = 'neutral' as const
  if (others.length === 0) return { ...speech, title, text, lines: [], link, tone }
  const all = [{ title, text, link }, ...others]
  return {
    ...speech,
    title: t('{count, plural, one {# message} other {# messages}} from Upbeat', { count: all.length }),
    text: t(
      'This address got more than {count, plural, one {# message} other {# messages}} within an hour. Further messages come together in one mail.',
      { count: LETTERS_PER_HOUR },
    ),
    lines: all.map((each) => [each.title, `${each.text} ${each.link}`]),
    link: siteUrl,
    tone,
  }
}
