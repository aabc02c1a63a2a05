import type { OperationId } from '../../src/contract/contract.ts'
import { INCIDENTS, operationOf } from '../../src/contract/subjects.ts'
import type { LiveEvent, LiveEventName, LiveSignal } from '../../src/core/live-event.ts'
import { ofEachKind, SUBJECT_KINDS } from '../../src/core/maintenance/subject-kind.ts'
import type { IncidentKind } from '../../src/core/monitors/incidents/incident-kind.ts'

/** Selects answers of an operation: all, those about one record, or lists that may contain it. */
type Touched = { id?: number | null | undefined; query?: Record<string, number | null> }
type NewsName = Exclude<LiveEventName, LiveSignal>
type DataOf<Name extends NewsName> = Extract<LiveEvent, { event: Name }>['data']

const ALL: Touched = {}

/** Lists that may contain incidents of one subject: all but those of another one. */
function ofOne(kind: IncidentKind, id: number): Touched {
  return { query: { ...ofEachKind(() => null), [kind]: id } }
}

/** Those of incidents but the API's, which are of monitors. */
const OTHER_STORIES: Partial<Record<OperationId, Touched>> = Object.fromEntries(
  SUBJECT_KINDS.filter((kind) => kind !== 'monitor').map((kind) => [
    operationOf(INCIDENTS, kind, 'get*Story'),
    ALL,
  ]),
)

/** The answers that each kind of news makes stale. News is a hint: the answers themselves are fetched again. */
const STALE: { [Name in NewsName]: (data: DataOf<Name>) => Partial<Record<OperationId, Touched>> } = {
  monitor: ({ id }) => ({
    getFirstSteps: ALL,
    getOverview: ALL,
    proposeStatusPost: ALL,
    listMonitorRows: ALL,
    getMonitor: { id },
    getMonitorReport: { id },
    getMonitorDependencies: ALL,
    listCheckDetails: { id },
    listPings: { id },
  }),
  incident: ({ id, monitor_id: monitor }) => ({
    getOverview: ALL,
    listIncidentRows: ofOne('monitor', monitor),
    getIncidentStory: { id },
    getIncidentAnswers: { id },
    getIncidentDiagnosis: { id },
    getMonitor: { id: monitor },
    getMonitorReport: { id: monitor },
  }),
  delivery: ({ id, contact_id: contact, incident_id }) => ({
    getFirstSteps: ALL,
    getOverview: ALL,
    listDeliveries: { query: { contact } },
    getDelivery: { id },
    // A test has none.
    ...(incident_id !== null && { getIncidentStory: { id: incident_id } }),
    ...(incident_id === null && { ...OTHER_STORIES, getDrill: ALL }),
    listContactSummaries: ALL,
  }),
  monitors: () => ({
    getFirstSteps: ALL,
    getOverview: ALL,
    getTeamFigures: ALL,
    listMonitorRows: ALL,
    listIncidentRows: ALL,
    listTags: ALL,
    getMonitorTags: ALL,
    getMonitor: ALL,
    getMonitorReport: ALL,
    getMonitorNotes: ALL,
    getMonitorDependencies: ALL,
    getMonitorPolicy: ALL,
    getIncidentStory: ALL,
    listDeletedMonitors: ALL,
    listContactSummaries: ALL,
    listContactAttachments: ALL,
    getTeam: ALL,
    // Their names, and which of a window are left.
    listMaintenanceWindows: ALL,
    getMaintenanceWindow: ALL,
  }),
  server: ({ id }) => ({
    getFirstSteps: ALL,
    getOverview: ALL,
    proposeStatusPost: ALL,
    listServers: ALL,
    getServer: { id },
    listServerIncidents: { query: { server: id } },
    listIncidentRows: ofOne('server', id),
    getServerIncidentStory: ALL,
  }),
  server_report: ({ id }) => ({ getServer: { id }, getServerHistory: { id } }),
  servers: () => ({
    getFirstSteps: ALL,
    getOverview: ALL,
    listServers: ALL,
    listTags: ALL,
    getServer: ALL,
    getServerPolicy: ALL,
    getServerInstall: ALL,
    listContactSummaries: ALL,
    listContactAttachments: ALL,
    // Their names, and which of a window are left.
    listMaintenanceWindows: ALL,
    getMaintenanceWindow: ALL,
    listServerIncidents: ALL,
    listIncidentRows: ALL,
    getServerIncidentStory: ALL,
    getTeam: ALL,
  }),
  site: ({ id }) => ({
    getFirstSteps: ALL,
    listSites: ALL,
    getSite: { id },
    listSiteFindings: { id },
    listSiteDnsSets: { id },
    listSiteIncidents: ALL,
    listIncidentRows: ofOne('site', id),
    getSiteIncidentStory: ALL,
    listExpiries: ALL,
    getOverview: ALL,
    proposeStatusPost: ALL,
  }),
  site_crawl: ({ id }) => ({ getSite: { id } }),
  sites: () => ({
    getFirstSteps: ALL,
    getTeamFigures: ALL,
    listSites: ALL,
    listTags: ALL,
    getSite: ALL,
    getSitePolicy: ALL,
    listSiteFindings: ALL,
    listSiteDnsSets: ALL,
    listSiteIncidents: ALL,
    listIncidentRows: ALL,
    getSiteIncidentStory: ALL,
    listExpiries: ALL,
    listContactSummaries: ALL,
    listContactAttachments: ALL,
    getOverview: ALL,
    getTeam: ALL,
  }),
  contacts: () => ({
    listSchedules: ALL,
    getSchedule: ALL,
    listScheduleShifts: ALL,
    getServer: ALL,
    getSite: ALL,
    listContacts: ALL,
    listContactAttachments: ALL,
    getContact: ALL,
    showContactQuietHours: ALL,
    showContactTimeZone: ALL,
    listContactSummaries: ALL,
    getMonitor: ALL,
    getOverview: ALL,
  }),
  maintenance: () => ({
    getOverview: ALL,
    getMonitorReport: ALL,
    listMaintenanceWindows: ALL,
    listMaintenanceOccurrences: ALL,
    getMaintenanceWindow: ALL,
    getMonitorMaintenance: ALL,
    getServerMaintenance: ALL,
    getSiteMaintenance: ALL,
    showMaintenanceCalendar: ALL,
  }),
  on_call: () => ({
    getFirstSteps: ALL,
    listSchedules: ALL,
    getSchedule: ALL,
    listScheduleShifts: ALL,
    showScheduleCalendar: ALL,
    getOnCallSettings: ALL,
    listEscalationPolicies: ALL,
    getEscalationPolicy: ALL,
    getMonitorPolicy: ALL,
    getServerPolicy: ALL,
    getSitePolicy: ALL,
    getDrill: ALL,
  }),
  status_pages: () => ({
    getFirstSteps: ALL,
    listStatusPages: ALL,
    getStatusPage: ALL,
    listStatusPosts: ALL,
    getStatusPost: ALL,
    proposeStatusPost: ALL,
    listStatusTemplates: ALL,
    listStatusSubscribers: ALL,
    listIncidentPages: ALL,
    listServerIncidentPages: ALL,
    listSiteIncidentPages: ALL,
  }),
  team: () => ({
    getFirstSteps: ALL,
    getTeam: ALL,
    showTeamConfirmation: ALL,
    showTeamLanguage: ALL,
    showContactTimeZone: ALL,
    getMonitorReport: ALL,
    listAuditActors: ALL,
    listMembers: ALL,
    listInvitations: ALL,
    listReports: ALL,
    listReportRecipients: ALL,
    // An account that leaves is no participant's any more.
    getSchedule: ALL,
  }),
}

export const NEWS = Object.keys(STALE) as NewsName[]

export function isNews(event: string): event is NewsName {
  return Object.hasOwn(STALE, event)
}

/** Returns a test for the keys of `question` (ask.ts): whether this news makes their answers stale. */
export function stalenessOf(event: NewsName, data: unknown): (queryKey: readonly unknown[]) => boolean {
  // A field that a service of another version leaves out matches everything.
  const touched = (STALE[event] as (data: unknown) => Partial<Record<OperationId, Touched>>)(data)
  return ([, operation, id, query]) => {
    const one = touched[operation as OperationId]
    if (!one) return false
    if (one.id !== undefined && one.id !== id) return false
    return Object.entries(one.query ?? {}).every(([name, value]) => {
      const wanted = (query as Record<string, unknown> | null)?.[name]
      return wanted === undefined || value === undefined || wanted === value
    })
  }
}
