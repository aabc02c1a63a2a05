import { html } from 'hono/html'
import { describeDestination } from '../core/sign-in/oauth-client.ts'
import { OAUTH_PATHS } from '../core/sign-in/oauth-metadata.ts'
import type { Asking, Consent } from '../operations/sign-in/oauth-consent.ts'
import type { Html } from './page.ts'

/** The consent form; `params` is the program's request, which the form sends along. */
export function consentForm(params: URLSearchParams, consent: Consent, fault: string | null): Html {
  const { client, redirectUri, person, teams } = consent
  const other = `/sign-in?${new URLSearchParams({ to: `${OAUTH_PATHS.authorize}?${params}` })}`
  return html`<h1>Connect <bdi>${client.name}</bdi> to Upbeat?</h1>
<p>It will act as <strong>${person.name}</strong> (${person.email}). <a href="${other}">Sign in as someone else</a></p>
<p><strong>Continue only if you have just connected this program yourself.</strong> “<bdi>${client.name}</bdi>” is the name
that it gives itself, which is not verified. Your answer goes to <strong>${describeDestination(redirectUri)}</strong>${origin(client.id)}.</p>
${teams.length === 0 ? NO_TEAM : form(params, consent, fault)}`
}

/** The person decides whether to follow the link: it may lead to an untrusted program. */
export function invalidRequest({
  client,
  redirectUri,
  why,
  location,
}: Extract<Asking, { kind: 'answer' }>): Html {
  return html`<h1>The program is not connected</h1>
<p>“<bdi>${client.name}</bdi>”, as it calls itself, asked for something that is not available: ${why}</p>
<p><a href="${location}">Return to the program</a>: this leads to <strong>${describeDestination(redirectUri)}</strong>. Or
<a href="/">go to Upbeat</a>.</p>`
}

const NO_TEAM = html`<p>You are not in a team, so there is nothing that it could do.
<a href="/new-team">Create a team</a> first, or accept an invitation.</p>`

/** A program identified by a URL is as trustworthy as that URL's host. */
function origin(clientId: string): Html {
  return clientId.startsWith('https:')
    ? html`; the program is described at <strong>${new URL(clientId).host}</strong>`
    : html``
}

function form(params: URLSearchParams, { asked, teams, teamId }: Consent, fault: string | null): Html {
  const mayWrite = asked.access === 'write' && teams.some(({ role }) => role !== 'viewer')
  return html`<form method="post" action="${OAUTH_PATHS.authorize}">
${[...params].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="team">Team</label>
<select id="team" name="team" ${fault ? html`aria-invalid="true" aria-describedby="fault"` : ''}>
${teams.map(({ id, name, role }) => html`<option value="${id}" ${id === teamId ? 'selected' : ''}>${name} (you are ${ROLE_WORDS[role]})</option>`)}
</select>
${fault ? html`<p id="fault" class="fault" role="alert">${fault}</p>` : ''}
<fieldset><legend>Permissions</legend>
${
  mayWrite
    ? html`<label class="choice"><input type="radio" name="access" value="write" checked> Read and write: create, edit, pause
and delete monitors, and create contacts, as far as your role allows</label>`
    : ''
}
<label class="choice"><input type="radio" name="access" value="read" ${mayWrite ? '' : 'checked'}> Read-only: monitors,
checks, incidents, contacts and the plan, with secrets masked as for a viewer</label>
</fieldset>
<p>The program stays connected while it is used at least once in 30 days. You can revoke it at any time under
Team, API tokens; changing your password also disconnects it.</p>
<button name="decision" value="allow">Connect</button>
<button name="decision" value="deny" class="second">Cancel</button></form>`
}

const ROLE_WORDS = { owner: 'owner', admin: 'admin', viewer: 'viewer: it can only read' }
