import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { phrase, type Translator } from '../core/language/translate.ts'
import { MIN_PASSWORD_LENGTH } from '../core/sign-in/password.ts'
import type { Services } from '../operations/services.ts'
import { readPasswordLink, setPasswordByLink } from '../operations/sign-in/password-links.ts'
import type { Visitor } from '../operations/sign-in/sessions.ts'
import { addLinkPage } from './link-page.ts'
import { type Html, strong } from './page.ts'
import { privatePages, type Speaker } from './private-page.ts'

/** The page behind a set-password link, which is used up once the password is set. */
export function addSetPassword(
  app: Hono,
  services: Services,
  visitorOf: (context: Context) => Visitor,
  docsPath: string,
): void {
  const speakerOf = privatePages(docsPath)

  const page = (speaker: Speaker, user: { email: string; isFirstProof: boolean }, fault: string | null) =>
    speaker.render(speaker.t('Set your password'), content(speaker, user, fault), fault === null ? 200 : 422)
  addLinkPage(app, '/set-password/:link', speakerOf, {
    read: (link) => readPasswordLink(services, link),
    ask: ({ speaker, found }) => page(speaker, found, null),
    async submit({ speaker, context, link, found }) {
      const { t, render, sayRefusal } = speaker
      const { password } = await context.req.parseBody()
      const fault = await setPasswordByLink(services, link, password, visitorOf(context))
      if (fault) return page(speaker, found, sayRefusal(fault))
      const done = html`<h1>${t('Your password is set')}</h1><p>${t('You can close this page.')}</p>`
      return render(t('Password set'), done, 200)
    },
  })
}

function content(
  translator: Translator,
  { email, isFirstProof }: { email: string; isFirstProof: boolean },
  fault: string | null,
): Html {
  const { t, rich } = translator
  return html`<h1>${t('Set your password')}</h1>
<p>${rich('For the account of <strong>{email}</strong>.', { strong, email })} ${t(isFirstProof ? ENDS_ALL : ENDS)}</p>
${passwordForm(translator, email, fault)}`
}

const ENDS = phrase(
  'This ends every session, passkey and connected program of the account. Its API tokens keep working, and its authenticator app stays in use: review both in the dashboard.',
)
const ENDS_ALL = phrase(
  'This address has not been confirmed before. In case someone else created the account, this ends its old password, authenticator app, sessions, passkeys, API tokens and connected programs.',
)

/** Submits to the page itself, or to `action`, the address of a set-password link. */
export function passwordForm({ t }: Translator, email: string, fault: string | null, action?: string): Html {
  return html`<form method="post" ${action ? html`action="${action}"` : ''}>
<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">${t('New password')}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD_LENGTH}"
 ${fault ? html`aria-invalid="true" aria-describedby="fault"` : ''}>
${fault ? html`<p id="fault" class="fault" role="alert">${fault}</p>` : ''}<button>${t('Set password')}</button></form>`
}
