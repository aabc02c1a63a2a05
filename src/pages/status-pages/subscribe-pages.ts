import { html } from 'hono/html'
import type { PageModel } from '../../core/status-pages/page-model.ts'
import type { Html } from '../page.ts'
import { documentOf, pageFrame } from './frame.ts'
import { fill, nameOf } from './markup.ts'
import { componentsIn } from './status-page.ts'
import { type PageView, type ViewOptions, viewOf } from './view.ts'

/** A value that was sent, and why it was not taken. */
export type SubscribeFault = { field: 'email' | 'webhook_url'; value: string; message: string }

/** The form at `subscribe`, by mail only where mail can be sent: `email` or `webhook_url`, and `components` once for each that was chosen. */
export function renderSubscribeForm(
  model: PageModel,
  options: ViewOptions,
  fault: SubscribeFault | null = null,
  offersMail = true,
): string {
  const view = viewOf(model, options)
  const { subscribe } = view.words
  const field = (name: SubscribeFault['field'], type: string, label: string, hint: Html) => {
    const own = fault?.field === name ? fault : null
    return html`<label for="${name}">${label}</label>${hint}
<input class="field" id="${name}" name="${name}" type="${type}" required maxlength="2048" dir="ltr" value="${own?.value ?? ''}"${
      own ? html` aria-invalid="true" aria-describedby="fault"` : ''
    }${name === 'email' ? html` autocomplete="email"` : ''}>${own ? html`<p class="fault" id="fault" role="alert">${own.message}</p>` : ''}`
  }
  const form = (content: Html, button: string) =>
    html`<form method="post" action="${view.link('/subscribe')}">${content}${choiceOf(view, null)}<button>${button}</button></form>`
  const text = html`<p>${subscribe.intro}</p>
${offersMail ? form(field('email', 'email', subscribe.email, html``), subscribe.byMail) : ''}
<h2>${subscribe.byWebhook}</h2>${form(
    field('webhook_url', 'url', subscribe.webhook, html`<p class="soft">${subscribe.webhookHint}</p>`),
    subscribe.byWebhook,
  )}`
  return shortPage(view, subscribe.title, text)
}

/** `wait`: how long, for a client that asked too often. */
export type SubscribeAnswer = 'email' | 'webhook' | { wait: string }

/** The answer to the form; the same for addresses that are known and that are not. */
export function renderSubscribeAnswer(
  model: PageModel,
  options: ViewOptions,
  answer: SubscribeAnswer,
): string {
  const view = viewOf(model, options)
  const { subscribe } = view.words
  const [title, text] =
    typeof answer === 'object'
      ? [subscribe.tooManyTitle, subscribe.tooMany(answer.wait)]
      : answer === 'email'
        ? [subscribe.sentTitle, subscribe.sent]
        : [subscribe.webhookSentTitle, subscribe.webhookSent]
  return shortPage(view, title, html`<p>${text}</p>`)
}

/** Components that a subscriber wants to hear of; null: all, those that are added later too. */
export type SubscribedComponents = readonly number[] | null

export type SubscriptionStep =
  | { step: 'confirm' | 'confirmed' | 'end' | 'ended'; address: string }
  | { step: 'manage'; address: string; components: SubscribedComponents; isSaved: boolean }
  | { step: 'gone' }

/** The page of a mailed link, `subscriptions/{token}`: it shows a button, and only its POST (`action`) does anything. */
export function renderSubscription(
  model: PageModel,
  options: ViewOptions,
  token: string,
  subscription: SubscriptionStep,
): string {
  const view = viewOf(model, options)
  const { subscription: words } = view.words
  const act = (content: Html, action: string, button: string, style = '') =>
    html`<form method="post" action="${view.link(`/subscriptions/${token}`)}">${content}<button name="action" value="${action}"${style && html` class="${style}"`}>${button}</button></form>`
  const none = html``
  if (subscription.step === 'gone') return shortPage(view, words.goneTitle, html`<p>${words.gone}</p>`)
  const address = nameOf(subscription.address)
  switch (subscription.step) {
    case 'confirm': {
      const text = fill(words.confirm, address, nameOf(model.settings.name))
      return shortPage(
        view,
        words.confirmTitle,
        html`<p>${text}</p>${act(none, 'confirm', words.confirmButton)}`,
      )
    }
    case 'end':
      return shortPage(
        view,
        words.endTitle,
        html`<p>${fill(words.end, address)}</p>${act(none, 'end', words.endButton)}`,
      )
    case 'manage': {
      const saved = subscription.isSaved ? html`<p class="notice" role="status">${words.changed}</p>` : ''
      const text = html`${saved}<p>${fill(words.manage, address)}</p>${act(choiceOf(view, subscription.components), 'change', words.change)}${act(none, 'end', words.endButton, 'second')}`
      return shortPage(view, words.manageTitle, text)
    }
    case 'confirmed':
      return shortPage(view, words.confirmedTitle, html`<p>${fill(words.confirmed, address)}</p>`)
    default:
      return shortPage(view, words.endedTitle, html`<p>${fill(words.ended, address)}</p>`)
  }
}

/** Everything, or the components that are ticked: they count only where `scope` says so. */
function choiceOf(view: PageView, chosen: SubscribedComponents): Html {
  const { model, words } = view
  const all = componentsIn(model)
  if (all.length === 0) return html``
  const scope = (value: 'all' | 'chosen', word: string) =>
    html`<label class="choice"><input type="radio" name="scope" value="${value}"${
      (chosen === null) === (value === 'all') ? html` checked` : ''
    }>${word}</label>`
  const boxes = all.map(
    ({ id, name }) =>
      html`<label class="choice"><input type="checkbox" name="components" value="${id}"${chosen?.includes(id) ? html` checked` : ''}>${nameOf(name)}</label>`,
  )
  return html`<fieldset><legend>${words.subscribe.scope}</legend>${scope('all', words.subscribe.whole)}${scope('chosen', words.subscribe.chosen)}
<details${chosen === null ? '' : html` open`}><summary>${words.sections.components} (${all.length})</summary>${boxes}</details></fieldset>`
}

function shortPage(view: PageView, title: string, text: Html): string {
  const { model, words, link } = view
  const main = html`<h1 class="title">${title}</h1>${text}<p class="turn"><a href="${link('')}">${words.posts.back}</a></p>`
  return documentOf(view, {
    title: `${title} · ${words.page.title(model.settings.name)}`,
    content: pageFrame(view, { main, isStart: false }),
    look: model.settings,
    icon: model.state,
  })
}
