import type { IncomingMessage } from 'node:http'
import { readPressed } from '../../../core/accounts/asked-address.ts'
import { waitOf } from '../../../core/accounts/over-bound.ts'
import { Refusal } from '../../../core/errors.ts'
import type { PageLanguage } from '../../../core/language/page-languages.ts'
import type { PageModel } from '../../../core/status-pages/page-model.ts'
import {
  type ChosenComponents,
  readChoice,
  readWish,
  type SubscribeWish,
  type Subscription,
  SubscriptionAction,
} from '../../../core/status-pages/subscribers/subscriber.ts'
import { PAGE_WORDS } from '../../../core/status-pages/words/words.ts'
import type { ServedPage } from '../../../operations/status-pages/serving/followed-pages.ts'
import { statusPageHeaders } from '../look.ts'
import {
  renderSubscribeAnswer,
  renderSubscribeForm,
  renderSubscription,
  type SubscriptionStep,
} from '../subscribe-pages.ts'
import type { ViewOptions } from '../view.ts'
import { languageOf, type PageForm, type PageRequest } from './answer.ts'
import { notFoundFile, passwordFile } from './plain-files.ts'
import { createReadyFile, sendReadyFile } from './ready-file.ts'
import { readForm } from './sign-in.ts'

/** Everything that the forms of subscribers ask for. */
export type SubscriptionDeps = {
  model: (page: ServedPage) => Promise<PageModel | null>
  clientAddress: (incoming: IncomingMessage) => string
  /** Whether mail can be sent at all, at the time it is asked. */
  readonly offersMail: boolean
  takesWish: (wish: SubscribeWish) => boolean
  /** Refuses with 429 a client that sends forms all the time, right or wrong. */
  countForm: (clientAddress: string) => Promise<void>
  subscribe: (
    page: ServedPage,
    wish: SubscribeWish,
    client: { clientAddress: string; language: PageLanguage },
  ) => Promise<void>
  showSubscription: (page: ServedPage, token: string, clientAddress: string) => Promise<Subscription | null>
  changeSubscription: (
    page: ServedPage,
    token: string,
    change: { action: SubscriptionAction; componentIds: ChosenComponents },
    clientAddress: string,
  ) => Promise<Subscription | null>
}

const NO_MORE = { 'cache-control': 'no-store', connection: 'close' }

type Shown = PageRequest & { page: ServedPage }

/** The POST of the form at `subscribe`; its GET is a document of the page like others. */
export function subscribeForm(deps: SubscriptionDeps): PageForm {
  return async (request, access) => {
    const { incoming, outgoing, page, base } = request
    const language = languageOf(request, page)
    if (access === 'password_form')
      return sendReadyFile(passwordFile(language, base, null), incoming, outgoing)
    const clientAddress = deps.clientAddress(incoming)
    try {
      await deps.countForm(clientAddress)
    } catch (error) {
      if (!isTooMany(error)) throw error
      // An answer with a page would cost as much as the refused form.
      return void outgoing.writeHead(429, { ...NO_MORE, ...error.headers }).end()
    }
    const model = page.allows_subscribers ? await deps.model(page) : null
    if (!model) return sendReadyFile(notFoundFile(language), incoming, outgoing)
    const form = await readForm(incoming)
    if (form === null) return void outgoing.writeHead(413, NO_MORE).end()
    const options = optionsOf(request, language)
    const wish = readWish(form)
    if ('field' in wish || !deps.takesWish(wish)) {
      const [field, value] =
        'field' in wish
          ? [wish.field, wish.value]
          : [wish.type === 'email' ? ('email' as const) : ('webhook_url' as const), wish.address]
      const words = PAGE_WORDS[language].notices
      const message = field === 'email' ? words.wrongEmail : words.wrongUrl
      const fault = { field, value, message }
      return show(request, model, renderSubscribeForm(model, options, fault, deps.offersMail), 422)
    }
    try {
      await deps.subscribe(page, wish, { clientAddress, language })
      return show(request, model, renderSubscribeAnswer(model, options, wish.type))
    } catch (error) {
      if (!isTooMany(error)) throw error
      const seconds = error.headers['retry-after'] ?? '60'
      const html = renderSubscribeAnswer(model, options, { wait: waitOf(Number(seconds)) })
      return show(request, model, html, 429, { 'retry-after': seconds })
    }
  }
}

/** A mailed link: whoever follows it sees a button, as scanners follow links, too; POST does what the button says. */
export function subscriptionForm(deps: SubscriptionDeps): PageForm {
  return async (request) => {
    const { incoming, outgoing, page, route } = request
    const language = languageOf(request, page)
    const token = route?.kind === 'subscription' ? route.token : ''
    const { method } = incoming
    const nothing = () => sendReadyFile(notFoundFile(languageOf(request, null)), incoming, outgoing)
    // A token that is guessed tells nothing of a page that not everybody sees.
    const refuse = (status: number, headers: Record<string, string>) =>
      page.visibility === 'public'
        ? void outgoing.writeHead(status, { 'cache-control': 'no-store', ...headers }).end()
        : nothing()
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
      return refuse(405, { allow: 'GET, HEAD, POST' })
    const client = deps.clientAddress(incoming)
    try {
      const step =
        method === 'POST'
          ? await act(deps, request, token, client)
          : await readLink(deps, request, token, client)
      if (step === null) return refuse(400, { connection: 'close' })
      const isGone = step.step === 'gone'
      const model = isGone && page.visibility !== 'public' ? null : await deps.model(page)
      if (!model) return nothing()
      const html = renderSubscription(model, optionsOf(request, language), token, step)
      return show(request, model, html, isGone ? 404 : 200)
    } catch (error) {
      if (!isTooMany(error)) throw error
      return refuse(429, { connection: 'close', ...error.headers })
    }
  }
}

async function readLink(
  deps: SubscriptionDeps,
  { page, query }: Shown,
  token: string,
  client: string,
): Promise<SubscriptionStep> {
  const found = await deps.showSubscription(page, token, client)
  if (!found) return { step: 'gone' }
  const { address, isConfirmed, componentIds: components } = found
  if (!isConfirmed) return { step: 'confirm', address }
  return query.has('end') ? { step: 'end', address } : { step: 'manage', address, components, isSaved: false }
}

/** Null for a POST that says nothing. */
async function act(
  deps: SubscriptionDeps,
  { page, incoming }: Shown,
  token: string,
  client: string,
): Promise<SubscriptionStep | null> {
  const form = await readForm(incoming)
  const action = form && readPressed(form, SubscriptionAction)
  if (!form || !action) return null
  const change = { action, componentIds: readChoice(form) }
  const found = await deps.changeSubscription(page, token, change, client)
  if (!found) return { step: 'gone' }
  const { address, componentIds: components } = found
  if (action === 'change') return { step: 'manage', address, components, isSaved: true }
  return { step: action === 'confirm' ? 'confirmed' : 'ended', address }
}

function show(
  { incoming, outgoing, route }: Shown,
  model: PageModel,
  html: string,
  status = 200,
  more: Record<string, string> = {},
) {
  const headers = {
    ...more,
    ...statusPageHeaders(model.settings),
    'cache-control': 'private, no-store',
    // The address may hold a secret. With no referrer at all, browsers would not send the origin of the form either.
    'referrer-policy': route?.kind === 'subscription' ? 'no-referrer' : 'same-origin',
    'x-robots-tag': 'noindex',
  }
  return sendReadyFile(createReadyFile(html, headers, status), incoming, outgoing)
}

function optionsOf({ query, base }: Shown, language: PageLanguage): ViewOptions {
  return { language, isChosen: query.has('lang'), base }
}

function isTooMany(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === 'tooManyRequests'
}
