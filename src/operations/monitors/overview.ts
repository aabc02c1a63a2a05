import { MAIL_IS_NOT_SET_UP } from '../../core/alerting/delivery-log.ts'
import { formatInstant } from '../../core/instant.ts'
import { secondsBetween } from '../../core/monitors/incident.ts'
import type {
  AttentionItem,
  FailingContact,
  RecentEvent,
  ServerAttention,
  SiteAttention,
} from '../../core/monitors/overview.ts'
import { LiveStatus, type StatusCounts } from '../../core/monitors/status.ts'
import {
  countByStatus,
  countContacts,
  type FailingContactRow,
  failingContacts,
  type IncidentEvent,
  monitorsNeedingAttention,
  newestEvents,
} from '../../store/monitors/overview.ts'
import { countServersByStatus, type ServerInTrouble, serversInTrouble } from '../../store/servers/overview.ts'
import { countSitesByStatus, type SiteInTrouble, sitesInTrouble } from '../../store/sites/overview.ts'
import type { Implementation } from '../implementation.ts'
import { presentBrief } from './present-brief.ts'

const MAX_IN_NEED = 50
const MAX_EVENTS = 20
const MAX_FAILING_CONTACTS = 10

export const getOverview: Implementation<'getOverview'> = {
  async perform({ db, hasMail }, { actor: { teamId } }) {
    const [counted, inNeed, servers, sites, events, failing, contactsCount] = await Promise.all([
      countByStatus(db, teamId),
      monitorsNeedingAttention(db, teamId, MAX_IN_NEED),
      Promise.all([countServersByStatus(db, teamId), serversInTrouble(db, teamId, MAX_IN_NEED)]),
      Promise.all([countSitesByStatus(db, teamId), sitesInTrouble(db, teamId, MAX_IN_NEED)]),
      newestEvents(db, teamId, MAX_EVENTS),
      failingContacts(db, teamId, MAX_FAILING_CONTACTS, MAIL_IS_NOT_SET_UP),
      countContacts(db, teamId, hasMail),
    ])
    return {
      body: {
        data: {
          counts: countsOf(counted),
          attention: inNeed.map((row): AttentionItem => ({ monitor: presentBrief(row), reason: row.reason })),
          servers: { counts: countsOf(servers[0]), attention: servers[1].map(presentServer) },
          sites: { counts: countsOf(sites[0]), attention: sites[1].map(presentSite) },
          events: events.map(presentEvent),
          failing_contacts: failing.map(presentFailing),
          contacts_count: contactsCount,
        },
      },
    }
  },
}

function countsOf(counted: { status: LiveStatus; count: number }[]): StatusCounts {
  const counts = Object.fromEntries(LiveStatus.options.map((status) => [status, 0])) as StatusCounts
  for (const { status, count } of counted) counts[status] = count
  return counts
}

function presentServer({
  id,
  name,
  hostName,
  status,
  statusSince,
  reason,
}: ServerInTrouble): ServerAttention {
  const since = formatInstant(statusSince)
  return { server: { id, name, host_name: hostName, status, status_since: since }, reason }
}

function presentSite({ id, name, url, status, statusSince, area, reason }: SiteInTrouble): SiteAttention {
  return { site: { id, name, url, status, status_since: formatInstant(statusSince) }, area, reason }
}

function presentEvent(event: IncidentEvent): RecentEvent {
  return {
    at: formatInstant(event.at),
    kind: event.kind,
    incident_id: event.incidentId,
    monitor_id: event.monitorId,
    monitor_name: event.monitorName,
    cause: event.cause,
    duration_seconds: event.kind === 'resolved' ? secondsBetween(event.startedAt, event.at) : null,
  }
}

function presentFailing({ id, name, type, failedAt, detail }: FailingContactRow): FailingContact {
  return { id, name, type, failed_at: formatInstant(failedAt), detail }
}
