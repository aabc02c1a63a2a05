import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { Refusal } from '../core/errors.ts'
import type { Services } from '../operations/services.ts'
import type { Visitor } from '../operations/sign-in/sessions.ts'
import { confirmSignUp, readSignUp } from '../operations/sign-in/sign-up.ts'
import type { Html } from './page.ts'
import { expiredLinkPage, limitForm, privatePages } from './private-page.ts'

const TITLE = 'Confirm your address'

/** The page linked from the sign-up letter: creates the account, and signs in. */
export function addConfirmSignUp(
  app: Hono,
  services: Services,
  visitorOf: (context: Context) => Visitor,
  docsPath: string,
): void {
  // With no referrer at all, browsers would not send the form's origin either.
  const render = privatePages(docsPath, { 'referrer-policy': 'same-origin' })

  app.get('/confirm-sign-up/:link', async (context) => {
    const found = await readSignUp(services, context.req.param('link'))
    return found ? render(TITLE, form(found.email, null), 200) : expiredLinkPage(render)
  })

  const limit = limitForm(render)
  app.post('/confirm-sign-up/:link', limit, async (context) => {
    const link = context.req.param('link')
    const found = await readSignUp(services, link)
    if (!found) return expiredLinkPage(render)
    const { password } = await context.req.parseBody()
    try {
      const cookie = await confirmSignUp(services, link, String(password ?? ''), visitorOf(context))
      if (cookie === null) return expiredLinkPage(render)
      return await render('Welcome', welcome(found.email), 200, { 'set-cookie': cookie })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'tooManyRequests') return render(TITLE, tooOften(), 429, error.headers)
      return render(TITLE, form(found.email, 'This is not the password that you chose.'), 422)
    }
  })
}

function form(email: string, fault: string | null): Html {
  return html`<h1>Confirm your address</h1>
<p>Enter the password that you chose to create your account for <strong>${email}</strong>. If you did not ask for an
account, close this page, and nothing happens.</p>
<form method="post"><input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required
 ${fault ? html`aria-invalid="true" aria-describedby="fault"` : ''}>
${fault ? html`<p id="fault" class="fault" role="alert">${fault}</p>` : ''}<button>Create my account</button></form>`
}

function welcome(email: string): Html {
  return html`<h1>You are signed in</h1>
<p>Your account and your team are ready. Alerts go to <strong>${email}</strong>. <a href="/">Continue</a></p>`
}

function tooOften(): Html {
  return html`<h1>Too many attempts</h1><p>Wait ten minutes, then try again.</p>`
}
