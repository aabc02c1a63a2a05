import type { ContactType } from '../../../src/core/alerting/contact-types.ts'
import { messageIn } from '../servers/push-service.ts'
import type { Received } from '../servers/receivers.ts'
import { BROWSER } from '../servers/receivers-channels.ts'

/** The text that a reader sees of a message that a type sends over HTTP, without its headline, and with its links. */
export function seenIn(type: ContactType, received: Received): string {
  const json = () => JSON.parse(received.body)
  const form = () => new URLSearchParams(received.body)
  switch (type) {
    case 'slack':
      return json()
        .blocks.slice(1)
        .flatMap((block: { text?: { text: string }; elements?: { text: string }[] }) => [
          block.text?.text ?? '',
          ...(block.elements ?? []).map(({ text }) => text),
        ])
        .map(unescapeHtml)
        .join('\n')
    case 'discord':
      return json()
        .embeds.map(({ description }: { description: string }) => description.replace(/\\(.)/gu, '$1'))
        .join('\n')
    case 'telegram': {
      const [, ...body] = json().text.split('\n\n')
      return unescapeHtml(
        body
          .join('\n\n')
          .replace(/<\/?b>/g, '')
          .replaceAll('@\u2060', '@'),
      )
    }
    case 'teams': {
      const { body, actions } = json().attachments[0].content
      const blocks = body
        .slice(1)
        .map(({ inlines }: { inlines: { text: string }[] }) => inlines.map(({ text }) => text).join(''))
      return [
        ...blocks,
        ...actions.map(({ title, url }: { title: string; url: string }) => `${title}: ${url}`),
      ].join('\n')
    }
    case 'googlechat': {
      const { widgets } = json().cardsV2[0].card.sections[0]
      const [{ textParagraph }, { buttonList }] = widgets
      const links = buttonList.buttons.map(
        ({ text, onClick }: { text: string; onClick: { openLink: { url: string } } }) =>
          `${text}: ${onClick.openLink.url}`,
      )
      return [
        unescapeHtml(textParagraph.text.replaceAll('<br>', '\n').replace(/<\/?b>/g, '')),
        ...links,
      ].join('\n')
    }
    case 'mattermost':
      return json().attachments[0].text.replace(/&#(\d+);/g, (_: string, code: string) =>
        String.fromCharCode(Number(code)),
      )
    case 'matrix':
      return json().body.split('\n').slice(1).join('\n')
    case 'ntfy':
      return `${json().message}\n${json()
        .actions.map(({ label, url }: { label: string; url: string }) => `${label}: ${url}`)
        .join('\n')}\n${json().click}`
    case 'gotify':
      return `${json().message}\n${json().extras['client::notification'].click.url}`
    case 'pushover':
      return `${form().get('message')}\n${form().get('url')}`
    case 'sms': {
      const [, ...body] = (form().get('Body') ?? '').split('\n')
      return body.join('\n')
    }
    case 'webpush': {
      const { text, acknowledge, path } = messageIn(received, BROWSER)
      return [text, acknowledge, path].join('\n')
    }
    default:
      return received.body
  }
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
