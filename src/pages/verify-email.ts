import type { Hono } from 'hono'
import { html } from 'hono/html'
import { confirmEmail, readEmailLink } from '../operations/email-verification.ts'
import type { Services } from '../operations/services.ts'
import { privatePages, usedUp } from './private-page.ts'

/** The page behind a link that confirms an address. It asks first: mail filters open links, too. */
export function addVerifyEmail(app: Hono, services: Services, docsPath: string): void {
  const render = privatePages(docsPath)

  app.get('/verify-email/:link', async (context) => {
    const email = await readEmailLink(services, context.req.param('link'))
    if (email === null) return usedUp(render)
    const form = html`<h1>Confirm your address</h1><p>Is <strong>${email}</strong> yours?</p>
<form method="post"><button>Yes, confirm it</button></form>`
    return render('Confirm your address', form, 200)
  })

  app.post('/verify-email/:link', async (context) => {
    if (!(await confirmEmail(services, context.req.param('link')))) return usedUp(render)
    return render('Confirmed', html`<h1>Your address is confirmed</h1><p>You can close this page.</p>`, 200)
  })
}
