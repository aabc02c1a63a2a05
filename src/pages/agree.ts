import type { Hono } from 'hono'
import { html } from 'hono/html'
import { agree, readAgreement } from '../operations/alerting/agreements.ts'
import type { Services } from '../operations/services.ts'
import { expiredLinkPage, privatePages } from './private-page.ts'

/**
 * The page linked from the letter that asks for agreement to alerts. It asks for a click first, because mail filters
 * open links, too.
 */
export function addAgree(app: Hono, services: Services, docsPath: string): void {
  const render = privatePages(docsPath)
  const done = (team: string) =>
    render(
      'Agreed',
      html`<h1>You will get alerts</h1><p>The team <strong>${team}</strong> can now send alerts to this address. You can close this page.</p>`,
      200,
    )

  app.get('/agree/:link', async (context) => {
    const found = await readAgreement(services, context.req.param('link'))
    if (!found) return expiredLinkPage(render)
    if (found.hasAgreed) return done(found.team)
    const form = html`<h1>Get alerts at this address?</h1>
<p>The team <strong>${found.team}</strong> wants to send you an alert when one of its monitors goes down. Unless
you agree, you get no further e-mail from it.</p>
<form method="post"><button>Yes, send me alerts</button></form>`
    return render('Get alerts at this address?', form, 200)
  })

  app.post('/agree/:link', async (context) => {
    const link = context.req.param('link')
    const found = await readAgreement(services, link)
    return found && (await agree(services, link)) ? done(found.team) : expiredLinkPage(render)
  })
}
