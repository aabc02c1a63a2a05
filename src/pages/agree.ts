import type { Hono } from 'hono'
import { html } from 'hono/html'
import { agree, readAgreement } from '../operations/alerting/agreements.ts'
import type { Services } from '../operations/services.ts'
import { strong } from './page.ts'
import { expiredLinkPage, privatePages, type Speaker } from './private-page.ts'

/**
 * The page linked from the letter that asks for agreement to alerts. It asks for a click first, because mail filters
 * open links, too.
 */
export function addAgree(app: Hono, services: Services, docsPath: string): void {
  const speakerOf = privatePages(docsPath)
  const done = ({ t, rich, render }: Speaker, team: string) =>
    render(
      t('Agreed'),
      html`<h1>${t('You will get alerts')}</h1>
<p>${rich('The team <strong>{team}</strong> can now send alerts to this address. You can close this page.', { strong, team })}</p>`,
      200,
    )

  app.get('/agree/:link', async (context) => {
    const speaker = speakerOf(context)
    const { t, rich, render } = speaker
    const found = await readAgreement(services, context.req.param('link'))
    if (!found) return expiredLinkPage(speaker)
    if (found.hasAgreed) return done(speaker, found.team)
    const asks = rich(
      'The team <strong>{team}</strong> wants to send you an alert when one of its monitors goes down. Unless you agree, you get no further e-mail from it.',
      { strong, team: found.team },
    )
    const form = html`<h1>${t('Get alerts at this address?')}</h1>
<p>${asks}</p>
<form method="post"><button>${t('Yes, send me alerts')}</button></form>`
    return render(t('Get alerts at this address?'), form, 200)
  })

  app.post('/agree/:link', async (context) => {
    const link = context.req.param('link')
    const found = await readAgreement(services, link)
    const speaker = speakerOf(context)
    return found && (await agree(services, link)) ? done(speaker, found.team) : expiredLinkPage(speaker)
  })
}
