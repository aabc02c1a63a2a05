import { html } from 'hono/html'
import { formatDuration } from '../core/duration.ts'
import type { Translator } from '../core/language/translate.ts'
import { secondsBetween } from '../core/monitors/incident.ts'
import { MAX_INCIDENT_NOTE_LENGTH } from '../core/on-call/acknowledgement.ts'
import {
  acknowledgeLinkedGroup,
  type GroupedIncident,
  type LinkedGroup,
  openOnes,
  readLinkedGroup,
} from '../operations/on-call/group-links.ts'
import type { LinkFault } from '../operations/on-call/links.ts'
import type { Services } from '../operations/services.ts'
import { type Html, strong } from './page.ts'
import type { Speaker } from './private-page.ts'

/** Further incidents are counted. */
const MAX_SHOWN = 500

/** The page of a link that acknowledges all incidents of a message; see `addAcknowledge`. */
export async function showGroup(
  speaker: Speaker,
  services: Services,
  token: string,
): Promise<Response | { fault: LinkFault }> {
  const group = await readLinkedGroup(services, token)
  if ('fault' in group) return group
  const open = openOnes(group)
  if (open.length === 0) return heldPage(speaker, group, services.databaseNow())
  const title = speaker.t('Acknowledge {count, plural, one {# incident} other {# incidents}}', {
    count: open.length,
  })
  return speaker.render(title, formOf(speaker, group, open, services.databaseNow()), 200)
}

/** Does what the button of that page says. */
export async function acknowledgeGroup(
  speaker: Speaker,
  services: Services,
  token: string,
  form: URLSearchParams,
): Promise<Response | { fault: LinkFault }> {
  const done = await acknowledgeLinkedGroup(services, token, form)
  if ('fault' in done) return done
  const { group, taken } = done
  if (taken.length === 0) return heldPage(speaker, group, services.databaseNow())
  const { t, rich, render } = speaker
  const about = rich(
    '{count, plural, one {# incident was} other {# incidents were}} acknowledged as {contact}. You can close this page.',
    { count: taken.length, contact: group.contactName },
  )
  const title = t('{count, plural, one {# incident} other {# incidents}} acknowledged', {
    count: taken.length,
  })
  return render(
    t('Acknowledged'),
    html`<h1>${title}</h1><p>${about}</p>${listOf(speaker, taken, services.databaseNow())}`,
    200,
  )
}

function formOf(speaker: Translator, group: LinkedGroup, open: GroupedIncident[], now: Date): Html {
  const { t, rich } = speaker
  const { teamName: team, contactName: contact, incidents } = group
  const others = incidents.filter((incident) => !open.includes(incident))
  return html`<h1>${t('{count, plural, one {# incident} other {# incidents}} not acknowledged', { count: open.length })}</h1>
<p>${rich('Team: <strong>{team}</strong>.', { strong, team })}</p>
<form method="post">
<label>${t('Note for your team (optional)')}<textarea name="note" rows="2" maxlength="${MAX_INCIDENT_NOTE_LENGTH}"></textarea></label>
<button>${t('Acknowledge {count, plural, one {it} other {all #}} as {contact}', { count: open.length, contact })}</button>
<p class="note">${t('This stops reminders and escalation. Checks continue, and you still get an alert of the recovery.')}</p>
</form>
<h2>${t('In this alert')}</h2>${listOf(speaker, open, now)}${others.length > 0 ? html`<h2>${t('Already acknowledged or over')}</h2>${listOf(speaker, others, now)}` : ''}`
}

/** Where somebody has every incident that is still open. */
function heldPage(speaker: Speaker, { incidents }: LinkedGroup, now: Date): Promise<Response> {
  const title = speaker.t('Already acknowledged')
  return speaker.render(title, html`<h1>${title}</h1>${listOf(speaker, incidents, now)}`, 200)
}

function listOf({ t }: Translator, incidents: GroupedIncident[], now: Date): Html {
  const lines = incidents.slice(0, MAX_SHOWN).map(({ name, cause, startedAt, isOver, holder }) => {
    const state = isOver
      ? t('over')
      : holder
        ? t('acknowledged by {person}', { person: holder.by ?? t('a former member') })
        : t('for {duration}', { duration: formatDuration(secondsBetween(startedAt, now)) })
    return html`<li><strong>${name}</strong><br><small>${[cause, state].filter(Boolean).join(' · ')}</small></li>`
  })
  const left = incidents.length - lines.length
  const more = left > 0 ? html`<p>${t('and {count} more', { count: String(left) })}</p>` : ''
  return html`<ul class="incidents">${lines}</ul>${more}`
}
