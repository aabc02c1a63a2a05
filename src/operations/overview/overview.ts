import { MAIL_IS_NOT_SET_UP } from '../../core/alerting/delivery-log.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import { ofEachField, promisedOfEachKind, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import { secondsBetween } from '../../core/monitors/incident.ts'
import { LiveStatus, type StatusCounts } from '../../core/monitors/status.ts'
import { targetOf } from '../../core/monitors/target.ts'
import { groupTroubles } from '../../core/overview/group-troubles.ts'
import type { FailingContact, RecentEvent } from '../../core/overview/overview.ts'
import type { Troubled } from '../../core/overview/trouble.ts'
import { keysOf } from '../../core/shape.ts'
import { AREA_NAMES } from '../../core/sites/area.ts'
import { countIncidents } from '../../store/incidents/incident-rows.ts'
import {
  countContacts,
  type FailingContactRow,
  failingContacts,
  type IncidentEvent,
  type MonitorInTrouble,
  monitorsInTrouble,
  newestEvents,
} from '../../store/monitors/overview.ts'
import { type ServerInTrouble, serversInTrouble } from '../../store/servers/overview.ts'
import { type SiteInTrouble, sitesInTrouble } from '../../store/sites/overview.ts'
import { STORED_KINDS } from '../../store/stored-kinds.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'

/** Grouped by cause, so that hundreds make a few lines. */
const maxInTrouble = (kind: SubjectKind) => (kind === 'monitor' ? 2_000 : 200)
const MAX_EVENTS = 20
const MAX_FAILING_CONTACTS = 10

/** Readers of what is in trouble, by kind. */
const IN_TROUBLE: Record<SubjectKind, (services: Services, teamId: number) => Promise<Troubled[]>> = {
  monitor: async ({ db, vault }, teamId) =>
    (await monitorsInTrouble(db, vault, teamId, maxInTrouble('monitor'))).map(presentMonitor),
  server: async ({ db }, teamId) =>
    (await serversInTrouble(db, teamId, maxInTrouble('server'))).map(presentServer),
  site: async ({ db }, teamId) => (await sitesInTrouble(db, teamId, maxInTrouble('site'))).map(presentSite),
}

export const getOverview: Implementation<'getOverview'> = {
  async perform(services, { actor: { teamId } }) {
    const { db, hasMail, now } = services
    // Before anything is read: what begins meanwhile is new.
    const at = formatInstant(now())
    const [counted, troubled, ongoing, events, failing, contactsCount] = await Promise.all([
      promisedOfEachKind((kind) => STORED_KINDS[kind].countByStatus(db, teamId)),
      promisedOfEachKind((kind) => IN_TROUBLE[kind](services, teamId)),
      countIncidents(db.query, teamId, { state: 'open' }),
      newestEvents(db, teamId, MAX_EVENTS),
      failingContacts(db, teamId, MAX_FAILING_CONTACTS, MAIL_IS_NOT_SET_UP),
      countContacts(db, teamId, hasMail),
    ])
    const { groups, rest } = groupTroubles(Object.values(troubled).flat())
    const { monitors, ...others } = ofEachField('s', (kind) => ({ counts: countsOf(counted[kind]) }))
    const unread = keysOf(troubled).map((kind) =>
      unreadOf(countsOf(counted[kind]), troubled[kind], maxInTrouble(kind)),
    )
    return {
      body: {
        data: {
          at,
          ...monitors,
          ...others,
          incidents_open: ongoing,
          troubles: groups,
          troubles_rest: unread.reduce((sum, more) => sum + more, rest),
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

/** How many are in trouble beyond the `limit` of those that were read: they are counted, and not taken for recovered. */
function unreadOf(
  { down, degraded }: StatusCounts,
  read: readonly { status: CheckStatus }[],
  limit: number,
): number {
  // Below it there are none: the two answers may be of two moments.
  if (read.length < limit) return 0
  const isCounted = ({ status }: { status: CheckStatus }) => status === 'down' || status === 'degraded'
  return Math.max(0, down + degraded - read.filter(isCounted).length)
}

function presentMonitor(row: MonitorInTrouble): Troubled {
  const { id, name, status, reason, acknowledgement } = row
  return {
    kind: 'monitor',
    id,
    name,
    status,
    ...timesOf(row),
    reason,
    target: targetOf(row),
    acknowledgement,
  }
}

function presentServer(row: ServerInTrouble): Troubled {
  const { hostName, statusSince, flappingSince, reason, ...server } = row
  return { kind: 'server', ...server, ...timesOf(row), reason: reason ?? hostName, target: null }
}

/** The cause names the area that makes it so. */
function presentSite(row: SiteInTrouble): Troubled {
  const { url, statusSince, flappingSince, area, reason, ...site } = row
  const said = `${AREA_NAMES[area]}: ${reason ?? url}`
  return { kind: 'site', ...site, ...timesOf(row), reason: said, target: null }
}

function timesOf({
  statusSince,
  flappingSince,
}: Pick<MonitorInTrouble, 'statusSince' | 'flappingSince'>): Pick<Troubled, 'since' | 'flapping_since'> {
  return { since: formatInstant(statusSince), flapping_since: formatInstantOrNull(flappingSince) }
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
