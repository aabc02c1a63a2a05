import { html } from 'hono/html'
import { phrase, type Translator } from '../core/language/translate.ts'
import { describeDestination } from '../core/sign-in/oauth-client.ts'
import { OAUTH_PATHS } from '../core/sign-in/oauth-metadata.ts'
import type { Role } from '../core/teams/access.ts'
import type { Asking, Consent } from '../operations/sign-in/oauth-consent.ts'
import { type Html, strong } from './page.ts'
import type { Speaker } from './private-page.ts'

/** Keeps the direction of a name that a program gives itself out of the text around it. */
const bdi = (inside: (string | Html)[]): Html => html`<bdi>${inside}</bdi>`

/** The consent form; `params` is the program's request, which the form sends along. */
export function consentForm(
  translator: Translator,
  params: URLSearchParams,
  consent: Consent,
  fault: string | null,
): Html {
  const { t, rich } = translator
  const { client, redirectUri, person, teams } = consent
  const other = `/sign-in?${new URLSearchParams({ to: `${OAUTH_PATHS.authorize}?${params}` })}`
  const acts = rich('It will act as <strong>{name}</strong> ({email}).', {
    strong,
    name: person.name,
    email: person.email,
  })
  const warns = rich(
    '“<bdi>{name}</bdi>” is the name that it gives itself, which is not verified. Your answer goes to <strong>{destination}</strong>.',
    { bdi, strong, name: client.name, destination: describeDestination(redirectUri) },
  )
  return html`<h1>${rich('Connect <bdi>{name}</bdi> to Upbeat?', { bdi, name: client.name })}</h1>
<p>${acts} <a href="${other}">${t('Sign in as someone else')}</a></p>
<p><strong>${t('Continue only if you have just connected this program yourself.')}</strong> ${warns}${origin(translator, client.id)}</p>
${teams.length === 0 ? noTeam(translator) : form(translator, params, consent, fault)}`
}

/** The person decides whether to follow the link: it may lead to an untrusted program. */
export function invalidRequest(
  { t, rich, say }: Speaker,
  { client, redirectUri, why, location }: Extract<Asking, { kind: 'answer' }>,
): Html {
  const asked = rich(
    '“<bdi>{name}</bdi>”, as it calls itself, asked for something that is not available: {why}',
    {
      bdi,
      name: client.name,
      why: say(why),
    },
  )
  const ways = rich(
    '<back>Return to the program</back>: this leads to <strong>{destination}</strong>. Or <home>go to Upbeat</home>.',
    {
      back: (inside) => html`<a href="${location}">${inside}</a>`,
      home: (inside) => html`<a href="/">${inside}</a>`,
      strong,
      destination: describeDestination(redirectUri),
    },
  )
  return html`<h1>${t('The program is not connected')}</h1>
<p>${asked}</p>
<p>${ways}</p>`
}

function noTeam({ rich }: Translator): Html {
  const text = rich(
    'You are not in a team, so there is nothing that it could do. <link>Create a team</link> first, or accept an invitation.',
    { link: (inside) => html`<a href="/new-team">${inside}</a>` },
  )
  return html`<p>${text}</p>`
}

/** A program identified by a URL is as trustworthy as that URL's host. */
function origin({ rich }: Translator, clientId: string): Html {
  if (!clientId.startsWith('https:')) return html``
  const { host } = new URL(clientId)
  return html` ${rich('The program is described at <strong>{host}</strong>.', { strong, host })}`
}

function form(
  { t }: Translator,
  params: URLSearchParams,
  { asked, teams, teamId }: Consent,
  fault: string | null,
): Html {
  const mayWrite = asked.access === 'write' && teams.some(({ role }) => role !== 'viewer')
  return html`<form method="post" action="${OAUTH_PATHS.authorize}">
${[...params].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="team">${t('Team')}</label>
<select id="team" name="team" ${fault ? html`aria-invalid="true" aria-describedby="fault"` : ''}>
${teams.map(({ id, name, role }) => html`<option value="${id}" ${id === teamId ? 'selected' : ''}>${name} ${t(ROLE_WORDS[role])}</option>`)}
</select>
${fault ? html`<p id="fault" class="fault" role="alert">${fault}</p>` : ''}
<fieldset><legend>${t('Permissions')}</legend>
${mayWrite ? html`<label class="choice"><input type="radio" name="access" value="write" checked> ${t('Read and write: create, edit, pause and delete monitors, and create contacts, as far as your role allows')}</label>` : ''}
<label class="choice"><input type="radio" name="access" value="read" ${mayWrite ? '' : 'checked'}> ${t('Read-only: monitors, checks, incidents, contacts and the plan, with secrets masked as for a viewer')}</label>
</fieldset>
<p>${t('The program stays connected while it is used at least once in 30 days. You can revoke it at any time under Team, API tokens; changing your password also disconnects it.')}</p>
<button name="decision" value="allow">${t('Connect')}</button>
<button name="decision" value="deny" class="second">${t('Cancel')}</button></form>`
}

const ROLE_WORDS = {
  owner: phrase('(you are owner)'),
  admin: phrase('(you are admin)'),
  viewer: phrase('(you are viewer: it can only read)'),
} as const satisfies Record<Role, string>
