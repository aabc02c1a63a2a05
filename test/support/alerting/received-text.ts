import type { ContactType } from '../../../src/core/alerting/contact-types.ts'
import { messageIn } from '../servers/push-service.ts'
import type { Received } from '../servers/receivers.ts'
import { BROWSER } from '../servers/receivers-channels.ts'

type Read = (received: Received) => string

/** The text that a reader sees of each type that sends over HTTP; a program reads all of the body. */
const READ = {
  slack: (received) =>
    jsonOf(received)
      .blocks.slice(1)
      .flatMap((block: { text?: { text: string }; elements?: { text: string }[] }) => [
        block.text?.text ?? '',
        ...(block.elements ?? []).map(({ text }) => text),
      ])
      .map(unescapeHtml)
      .join('\n'),
  discord: (received) =>
    jsonOf(received)
      .embeds.map(({ description }: { description: string }) => description.replace(/\\(.)/gu, '$1'))
      .join('\n'),
  telegram(received) {
    const [, ...body] = jsonOf(received).text.split('\n\n')
    return unescapeHtml(
      body
        .join('\n\n')
        .replace(/<\/?b>/g, '')
        .replaceAll('@\u2060', '@'),
    )
  },
  teams(received) {
    const { body, actions } = jsonOf(received).attachments[0].content
    const blocks = body
      .slice(1)
      .map(({ inlines }: { inlines: { text: string }[] }) => inlines.map(({ text }) => text).join(''))
    return [
      ...blocks,
      ...actions.map(({ title, url }: { title: string; url: string }) => `${title}: ${url}`),
    ].join('\n')
  },
  googlechat(received) {
    const { widgets } = jsonOf(received).cardsV2[0].card.sections[0]
    const [{ textParagraph }, { buttonList }] = widgets
    const links = buttonList.buttons.map(
      ({ text, onClick }: { text: string; onClick: { openLink: { url: string } } }) =>
        `${text}: ${onClick.openLink.url}`,
    )
    return [unescapeHtml(textParagraph.text.replaceAll('<br>', '\n').replace(/<\/?b>/g, '')), ...links].join(
      '\n',
    )
  },
  mattermost: (received) =>
    jsonOf(received).attachments[0].text.replace(/&#(\d+);/g, (_: string, code: string) =>
      String.fromCharCode(Number(code)),
    ),
  matrix: (received) => jsonOf(received).body.split('\n').slice(1).join('\n'),
  ntfy(received) {
    const { message, actions, click } = jsonOf(received)
    const links = actions.map(({ label, url }: { label: string; url: string }) => `${label}: ${url}`)
    return [message, ...links, click].join('\n')
  },
  gotify(received) {
    const { message, extras } = jsonOf(received)
    return `${message}\n${extras['client::notification'].click.url}`
  },
  pushover: (received) => `${formOf(received).get('message')}\n${formOf(received).get('url')}`,
  sms(received) {
    const [, ...body] = (formOf(received).get('Body') ?? '').split('\n')
    return body.join('\n')
  },
  webpush(received) {
    const { text, acknowledge, path } = messageIn(received, BROWSER)
    return [text, acknowledge, path].join('\n')
  },
  webhook: ({ body }) => body,
  pagerduty: ({ body }) => body,
} satisfies Record<Exclude<ContactType, 'email'>, Read>

/** The text that a reader sees of a message that a type sends over HTTP, without its headline, and with its links. */
export function seenIn(type: keyof typeof READ, received: Received): string {
  return READ[type](received)
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is the vendor's
function jsonOf({ body }: Received): any {
  return JSON.parse(body)
}

function formOf({ body }: Received): URLSearchParams {
  return new URLSearchParams(body)
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
