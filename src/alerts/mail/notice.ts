import type { SendMailOptions } from 'nodemailer'
import { ATTEMPT_TIMEOUT_MS, type DeliveryOutcome } from '../../core/alerting/delivery.ts'
import { shownTexts } from '../../core/language/hidden-characters.ts'
import { PAGE_LANGUAGES } from '../../core/language/page-languages.ts'
import { isOver } from '../../core/status-pages/post.ts'
import { templateTime } from '../../core/status-pages/posts/post-template.ts'
import {
  type Notice,
  type NoticeUpdate,
  noticeDocument,
  postUrl,
  subscriptionUrl,
} from '../../core/status-pages/subscribers/notice.ts'
import { PAGE_WORDS } from '../../core/status-pages/words/words.ts'
import type { Network } from '../../net/network.ts'
import { openMail } from '../email.ts'
import { postJson } from '../json-post.ts'
import { signatureHeaders } from '../signature.ts'
import { secretPath } from '../text/log-text.ts'
import { escapeHtml } from '../text/markup.ts'
import { mailHeaders, messageIdOf, subjectOf } from './mail.ts'
import type { MailSettings } from './smtp-options.ts'

/** HTTP 410: the receiver is gone for good. */
const GONE = 410

export type SendNotice = (notice: Notice, messageId: string, signal: AbortSignal) => Promise<DeliveryOutcome>

/** Sends messages to subscribers, once each; `renderBody` makes HTML of a post's Markdown. Expected failures are data. */
export function createNoticeSender(deps: {
  network: Network
  mail: MailSettings | null
  siteUrl: string
  renderBody: (markdown: string) => string
  now: () => Date
}): SendNotice {
  const { network, siteUrl, now } = deps
  const send = openMail(network, deps.mail, ATTEMPT_TIMEOUT_MS)
  const sender = { network, now, attemptTimeoutMs: ATTEMPT_TIMEOUT_MS }
  return async (stored, messageId, signal) => {
    const notice = shownTexts(stored)
    if (notice.type === 'webhook') return postNotice(notice, messageId, signal)
    const { update } = notice
    if (update === null) return { kind: 'rejected', statusCode: null, detail: 'there is nothing to tell' }
    const compose = (from: string) => composeNotice({ ...notice, update }, messageId, from)
    return send(compose, signal)
  }

  async function postNotice(
    notice: Notice,
    messageId: string,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const body = JSON.stringify(noticeDocument(notice))
    // The receiver knows the token by the address that it confirmed at.
    const secret = `whsec_${Buffer.from(notice.token).toString('base64')}`
    const headers = signatureHeaders(secret, messageId, now(), body)
    const secrets = [...secretPath(notice.address), notice.token]
    const outcome = await postJson(
      sender,
      { kind: 'subscriber', url: notice.address, body, headers, secrets },
      signal,
    )
    const isGone = outcome.kind === 'rejected' && outcome.statusCode === GONE
    return isGone ? { ...outcome, refusesReceiver: true } : outcome
  }

  function composeNotice(
    notice: Notice & { update: NoticeUpdate },
    messageId: string,
    from: string,
  ): SendMailOptions {
    const { update, page, address } = notice
    const common = mailHeaders({ messageId, address, sentAt: now() }, from, siteUrl)
    const { phases } = PAGE_WORDS[notice.language]
    return {
      ...common,
      headers: {
        ...common.headers,
        'List-Unsubscribe': `<${subscriptionUrl(notice)}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      subject: subjectOf(`[${page.name}] ${update.post.title} – ${phases[update.phase]}`),
      // Mail programs put the updates of a post together.
      references: [messageIdOf(`status-post-${update.post.id}`, from, siteUrl)],
      text: noticeText(notice),
      html: noticeHtml(notice, deps.renderBody(update.body)),
    }
  }
}

function noticeText(notice: Notice & { update: NoticeUpdate }): string {
  const { update, page } = notice
  const words = PAGE_WORDS[notice.language].notices
  const [label, names] = affectedOf(notice)
  const affected = label === '' ? names : `${label}: ${names}`
  return [
    update.post.title,
    stampOf(notice),
    update.body.trim(),
    affected,
    postUrl(page, update.post.id),
    `-- \n${words.because(page.name)}\n${words.manage}: ${subscriptionUrl(notice)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function noticeHtml(notice: Notice & { update: NoticeUpdate }, body: string): string {
  const { update, page, language } = notice
  const words = PAGE_WORDS[language].notices
  const [label, names] = affectedOf(notice)
  const address = html(postUrl(page, update.post.id))
  return [
    '<!doctype html>',
    `<html lang="${PAGE_LANGUAGES[language].locale}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">`,
    `<title>${html(update.post.title)}</title></head>`,
    '<body style="font-family:system-ui,sans-serif;line-height:1.5">',
    `<h1 style="font-size:20px" dir="auto">${html(update.post.title)}</h1>`,
    `<p><b>${html(stampOf(notice))}</b></p>`,
    `<div dir="auto">${body}</div>`,
    ...(names === '' ? [] : [`<p>${label === '' ? '' : `<b>${html(label)}:</b> `}${html(names)}</p>`]),
    `<p><a href="${address}">${address}</a></p>`,
    `<hr><p><small>${html(words.because(page.name))}<br>`,
    `<a href="${html(subscriptionUrl(notice))}">${html(words.manage)}</a></small></p>`,
    '</body></html>',
  ].join('\n')
}

/** The phase and when it began. */
function stampOf({ update, language }: Notice & { update: NoticeUpdate }): string {
  return `${PAGE_WORDS[language].phases[update.phase]} · ${templateTime(update.at)}`
}

/** A label, and the components that an update names; an incident that names none says so. */
function affectedOf({ update, language }: Notice & { update: NoticeUpdate }): [label: string, names: string] {
  const { states, notices, posts } = PAGE_WORDS[language]
  if (update.components.length > 0) {
    return [
      notices.affected,
      update.components.map(({ name, state }) => `${name} (${states[state]})`).join(', '),
    ]
  }
  return ['', update.post.kind === 'incident' && !isOver(update.phase) ? posts.affectsNone : '']
}

function html(text: string): string {
  return Array.from(text, escapeHtml).join('')
}
