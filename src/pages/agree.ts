import type { Hono } from 'hono'
import { html } from 'hono/html'
import { ASKED_FOR } from '../core/accounts/asked-address.ts'
import { agree, readAgreement } from '../operations/alerting/agreements.ts'
import type { Services } from '../operations/services.ts'
import { addLinkPage } from './link-page.ts'
import { strong } from './page.ts'
import { expiredLinkPage, privatePages, type Speaker } from './private-page.ts'

/** The page linked from the letter that asks for agreement to alerts. */
export function addAgree(app: Hono, services: Services, docsPath: string): void {
  const speakerOf = privatePages(docsPath)
  const done = ({ t, rich, render }: Speaker, team: string) =>
    render(
      t('Agreed'),
      html`<h1>${t('You will get alerts')}</h1>
<p>${rich('The team <strong>{team}</strong> can now send alerts to this address. You can close this page.', { strong, team })}</p>`,
      200,
    )

  addLinkPage(app, `${ASKED_FOR.alerts.path}:link`, speakerOf, {
    read: (link) => readAgreement(services, link),
    ask({ speaker, found }) {
      if (found.hasAgreed) return done(speaker, found.team)
      const { t, rich, render } = speaker
      const asks = rich(
        'The team <strong>{team}</strong> wants to send you an alert when one of its monitors goes down. Unless you agree, you get no further e-mail from it.',
        { strong, team: found.team },
      )
      const form = html`<h1>${t('Get alerts at this address?')}</h1>
<p>${asks}</p>
<form method="post"><button>${t('Yes, send me alerts')}</button></form>`
      return render(t('Get alerts at this address?'), form, 200)
    },
    submit: async ({ speaker, link, found }) =>
      (await agree(services, link)) ? done(speaker, found.team) : expiredLinkPage(speaker),
  })
}
