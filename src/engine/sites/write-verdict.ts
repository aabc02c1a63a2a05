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
  const resolvedAt = open && resolves ? await resolveSiteIncident(client, open.id, at) : at
  const told = open && resolves ? await closeEscalation(client, { kind: 'site', id: open.id }) : NOTHING_TOLD
  const opened = opens && {
    siteId,
    area,
    startedAt: opens.startedAt,
    id: await openSiteIncident(client, { teamId, siteId, area, ...opens }),
  }
  const current = opened ?? (resolves ? null : open)
  if (events.length === 0) return current
  const subject = { kind: 'site', id: siteId } as const
  const contacts = await readRecipients(client, subject, teamId)
  for (const { event, cause } of events) {
    const incident = event === 'site.down' ? current : event === 'site.recovery' && resolves ? open : null
    const occurredAt = event === 'site.down' ? (incident?.startedAt ?? at) : resolvedAt
    const news = { event, area, cause, occurredAt, since: incident?.startedAt ?? since, still }
    const alert = JSON.stringify(
      event === 'site.recovery' ? withAcknowledgement(siteAlert(site, news), told) : siteAlert(site, news),
    )
    await insertDeliveries(client, {
      teamId,
      subject,
      incidentId: incident?.id ?? null,
      event,
      alert,
      recipients: addressees(contacts, event, event === 'site.recovery' ? told.escalatedTo : []),
    })
    if (event === 'site.down' && opened) {
      await openEscalation(client, subject, { teamId, incidentId: opened.id, alert })
    }
  }
  return current
}
