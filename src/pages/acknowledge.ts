import type { Hono } from 'hono'
import { html } from 'hono/html'
import { formatDuration } from '../core/duration.ts'
import { Refusal } from '../core/errors.ts'
import { readableTime } from '../core/language/readable-time.ts'
import { phrase, type Translator } from '../core/language/translate.ts'
import { secondsBetween } from '../core/monitors/incident.ts'
import { pathOfIncident } from '../core/monitors/incidents/incident-kind.ts'
import {
  type Acknowledged,
  type Acknowledgement,
  MAX_INCIDENT_NOTE_LENGTH,
} from '../core/on-call/acknowledgement.ts'
import { isGroupLink } from '../operations/on-call/group-links.ts'
import {
  acknowledgeLinked,
  type LinkedIncident,
  type LinkFault,
  readLinked,
} from '../operations/on-call/links.ts'
import type { Services } from '../operations/services.ts'
import { acknowledgeGroup, showGroup } from './acknowledge-group.ts'
import { type Html, strong } from './page.ts'
import { limitForm, privatePages, type Speaker } from './private-page.ts'

/**
 * The page linked from alerts, on which a contact says that they have the incident, without signing in. Link scanners and
 * previews open links, too: GET shows the incident, and only POST acknowledges it. Nobody else knows the address, so that a
 * foreign page cannot have a browser send the form.
 */
export function addAcknowledge(app: Hono, services: Services, docsPath: string): void {
  const speakerOf = privatePages(docsPath)

  app.get('/ack/:token', async (context) => {
    const speaker = speakerOf(context)
    const token = context.req.param('token')
    if (isGroupLink(services, token)) return answer(speaker, await showGroup(speaker, services, token))
    const found = await readLinked(services, token)
    if ('fault' in found) return refuse(speaker, found)
    const { incident, acknowledgement } = found
    if (acknowledgement) return alreadyPage(speaker, incident, acknowledgement, services)
    const title = speaker.t('Acknowledge {name}', { name: incident.name })
    return speaker.render(title, formOf(speaker, incident, services), 200)
  })

  app.post('/ack/:token', limitForm(speakerOf), async (context) => {
    const speaker = speakerOf(context)
    const token = context.req.param('token')
    const form = new URLSearchParams(await context.req.text())
    try {
      if (isGroupLink(services, token)) {
        return answer(speaker, await acknowledgeGroup(speaker, services, token, form))
      }
      const done = await acknowledgeLinked(services, token, form)
      if ('fault' in done) return refuse(speaker, done)
      if (!done.is_new) return alreadyPage(speaker, done.incident, done.acknowledgement, services)
      return speaker.render(speaker.t('Acknowledged'), donePage(speaker, done, services), 200)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'validationFailed') throw error
      const words = speaker.t('Nothing was acknowledged yet: go back and shorten the note.')
      const title = speaker.t('The note is too long')
      return speaker.render(title, html`<h1>${title}</h1><p>${words}</p>`, 422)
    }
  })
}

function answer(speaker: Speaker, found: Response | { fault: LinkFault }) {
  return found instanceof Response ? found : refuse(speaker, found)
}

function formOf({ t, rich }: Translator, incident: LinkedIncident, services: Services): Html {
  const { isDrill, name, teamName: team, cause, startedAt, contactName: contact } = incident
  const facts = isDrill
    ? html`<p>${rich('This is a drill of the team <strong>{team}</strong>: nothing is down.', { strong, team })}</p>`
    : html`<p>${cause}</p><p>${rich('For {duration}, since {time}. Team: <strong>{team}</strong>.', {
        strong,
        team,
        duration: formatDuration(secondsBetween(startedAt, services.databaseNow())),
        time: timeFor(incident, startedAt.toISOString()),
      })}</p>`
  return html`<h1>${isDrill ? t('{name}: a drill', { name }) : t('{name} is down', { name })}</h1>
${facts}
<form method="post">
<label>${t('Note for your team (optional)')}<textarea name="note" rows="2" maxlength="${MAX_INCIDENT_NOTE_LENGTH}"></textarea></label>
<button>${t('Acknowledge as {contact}', { contact })}</button>
<p class="note">${t('This stops reminders and escalation. Checks continue, and you still get an alert of the recovery.')}</p>
</form>
${leadTo(t, incident, services)}`
}

/** For those who can sign in. */
function leadTo(
  t: Translator['t'],
  { teamId, ref: { kind, id } }: LinkedIncident,
  { siteUrl }: Services,
): Html {
  const path =
    kind === 'drill' ? `/teams/${teamId}/on-call/drills/${id}` : pathOfIncident(teamId, { kind, id })
  return html`<p><a href="${siteUrl}${path}">${t('Open it in Upbeat')}</a></p>`
}

function donePage(
  { t, rich }: Translator,
  { incident, acknowledgement, already_sent: sent }: Acknowledged & { incident: LinkedIncident },
  services: Services,
): Html {
  const about = rich(
    '<strong>{name}</strong> was acknowledged at {time} as {contact}. You can close this page.',
    {
      strong,
      name: incident.name,
      time: timeFor(incident, acknowledgement.at),
      contact: incident.contactName,
    },
  )
  const late = sent.map(({ kind, number, at }) =>
    kind === 'step'
      ? t('Step {number} was already sent at {time}.', { number, time: timeFor(incident, at) })
      : t('A reminder was already sent at {time}.', { time: timeFor(incident, at) }),
  )
  return html`<h1>${t('Incident acknowledged')}</h1><p>${about}</p>${late.map((words) => html`<p>${words}</p>`)}${leadTo(t, incident, services)}`
}

function alreadyPage(
  { t, rich, render }: Speaker,
  incident: LinkedIncident,
  { by, at, note }: Acknowledgement,
  services: Services,
) {
  const about = rich('<strong>{name}</strong> was already acknowledged by {person} at {time}.', {
    strong,
    name: incident.name,
    person: by ?? t('a former member'),
    time: timeFor(incident, at),
  })
  const said = note === null ? '' : html`<p>${t('Note: {note}', { note })}</p>`
  const title = t('Already acknowledged')
  return render(title, html`<h1>${title}</h1><p>${about}</p>${said}${leadTo(t, incident, services)}`, 200)
}

const REASONS = {
  unknown: {
    title: phrase('This link is not valid'),
    why: phrase('The link was changed or cut off. Open it from the alert again.'),
    status: 404,
  },
  gone: {
    title: phrase('There is nothing to acknowledge'),
    why: phrase('The incident, or the contact that got this link, no longer exists in the team.'),
    status: 404,
  },
  over: {
    title: phrase('This incident is over'),
    why: phrase('The link worked until the incident ended.'),
    status: 410,
  },
  allOver: {
    title: phrase('These incidents are over'),
    why: phrase('The link worked until the last of them ended.'),
    status: 410,
  },
} as const satisfies Record<LinkFault, { title: string; why: string; status: number }>

function refuse(
  { t, rich, render }: Speaker,
  { fault, incident }: { fault: LinkFault; incident?: LinkedIncident | undefined },
) {
  const { title, why, status } = REASONS[fault]
  const ended = incident?.resolvedAt
    ? html`<p>${rich('<strong>{name}</strong> recovered or was ended at {time}.', {
        strong,
        name: incident.name,
        time: timeFor(incident, incident.resolvedAt.toISOString()),
      })}</p>`
    : ''
  return render(t(title), html`<h1>${t(title)}</h1>${ended}<p>${t(why)}</p>`, status)
}

/** As the alert has it that led here. */
function timeFor({ timeZone }: LinkedIncident, at: string): string {
  return readableTime(at, timeZone)
}
