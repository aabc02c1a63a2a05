import type { Contract, OperationId } from '../../src/contract/contract.ts'
import { phrase } from '../../src/core/language/translate.ts'
import type { Door } from '../../src/core/teams/audit.ts'
import { t } from '../language/language.ts'

type IsWritten<Entry> = Entry extends { audited: true }
  ? true
  : Entry extends { access: 'read' } | { method: 'GET' }
    ? false
    : true

/** The operations that leave an entry: all that change something. */
type WrittenId = { [Id in OperationId]: IsWritten<Contract[Id]> extends true ? Id : never }[OperationId]

/** The sentence of an entry. The subject may be missing. The compiler makes sure that no operation is. */
export const OPERATIONS = {
  createMonitor: phrase('{actor} created the monitor {subject}'),
  updateMonitor: phrase('{actor} changed the monitor {subject}'),
  replaceMonitor: phrase('{actor} changed the monitor {subject}'),
  deleteMonitor: phrase('{actor} deleted the monitor {subject}'),
  toggleMonitor: phrase('{actor} paused or resumed the monitor {subject}'),
  changeMonitors: phrase('{actor} changed several monitors {subject}'),
  updateMonitorNotes: phrase('{actor} changed the runbook or notes of the monitor {subject}'),
  testMonitorSettings: phrase('{actor} tested settings before saving a monitor {subject}'),
  readExport: phrase('{actor} read an export of another service {subject}'),
  switchMonitor: phrase('{actor} said how the monitor {subject} is'),
  checkMonitorNow: phrase('{actor} requested a check of the monitor {subject}'),
  restoreServer: phrase('{actor} restored the server {subject}'),
  restoreSite: phrase('{actor} restored the site {subject}'),
  restoreMonitor: phrase('{actor} restored the monitor {subject}'),
  createContact: phrase('{actor} added the contact {subject}'),
  updateContact: phrase('{actor} changed the contact {subject}'),
  replaceContact: phrase('{actor} changed the contact {subject}'),
  deleteContact: phrase('{actor} removed the contact {subject}'),
  updateContactQuietHours: phrase('{actor} changed the quiet hours of the contact {subject}'),
  updateContactTimeZone: phrase('{actor} changed the time zone of the contact {subject}'),
  testContact: phrase('{actor} sent a test alert to the contact {subject}'),
  askContact: phrase('{actor} requested consent from the contact {subject}'),
  restoreRecord: phrase('{actor} undid the deletion of {subject}'),
  updateTeam: phrase('{actor} changed the team {subject}'),
  updateTeamConfirmation: phrase('{actor} changed how failures are confirmed {subject}'),
  updateTeamLanguage: phrase('{actor} changed the language or time zone of alerts {subject}'),
  hideFirstSteps: phrase('{actor} hid the first steps {subject}'),
  leaveTeam: phrase('{actor} left the team {subject}'),
  showSigningSecret: phrase('{actor} viewed the signing secret {subject}'),
  rotateSigningSecret: phrase('{actor} replaced the signing secret {subject}'),
  updateMember: phrase('{actor} changed the role of {subject}'),
  removeMember: phrase('{actor} removed the member {subject}'),
  createInvitation: phrase('{actor} invited {subject}'),
  revokeInvitation: phrase('{actor} revoked the invitation for {subject}'),
  createApiToken: phrase('{actor} created the API token {subject}'),
  rotateApiToken: phrase('{actor} replaced the API token {subject} by a new one'),
  revokeApiToken: phrase('{actor} revoked the API token {subject}'),
  createMaintenanceWindow: phrase('{actor} created the maintenance window {subject}'),
  maintainMonitors: phrase('{actor} started maintenance: {subject}'),
  updateMaintenanceWindow: phrase('{actor} changed the maintenance window {subject}'),
  deleteMaintenanceWindow: phrase('{actor} deleted the maintenance window {subject}'),
  startMaintenance: phrase('{actor} turned on the maintenance switch {subject}'),
  endMaintenance: phrase('{actor} ended maintenance early: {subject}'),
  prolongMaintenance: phrase('{actor} extended the maintenance window {subject}'),
  callOffMaintenance: phrase('{actor} called off an occurrence of the maintenance window {subject}'),
  rotateMaintenanceAddress: phrase('{actor} replaced the secret address of the maintenance window {subject}'),
  createMaintenanceCalendar: phrase(
    '{actor} created a new secret address for the maintenance calendar {subject}',
  ),
  deleteMaintenanceCalendar: phrase(
    '{actor} removed the secret address of the maintenance calendar {subject}',
  ),
  createReport: phrase('{actor} saved the report {subject}'),
  updateReport: phrase('{actor} changed the report {subject}'),
  deleteReport: phrase('{actor} deleted the report {subject}'),
  addReportRecipient: phrase('{actor} added an address to the report {subject}'),
  removeReportRecipient: phrase('{actor} removed an address from a report {subject}'),
  createSchedule: phrase('{actor} created the on-call schedule {subject}'),
  updateSchedule: phrase('{actor} changed the on-call schedule {subject}'),
  deleteSchedule: phrase('{actor} deleted the on-call schedule {subject}'),
  addScheduleOverride: phrase('{actor} added an override to the on-call schedule {subject}'),
  removeScheduleOverride: phrase('{actor} removed an override from the on-call schedule {subject}'),
  createScheduleCalendar: phrase(
    '{actor} created a new secret address for the calendar of the on-call schedule {subject}',
  ),
  deleteScheduleCalendar: phrase(
    '{actor} removed the secret address of the calendar of the on-call schedule {subject}',
  ),
  acknowledgeIncident: phrase('{actor} acknowledged the incident of {subject}'),
  acknowledgeServerIncident: phrase('{actor} acknowledged the incident of the server {subject}'),
  acknowledgeSiteIncident: phrase('{actor} acknowledged the incident of the site {subject}'),
  unacknowledgeIncident: phrase('{actor} undid the acknowledgement of the incident of {subject}'),
  unacknowledgeServerIncident: phrase(
    '{actor} undid the acknowledgement of the incident of the server {subject}',
  ),
  unacknowledgeSiteIncident: phrase(
    '{actor} undid the acknowledgement of the incident of the site {subject}',
  ),
  diagnoseIncident: phrase('{actor} had it collected why {subject} is down'),
  addIncidentNote: phrase('{actor} added a note to the incident of {subject}'),
  addServerIncidentNote: phrase('{actor} added a note to the incident of the server {subject}'),
  addSiteIncidentNote: phrase('{actor} added a note to the incident of the site {subject}'),
  updateOnCallSettings: phrase('{actor} changed how often incidents alert {subject}'),
  createEscalationPolicy: phrase('{actor} created the escalation policy {subject}'),
  updateEscalationPolicy: phrase('{actor} changed the escalation policy {subject}'),
  deleteEscalationPolicy: phrase('{actor} deleted the escalation policy {subject}'),
  setMonitorPolicy: phrase('{actor} chose the escalation policy of the monitor {subject}'),
  setServerPolicy: phrase('{actor} chose the escalation policy of the server {subject}'),
  setSitePolicy: phrase('{actor} chose the escalation policy of the site {subject}'),
  startDrill: phrase('{actor} started a drill of the escalation policy {subject}'),
  acknowledgeDrill: phrase('{actor} acknowledged a drill of the escalation policy {subject}'),
  createStatusPage: phrase('{actor} created the status page {subject}'),
  updateStatusPage: phrase('{actor} changed the status page {subject}'),
  deleteStatusPage: phrase('{actor} deleted the status page {subject}'),
  publishStatusPage: phrase('{actor} published the status page {subject}'),
  unpublishStatusPage: phrase('{actor} unpublished the status page {subject}'),
  saveStatusPageLayout: phrase('{actor} changed what is on the status page {subject}'),
  setStatusPagePassword: phrase('{actor} set the password of the status page {subject}'),
  clearStatusPagePassword: phrase('{actor} removed the password of the status page {subject}'),
  setStatusPageLogo: phrase('{actor} changed the logo of the status page {subject}'),
  clearStatusPageLogo: phrase('{actor} removed the logo of the status page {subject}'),
  rotateStatusPageFeedToken: phrase('{actor} replaced the secret feed address of the status page {subject}'),
  clearStatusPageFeedToken: phrase('{actor} removed the secret feed address of the status page {subject}'),
  addStatusPageDomain: phrase('{actor} added a domain to the status page {subject}'),
  proveStatusPageDomain: phrase('{actor} checked the proof of a domain of the status page {subject}'),
  removeStatusPageDomain: phrase('{actor} removed a domain of the status page {subject}'),
  createStatusPost: phrase('{actor} wrote a post on the status page {subject}'),
  draftMaintenancePost: phrase('{actor} drafted a post about maintenance on the status page {subject}'),
  updateStatusPost: phrase('{actor} changed the post {subject}'),
  publishStatusPost: phrase('{actor} published the post {subject}'),
  deleteStatusPost: phrase('{actor} deleted the post {subject}'),
  addStatusUpdate: phrase('{actor} added an update to the post {subject}'),
  editStatusUpdate: phrase('{actor} changed an update of the post {subject}'),
  deleteStatusUpdate: phrase('{actor} deleted an update of the post {subject}'),
  createStatusTemplate: phrase('{actor} created the post template {subject}'),
  updateStatusTemplate: phrase('{actor} changed the post template {subject}'),
  deleteStatusTemplate: phrase('{actor} deleted the post template {subject}'),
  exportStatusSubscribers: phrase('{actor} exported the subscribers of the status page {subject}'),
  removeStatusSubscriber: phrase('{actor} removed a subscriber of a status page {subject}'),
  createServer: phrase('{actor} created the server {subject}'),
  updateServer: phrase('{actor} changed the server {subject}'),
  deleteServer: phrase('{actor} deleted the server {subject}'),
  rotateServerToken: phrase('{actor} replaced the secret address of the server {subject}'),
  createSite: phrase('{actor} added the site {subject}'),
  updateSite: phrase('{actor} changed the site {subject}'),
  deleteSite: phrase('{actor} deleted the site {subject}'),
  lookAtSite: phrase('{actor} requested a check of the site {subject}'),
  snoozeSiteArea: phrase('{actor} snoozed an area of the site {subject} or ended its snooze'),
  ignoreSiteFinding: phrase('{actor} ignored the finding {subject} of a site'),
  unignoreSiteFinding: phrase('{actor} stopped ignoring the finding {subject} of a site'),
  setMonitorTags: phrase('{actor} changed the tags of the monitor {subject}'),
  setServerTags: phrase('{actor} changed the tags of the server {subject}'),
  setSiteTags: phrase('{actor} changed the tags of the site {subject}'),
  changeTags: phrase('{actor} changed the tags of several monitors, servers or sites {subject}'),
} as const satisfies Record<WrittenId | 'leaveTeam' | 'showSigningSecret', string>

/** Actions without an entry in the contract: by cookie, or at the command line. */
export const OTHERS = {
  createTeam: phrase('{actor} created the team {subject}'),
  setPlan: phrase('{actor} changed the plan of {subject}'),
  addMember: phrase('{actor} added the member {subject}'),
  disableAccount: phrase('{actor} disabled the account of {subject}'),
  enableAccount: phrase('{actor} enabled the account of {subject}'),
  deleteAccount: phrase('{actor} deleted the account of {subject}'),
  updateServiceSettings: phrase('{actor} changed the settings of the service'),
  nameOperator: phrase('{actor} granted operator rights to {subject}'),
  endOperator: phrase('{actor} removed operator rights from {subject}'),
  acceptInvitation: phrase('{actor} accepted the invitation for {subject}'),
  connectProgram: phrase('{actor} connected {subject}'),
  disconnectProgram: phrase('{actor} disconnected {subject}'),
  endStolenConnection: phrase('{actor} lost a connection because its refresh token was reused: {subject}'),
  joinByInvitation: phrase('{actor} created an account with the invitation for {subject}'),
} as const

const ACTIONS: Record<string, string> = { ...OPERATIONS, ...OTHERS }

/** The sentence of an entry, for `rich`. An action that this version does not know keeps its raw name. */
export function auditSentence(action: string): string {
  return ACTIONS[action] ?? phrase('{actor} {action} {subject}')
}

const DOORS = {
  dashboard: t('Dashboard'),
  api: 'API',
  mcp: t('AI assistant'),
  cli: t('Command line'),
  address: t('Secret address'),
  receiver: t('Answer of a receiver'),
} as const satisfies Record<Door, string>

export function sayDoor(door: Door): string {
  return DOORS[door]
}
