import { MAIL_IS_NOT_SET_UP } from '../../core/alerting/delivery-log.ts'
import { formatInstant } from '../../core/instant.ts'
import { secondsBetween } from '../../core/monitors/incident.ts'
import { LiveStatus, type StatusCounts } from '../../core/monitors/status.ts'
import { targetOf } from '../../core/monitors/target.ts'
import { groupTroubles } from '../../core/overview/group-troubles.ts'
import type { FailingContact, RecentEvent } from '../../core/overview/overview.ts'
import type { Troubled } from '../../core/overview/trouble.ts'
import { AREA_NAMES } from '../../core/sites/area.ts'
import { countIncidents } from '../../store/incidents/incident-rows.ts'
import {
  countByStatus,
  countContacts,
  type FailingContactRow,
  failingContacts,
  type IncidentEvent,
  type MonitorInTrouble,
  monitorsInTrouble,
  newestEvents,
} from '../../store/monitors/overview.ts'
import { countServersByStatus, type ServerInTrouble, serversInTrouble } from '../../store/servers/overview.ts'
import { countSitesByStatus, type SiteInTrouble, sitesInTrouble } from '../../store/sites/overview.ts'
import type { Implementation } from '../implementation.ts'

/** Grouped by cause, so that hundreds make a few lines. */
const MAX_MONITORS_IN_TROUBLE = 2_000
const MAX_OTHERS_IN_TROUBLE = 200
const MAX_EVENTS = 20
const MAX_FAILING_CONTACTS = 10

export const getOverview: Implementation<'getOverview'> = {
  async perform({ db, vault, hasMail, now }, { actor: { teamId } }) {
    // Before anything is read: what begins meanwhile is new.
    const at = formatInstant(now())
    const [counted, monitors, servers, sites, ongoing, events, failing, contactsCount] = await Promise.all([
      countByStatus(db, teamId),
      monitorsInTrouble(db, vault, teamId, MAX_MONITORS_IN_TROUBLE),
      Promise.all([countServersByStatus(db, teamId), serversInTrouble(db, teamId, MAX_OTHERS_IN_TROUBLE)]),
      Promise.all([countSitesByStatus(db, teamId), sitesInTrouble(db, teamId, MAX_OTHERS_IN_TROUBLE)]),
      countIncidents(db.query, teamId, { state: 'open' }),
      newestEvents(db, teamId, MAX_EVENTS),
      failingContacts(db, teamId, MAX_FAILING_CONTACTS, MAIL_IS_NOT_SET_UP),
      countContacts(db, teamId, hasMail),
    ])
    const { groups, rest } = groupTroubles([
      ...monitors.map(presentMonitor),
      ...servers[1].map(presentServer),
      ...sites[1].map(presentSite),
    ])
    return {
      body: {
        data: {
          at,
          counts: countsOf(counted),
          servers: { counts: countsOf(servers[0]) },
          sites: { counts: countsOf(sites[0]) },
          incidents_open: ongoing,
          troubles: groups,
          troubles_rest: rest,
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

function presentMonitor(row: MonitorInTrouble): Troubled {
  const { id, name, status, statusSince, reason, acknowledgement } = row
  return {
    kind: 'monitor',
    id,
    name,
    status,
    since: formatInstant(statusSince),
    reason,
    target: targetOf(row),
    acknowledgement,
  }
}

function presentServer({ hostName, statusSince, reason, ...server }: ServerInTrouble): Troubled {
  const since = formatInstant(statusSince)
  return { kind: 'server', ...server, since, reason: reason ?? hostName, target: null }
}

/** The cause names the area that makes it so. */
function presentSite({ url, statusSince, area, reason, ...site }: SiteInTrouble): Troubled {
  const said = `${AREA_NAMES[area]}: ${reason ?? url}`
  return { kind: 'site', ...site, since: formatInstant(statusSince), reason: said, target: null }
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
