import type { Hono } from 'hono'
import { html } from 'hono/html'
import { readPasswordLink, setPasswordByLink } from '../operations/password-links.ts'
import type { Services } from '../operations/services.ts'
import type { Html } from './page.ts'
import { limitForm, privatePages, usedUp } from './private-page.ts'

/** The page behind a set-password link: the link is used up when the password is set. */
export function addSetPassword(app: Hono, services: Services, docsPath: string): void {
  const render = privatePages(docsPath)

  app.get('/set-password/:link', async (context) => {
    const user = await readPasswordLink(services, context.req.param('link'))
    return user ? render('Set your password', form(user.email, null), 200) : usedUp(render)
  })

  const limit = limitForm(render)
  app.post('/set-password/:link', limit, async (context) => {
    const link = context.req.param('link')
    const user = await readPasswordLink(services, link)
    if (!user) return usedUp(render)
    const { password } = await context.req.parseBody()
    const fault = await setPasswordByLink(services, link, password)
    if (fault) return render('Set your password', form(user.email, fault), 422)
    return render('Password set', html`<h1>Your password is set</h1><p>You can close this page.</p>`, 200)
  })
}

function form(email: string, fault: string | null): Html {
  return html`<h1>Set your password</h1><p>For the account of <strong>${email}</strong>.</p>
<form method="post"><input type="hidden" name="username" autocomplete="username" value="${email}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8"
 ${fault ? html`aria-invalid="true" aria-describedby="fault"` : ''}>
${fault ? html`<p id="fault" class="fault" role="alert">${fault}</p>` : ''}<button>Set password</button></form>`
}
