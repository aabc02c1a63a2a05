import type { Hono } from 'hono'
import { html } from 'hono/html'
import { readRecipientAction } from '../core/reports/recipient.ts'
import { changeRecipient, readRecipient } from '../operations/reports/recipients.ts'
import type { Services } from '../operations/services.ts'
import { expiredLinkPage, limitForm, privatePages } from './private-page.ts'

/**
 * The page linked from monthly mails, and from the letter that asks for consent to them. It asks for a click first, because
 * mail filters open links, too; only POST does something.
 */
export function addReportMails(app: Hono, services: Services, docsPath: string): void {
  const render = privatePages(docsPath)

  app.get('/report-mails/:token', async (context) => {
    const found = await readRecipient(services, context.req.param('token'))
    if (!found) return expiredLinkPage(render)
    if (found.state === 'confirmed') {
      const form = html`<h1>Stop this report?</h1>
<p>The team <strong>${found.team}</strong> sends its report <strong>${found.name}</strong> to ${found.address} on the first of
each month.</p>
<form method="post"><button name="action" value="end">Stop the monthly report</button></form>`
      return render('Stop this report?', form, 200)
    }
    const form = html`<h1>Get a monthly report?</h1>
<p>The team <strong>${found.team}</strong> wants to send its report <strong>${found.name}</strong> to ${found.address} on the
first of each month. Unless you confirm, you get no further e-mail about it.</p>
<form method="post"><button name="action" value="confirm">Yes, send me the report</button></form>`
    return render('Get a monthly report?', form, 200)
  })

  app.post('/report-mails/:token', limitForm(render), async (context) => {
    const action = readRecipientAction(new URLSearchParams(await context.req.text()))
    if (action === null) return context.body(null, 400)
    const found = await changeRecipient(services, context.req.param('token'), action)
    if (!found) return expiredLinkPage(render)
    if (action === 'end') {
      return render(
        'Report stopped',
        html`<h1>You get this report no more</h1><p>${found.address} was removed from <strong>${found.name}</strong>. You can close this page.</p>`,
        200,
      )
    }
    return render(
      'Confirmed',
      html`<h1>You will get the report</h1><p>The team <strong>${found.team}</strong> sends <strong>${found.name}</strong> to ${found.address} on the first of each month. Each mail has a link that stops it. You can close this page.</p>`,
      200,
    )
  })
}
