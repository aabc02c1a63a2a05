import { addressees } from '../../core/alerting/alert-routing.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import { type AreaNews, digestCrawl } from '../../core/sites/crawl-digest.ts'
import type { AreaVerdict } from '../../core/sites/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { insertDeliveries, readRecipients } from '../../store/alerting/new-deliveries.ts'
import { openIncident, resolveIncident } from '../../store/incidents/recording.ts'
import type { OpenSiteIncident, SiteSubject } from '../../store/sites/recording.ts'
import { type SiteNews, siteAlert } from '../alerting/site-alert.ts'
import { closeEscalation, NOTHING_TOLD, withAcknowledgement } from '../on-call/close-escalation.ts'
import { openEscalation } from '../on-call/open-escalation.ts'

type Consequences = {
  site: SiteSubject
  area: SiteArea
  open: OpenSiteIncident | null
  /** Since when the area has been what it was. */
  since: Date
  /** Other areas that contacts know to be in trouble. */
  still: SiteArea[]
  at: Date
}

/** Writes the incident that a verdict ends or begins, with its deliveries; returns the one that is open afterwards. */
export async function writeVerdict(
  client: Connection,
  { opens, resolves, events }: Pick<AreaVerdict, 'opens' | 'resolves' | 'events'>,
  { site, area, open, since, still, at }: Consequences,
): Promise<OpenSiteIncident | null> {
  const { siteId, teamId } = site
  const ending = open && resolves ? ({ kind: 'site', id: open.id } as const) : null
  const resolved = ending && (await resolveIncident(client, ending, at))
  const told = ending ? await closeEscalation(client, ending) : NOTHING_TOLD
  const opened = opens && {
    siteId,
    area,
    startedAt: opens.startedAt,
    id: await openIncident(client, { kind: 'site', teamId, subjectId: siteId, area, ...opens }),
  }
  const current = opened ?? (resolves ? null : open)
  for (const { event, cause } of events) {
    const incident = event === 'site.down' ? current : event === 'site.recovery' && resolves ? open : null
    const occurredAt = event === 'site.down' ? (incident?.startedAt ?? at) : (resolved?.resolvedAt ?? at)
    const news = { event, areas: [area], cause, occurredAt, since: incident?.startedAt ?? since, still }
    const alert = await tell(client, site, news, incident, told)
    if (event === 'site.down' && opened) {
      await openEscalation(client, { kind: 'site', id: siteId }, { teamId, incidentId: opened.id, alert })
    }
  }
  return current
}

/** Queues one alert for all that a crawl has to tell; it opens no incident. */
export async function tellCrawl(
  client: Connection,
  site: SiteSubject,
  news: readonly AreaNews[],
  still: SiteArea[],
  at: Date,
): Promise<void> {
  const digest = digestCrawl(news)
  if (digest) await tell(client, site, { ...digest, occurredAt: at, still }, null, NOTHING_TOLD)
}

async function tell(
  client: Connection,
  site: SiteSubject,
  news: SiteNews,
  incident: OpenSiteIncident | null,
  told: typeof NOTHING_TOLD,
): Promise<string> {
  const { siteId, teamId } = site
  const { event } = news
  const subject = { kind: 'site', id: siteId } as const
  const content = siteAlert(site, news)
  const alert = JSON.stringify(event === 'site.recovery' ? withAcknowledgement(content, told) : content)
  const contacts = await readRecipients(client, subject, teamId)
  await insertDeliveries(client, {
    teamId,
    subject,
    incidentId: incident?.id ?? null,
    event,
    alert,
    recipients: addressees(contacts, event, event === 'site.recovery' ? told.escalatedTo : []),
  })
  return alert
}
