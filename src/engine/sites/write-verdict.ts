import { addressees } from '../../core/alerting/alert-routing.ts'
import type { SiteArea } from '../../core/sites/area.ts'
import type { AreaVerdict } from '../../core/sites/verdict.ts'
import type { Connection } from '../../postgres/database.ts'
import { insertDeliveries, readRecipients } from '../../store/alerting/new-deliveries.ts'
import {
  type OpenSiteIncident,
  openSiteIncident,
  resolveSiteIncident,
  type SiteSubject,
} from '../../store/sites/recording.ts'
import { siteAlert } from '../alerting/site-alert.ts'

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
  const resolvedAt = open && resolves ? await resolveSiteIncident(client, open.id, at) : at
  const opened = opens && {
    siteId,
    area,
    startedAt: opens.startedAt,
    id: await openSiteIncident(client, { teamId, siteId, area, ...opens }),
  }
  const current = opened ?? (resolves ? null : open)
  if (events.length === 0) return current
  const contacts = await readRecipients(client, { kind: 'site', id: siteId }, teamId)
  for (const { event, cause } of events) {
    const incident = event === 'site.down' ? current : event === 'site.recovery' && resolves ? open : null
    const occurredAt = event === 'site.down' ? (incident?.startedAt ?? at) : resolvedAt
    const alert = siteAlert(site, {
      event,
      area,
      cause,
      occurredAt,
      since: incident?.startedAt ?? since,
      still,
    })
    await insertDeliveries(client, {
      teamId,
      subject: { kind: 'site', id: siteId },
      incidentId: incident?.id ?? null,
      event,
      alert: JSON.stringify(alert),
      recipients: addressees(contacts, event),
    })
  }
  return current
}
