import type { SiteArea } from '../../core/sites/area.ts'
import { type AreaNews, digestCrawl } from '../../core/sites/crawl-digest.ts'
import type { AreaVerdict } from '../../core/sites/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { openIncident, resolveIncident } from '../../store/incidents/recording.ts'
import type { OpenSiteIncident, SiteSubject } from '../../store/sites/recording.ts'
import { tellBeginning, tellEnd } from '../alerting/damp.ts'
import { type SiteNews, siteAlert } from '../alerting/site-alert.ts'
import { tell } from '../alerting/tell.ts'
import { closeEscalation, NOTHING_TOLD } from '../on-call/close-escalation.ts'

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
    id: await openIncident(client, { kind: 'site', teamId, subjectId: siteId, about: area, ...opens }),
  }
  const current = opened ?? (resolves ? null : open)
  for (const { event, cause } of events) {
    const incident = event === 'site.down' ? current : event === 'site.recovery' && resolves ? open : null
    const occurredAt = event === 'site.down' ? (incident?.startedAt ?? at) : (resolved?.resolvedAt ?? at)
    const news = { event, areas: [area], cause, occurredAt, since: incident?.startedAt ?? since, still }
    const telling = {
      ...aboutSite(site, news),
      ...(event === 'site.recovery' && { told }),
      opens: event === 'site.down' && opened !== null,
    }
    if (incident === null) {
      await tell(client, { ...telling, incidentId: null })
      continue
    }
    const ofIncident = { ...telling, incidentId: incident.id }
    const isEnd = event === 'site.recovery'
    const change = {
      ...{ about: area, at: isEnd ? occurredAt : incident.startedAt, isNew: isEnd || opened !== null },
    }
    if (isEnd) {
      const isUntold = resolved?.isUntold ?? false
      await tellEnd(client, { rule: site.flapRule, change, isUntold }, ofIncident)
    } else await tellBeginning(client, { rule: site.flapRule, change }, ofIncident)
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
  if (digest) {
    await tell(client, { ...aboutSite(site, { ...digest, occurredAt: at, still }), incidentId: null })
  }
}

function aboutSite(site: SiteSubject, news: SiteNews) {
  const { siteId, teamId } = site
  return { teamId, subject: { kind: 'site', id: siteId }, alert: siteAlert(site, news) } as const
}
