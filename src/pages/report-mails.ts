import type { Hono } from 'hono'
import { html } from 'hono/html'
import { ASKED_FOR, readPressed } from '../core/accounts/asked-address.ts'
import type { Translator } from '../core/language/translate.ts'
import { RecipientAction } from '../core/reports/recipient.ts'
import { changeRecipient, readRecipient } from '../operations/reports/recipients.ts'
import type { Services } from '../operations/services.ts'
import { addLinkPage } from './link-page.ts'
import { type Html, strong } from './page.ts'
import { expiredLinkPage, privatePages } from './private-page.ts'

/** The page linked from monthly mails, and from the letter that asks for consent to them. */
export function addReportMails(app: Hono, services: Services, docsPath: string): void {
  const speakerOf = privatePages(docsPath)

  addLinkPage(app, `${ASKED_FOR.report.path}:link`, speakerOf, {
    read: (link) => readRecipient(services, link),
    ask({ speaker, found }) {
      const { t, render } = speaker
      if (found.state === 'confirmed') return render(t('Stop this report?'), stopForm(speaker, found), 200)
      return render(t('Get a monthly report?'), confirmForm(speaker, found), 200)
    },
    async submit({ speaker, context, link }) {
      const action = readPressed(new URLSearchParams(await context.req.text()), RecipientAction)
      if (action === null) return context.body(null, 400)
      const { t, render } = speaker
      const found = await changeRecipient(services, link, action)
      if (!found) return expiredLinkPage(speaker)
      if (action === 'end') return render(t('Report stopped'), stopped(speaker, found), 200)
      return render(t('Confirmed'), confirmed(speaker, found), 200)
    },
  })
}

type Named = { team: string; name: string; address: string }

function stopForm({ t, rich }: Translator, { team, name, address }: Named): Html {
  const about = rich(
    'The team <strong>{team}</strong> sends its report <strong>{name}</strong> to {address} on the first of each month.',
    { strong, team, name, address },
  )
  return html`<h1>${t('Stop this report?')}</h1>
<p>${about}</p>
<form method="post"><button name="action" value="end">${t('Stop the monthly report')}</button></form>`
}

function confirmForm({ t, rich }: Translator, { team, name, address }: Named): Html {
  const about = rich(
    'The team <strong>{team}</strong> wants to send its report <strong>{name}</strong> to {address} on the first of each month. Unless you confirm, you get no further e-mail about it.',
    { strong, team, name, address },
  )
  return html`<h1>${t('Get a monthly report?')}</h1>
<p>${about}</p>
<form method="post"><button name="action" value="confirm">${t('Yes, send me the report')}</button></form>`
}

function stopped({ t, rich }: Translator, { name, address }: Named): Html {
  const about = rich('{address} was removed from <strong>{name}</strong>. You can close this page.', {
    strong,
    name,
    address,
  })
  return html`<h1>${t('You no longer get this report')}</h1><p>${about}</p>`
}

function confirmed({ t, rich }: Translator, { team, name, address }: Named): Html {
  const about = rich(
    'The team <strong>{team}</strong> sends <strong>{name}</strong> to {address} on the first of each month. Each mail has a link that stops it. You can close this page.',
    { strong, team, name, address },
  )
  return html`<h1>${t('You will get the report')}</h1><p>${about}</p>`
}
