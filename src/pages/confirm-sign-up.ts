import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { Refusal } from '../core/errors.ts'
import { phrase, type Translator } from '../core/language/translate.ts'
import type { Services } from '../operations/services.ts'
import type { Visitor } from '../operations/sign-in/sessions.ts'
import { confirmSignUp, readSignUp } from '../operations/sign-in/sign-up.ts'
import { addLinkPage } from './link-page.ts'
import { type Html, strong } from './page.ts'
import { expiredLinkPage, privatePages } from './private-page.ts'

const TITLE = phrase('Confirm your address')

/** The page linked from the sign-up letter: creates the account, and signs in. */
export function addConfirmSignUp(
  app: Hono,
  services: Services,
  visitorOf: (context: Context) => Visitor,
  docsPath: string,
): void {
  // With no referrer at all, browsers would not send the form's origin either.
  const speakerOf = privatePages(docsPath, { 'referrer-policy': 'same-origin' })

  addLinkPage(app, '/confirm-sign-up/:link', speakerOf, {
    read: (link) => readSignUp(services, link),
    ask: ({ speaker, found }) => speaker.render(speaker.t(TITLE), form(speaker, found.email, null), 200),
    async submit({ speaker, context, link, found }) {
      const { t, render } = speaker
      const { password } = await context.req.parseBody()
      try {
        const cookie = await confirmSignUp(services, link, String(password ?? ''), visitorOf(context))
        if (cookie === null) return expiredLinkPage(speaker)
        return await render(t('Welcome'), welcome(speaker, found.email), 200, { 'set-cookie': cookie })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        if (error.code === 'tooManyRequests') return render(t(TITLE), tooOften(speaker), 429, error.headers)
        const fault = t('This is not the password that you chose.')
        return render(t(TITLE), form(speaker, found.email, fault), 422)
      }
    },
  })
}

function form({ t, rich }: Translator, email: string, fault: string | null): Html {
  const asks = rich(
    'Enter the password that you chose to create your account for <strong>{email}</strong>. If you did not ask for an account, close this page, and nothing happens.',
    { strong, email },
  )
  return html`<h1>${t('Confirm your address')}</h1>
<p>${asks}</p>
<form method="post"><input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">${t('Password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
 ${fault ? html`aria-invalid="true" aria-describedby="fault"` : ''}>
${fault ? html`<p id="fault" class="fault" role="alert">${fault}</p>` : ''}<button>${t('Create my account')}</button></form>`
}

function welcome({ t, rich }: Translator, email: string): Html {
  const ready = rich(
    'Your account and your team are ready. Alerts go to <strong>{email}</strong>. <link>Continue</link>',
    { strong, link: (inside) => html`<a href="/">${inside}</a>`, email },
  )
  return html`<h1>${t('You are signed in')}</h1>
<p>${ready}</p>`
}

function tooOften({ t }: Translator): Html {
  return html`<h1>${t('Too many attempts')}</h1><p>${t('Wait ten minutes, then try again.')}</p>`
}
