import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { Refusal } from '../core/errors.ts'
import type { Translator } from '../core/language/translate.ts'
import type { Faults as Broken } from '../core/validation.ts'
import { hasAccounts, setUp } from '../operations/accounts/setup.ts'
import type { Services } from '../operations/services.ts'
import type { Visitor } from '../operations/sign-in/sessions.ts'
import { type Html, PAGE_HEADERS, strong } from './page.ts'
import { limitForm, privatePages, type Speaker } from './private-page.ts'

/**
 * The secret follows the `#` of the link, which only the browser sees. This script copies it into the form, also when
 * the link is pasted into a tab that already shows the page, which loads nothing. It also compares the service's public
 * address with the address that was opened.
 */
const SCRIPT = `const field = document.getElementById('link')
function takeLink() {
  if (location.hash.length < 2) return
  field.value = location.hash.slice(1)
  document.getElementById('code').hidden = true
  history.replaceState(null, '', location.pathname)
}
takeLink()
addEventListener('hashchange', takeLink)
const site = document.getElementById('site')
if (new URL(site.dataset.url).origin !== location.origin) {
  for (const place of site.querySelectorAll('.opened')) place.textContent = location.origin
  site.querySelector('.differs').hidden = false
}
`

const HEADERS = {
  'content-security-policy': `${PAGE_HEADERS['content-security-policy']}; script-src 'self'`,
  // With no referrer at all, browsers would not send the form's origin either.
  'referrer-policy': 'same-origin',
}

const FIELDS = ['link', 'email', 'name', 'team', 'password'] as const
type Field = (typeof FIELDS)[number]
type Faults = Partial<Record<Field, string>>

/** The page behind the setup link: creates the first account and its team, and signs in. */
export function addSetup(
  app: Hono,
  services: Services,
  visitorOf: (context: Context) => Visitor,
  docsPath: string,
): void {
  const speakerOf = privatePages(docsPath, HEADERS, 'front')
  const done = ({ t, render }: Speaker) =>
    render(
      t('Already set up'),
      html`<h1>${t('This service is set up')}</h1>
<p>${t('An account exists, so setup links no longer work.')} <a href="/sign-in">${t('Sign in')}</a></p>`,
      404,
    )

  app.get('/setup/link.js', (context) =>
    context.body(SCRIPT, 200, {
      'content-type': 'text/javascript; charset=utf-8',
    }),
  )

  app.get('/setup', async (context) => {
    const speaker = speakerOf(context)
    if (await hasAccounts(services)) return done(speaker)
    return speaker.render(speaker.t('Set up'), form(speaker, services, {}, {}), 200)
  })

  const limit = limitForm(speakerOf)
  app.post('/setup', limit, async (context) => {
    const speaker = speakerOf(context)
    const { t, render } = speaker
    const sent = withoutAddress((await context.req.parseBody()) as Record<string, unknown>)
    try {
      const { cookie, teamId } = await setUp(services, sent, visitorOf(context))
      // Relative, because the cookie belongs to the host name that opened the page.
      const location = `/teams/${teamId}/welcome`
      return new Response(null, { status: 303, headers: { ...HEADERS, location, 'set-cookie': cookie } })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (await hasAccounts(services)) return done(speaker)
      const faults =
        error.code === 'validationFailed'
          ? firstFaults(speaker, error.faults)
          : { link: t('This link does not work. Use the one that the service printed when it last started.') }
      return render(t('Set up'), form(speaker, services, sent, faults), 422)
    }
  })
}

/** Extracts the code from a whole link pasted into the field. */
function withoutAddress(sent: Record<string, unknown>): Record<string, unknown> {
  const { link } = sent
  return typeof link === 'string' ? { ...sent, link: link.slice(link.lastIndexOf('#') + 1).trim() } : sent
}

function firstFaults({ sayFault }: Speaker, errors: Broken): Faults {
  return Object.fromEntries(
    FIELDS.map((field) => [field, errors[field]?.[0] && sayFault(errors[field][0], field)]),
  )
}

function form(
  translator: Translator,
  { siteUrl }: Services,
  sent: Record<string, unknown>,
  faults: Faults,
): Html {
  const { t } = translator
  const value = (field: Field) => (typeof sent[field] === 'string' ? sent[field] : '')
  const knowsLink = value('link') !== '' && !faults.link
  return html`<h1>${t('Set up Upbeat')}</h1>
<p>${t('Create the operator account and its team. The link works once.')}</p>
<form method="post">
<div id="code" ${knowsLink ? 'hidden' : ''}>${input('link', t('Setup code (the part of the link after #)'), faults, html`value="${value('link')}" autocomplete="off"`)}
<p class="note">${t('Upbeat printed the link when it started: in the terminal, or in the log of its container or unit. You can also paste the whole link.')}</p></div>
${input('name', t('Your name'), faults, html`value="${value('name')}" autocomplete="name" maxlength="255"`)}
${input('email', t('Your e-mail address'), faults, html`value="${value('email')}" type="email" autocomplete="username"`)}
${input('password', t('Password (at least 8 characters)'), faults, html`type="password" autocomplete="new-password" minlength="8"`)}
${input('team', t('Team name'), faults, html`value="${value('team')}" autocomplete="organization" maxlength="255"`)}
${address(translator, siteUrl)}
<button>${t('Create account')}</button></form>
<script src="setup/link.js" defer></script>`
}

/** Shows SITE_URL, which everyone else will be given, while it can still be corrected. */
function address({ rich }: Translator, siteUrl: string): Html {
  const points = rich(
    'Alerts, invitations, badges and ping URLs will point to <strong>{siteUrl}</strong>. If others reach this service at another address, save it under Service settings once you are signed in, or restart Upbeat with <code>SITE_URL</code> set to it.',
    { strong, code: (inside) => html`<code>${inside}</code>`, siteUrl },
  )
  const differs = rich('You opened this page at {opened}, which is a different address:', {
    opened: html`<strong class="opened"></strong>`,
  })
  return html`<div id="site" class="note" data-url="${siteUrl}"><p>${points}</p>
<p class="differs" role="alert" hidden>${differs}
<code>SITE_URL=<span class="opened"></span></code></p></div>`
}

function input(field: Field, label: string, faults: Faults, attributes: Html): Html {
  const fault = faults[field]
  return html`<label for="${field}">${label}</label>
<input id="${field}" name="${field}" required ${attributes} ${fault ? html`aria-invalid="true" aria-describedby="${field}-fault"` : ''}>
${fault ? html`<p id="${field}-fault" class="fault" role="alert">${fault}</p>` : ''}`
}
