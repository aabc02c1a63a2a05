import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { MIN_PASSWORD_LENGTH } from '../core/sign-in/password.ts'
import type { Services } from '../operations/services.ts'
import { readPasswordLink, setPasswordByLink } from '../operations/sign-in/password-links.ts'
import type { Visitor } from '../operations/sign-in/sessions.ts'
import type { Html } from './page.ts'
import { expiredLinkPage, limitForm, privatePages } from './private-page.ts'

/** The page behind a set-password link, which is used up once the password is set. */
export function addSetPassword(
  app: Hono,
  services: Services,
  visitorOf: (context: Context) => Visitor,
  docsPath: string,
): void {
  const render = privatePages(docsPath)

  app.get('/set-password/:link', async (context) => {
    const user = await readPasswordLink(services, context.req.param('link'))
    return user ? render('Set your password', content(user, null), 200) : expiredLinkPage(render)
  })

  const limit = limitForm(render)
  app.post('/set-password/:link', limit, async (context) => {
    const link = context.req.param('link')
    const user = await readPasswordLink(services, link)
    if (!user) return expiredLinkPage(render)
    const { password } = await context.req.parseBody()
    const fault = await setPasswordByLink(services, link, password, visitorOf(context))
    if (fault) return render('Set your password', content(user, fault), 422)
    return render('Password set', html`<h1>Your password is set</h1><p>You can close this page.</p>`, 200)
  })
}

function content(
  { email, isFirstProof }: { email: string; isFirstProof: boolean },
  fault: string | null,
): Html {
  return html`<h1>Set your password</h1><p>For the account of <strong>${email}</strong>. ${isFirstProof ? ENDS_ALL : ENDS}</p>
${passwordForm(email, fault)}`
}

const ENDS =
  'This ends every session, passkey and connected program of the account. Its API tokens keep working, and its authenticator app stays in use: review both in the dashboard.'
const ENDS_ALL =
  'This address has not been confirmed before. In case someone else created the account, this ends its old password, authenticator app, sessions, passkeys, API tokens and connected programs.'

/** Submits to the page itself, or to `action`, the address of a set-password link. */
export function passwordForm(email: string, fault: string | null, action?: string): Html {
  return html`<form method="post" ${action ? html`action="${action}"` : ''}>
<input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${MIN_PASSWORD_LENGTH}"
 ${fault ? html`aria-invalid="true" aria-describedby="fault"` : ''}>
${fault ? html`<p id="fault" class="fault" role="alert">${fault}</p>` : ''}<button>Set password</button></form>`
}
