import type { Contract, OperationId } from '../../src/contract/contract.ts'
import type { Door } from '../../src/core/teams/audit.ts'
import { t } from '../language/language.ts'

type IsWritten<Entry> = Entry extends { audited: true }
  ? true
  : Entry extends { access: 'read' } | { method: 'GET' }
    ? false
    : true

/** The operations that leave an entry: all that change something. */
type WrittenId = { [Id in OperationId]: IsWritten<Contract[Id]> extends true ? Id : never }[OperationId]

/** The words between the actor and the subject of an entry. The compiler makes sure that none is missing. */
const OPERATIONS = {
  createMonitor: t('created the monitor'),
  updateMonitor: t('changed the monitor'),
  replaceMonitor: t('changed the monitor'),
  deleteMonitor: t('deleted the monitor'),
  toggleMonitor: t('paused or resumed the monitor'),
  changeMonitors: t('changed several monitors'),
  updateMonitorNotes: t('changed the runbook or notes of the monitor'),
  testMonitorSettings: t('tested settings before saving a monitor'),
  checkMonitorNow: t('requested a check of the monitor'),
  restoreMonitor: t('restored the monitor'),
  createContact: t('added the contact'),
  updateContact: t('changed the contact'),
  replaceContact: t('changed the contact'),
  deleteContact: t('removed the contact'),
  testContact: t('sent a test alert to the contact'),
  askContact: t('requested consent from the contact'),
  updateTeam: t('changed the team'),
  updateTeamConfirmation: t('changed how failures are confirmed'),
  leaveTeam: t('left the team'),
  showSigningSecret: t('viewed the signing secret'),
  rotateSigningSecret: t('replaced the signing secret'),
  updateMember: t('changed the role of'),
  removeMember: t('removed the member'),
  createInvitation: 'invited',
  revokeInvitation: t('revoked the invitation for'),
  createApiToken: t('created the API token'),
  revokeApiToken: t('revoked the API token'),
  createMaintenanceWindow: t('created the maintenance window'),
  maintainMonitors: 'started maintenance:',
  updateMaintenanceWindow: t('changed the maintenance window'),
  deleteMaintenanceWindow: t('deleted the maintenance window'),
  startMaintenance: t('turned on the maintenance switch'),
  endMaintenance: t('ended maintenance early:'),
  prolongMaintenance: t('prolonged the maintenance window'),
  callOffMaintenance: t('called off an occurrence of the maintenance window'),
  rotateMaintenanceAddress: t('replaced the secret address of the maintenance window'),
  createMaintenanceCalendar: t('created a new secret address for the maintenance calendar'),
  deleteMaintenanceCalendar: t('removed the secret address of the maintenance calendar'),
  createReport: t('saved the report'),
  updateReport: t('changed the report'),
  deleteReport: t('deleted the report'),
  addReportRecipient: t('added an address to the report'),
  removeReportRecipient: t('removed an address from a report'),
  createSchedule: t('created the on-call schedule'),
  updateSchedule: t('changed the on-call schedule'),
  deleteSchedule: t('deleted the on-call schedule'),
  addScheduleOverride: t('added an override to the on-call schedule'),
  removeScheduleOverride: t('removed an override from the on-call schedule'),
  createScheduleCalendar: t('created a new secret address for the calendar of the on-call schedule'),
  deleteScheduleCalendar: t('removed the secret address of the calendar of the on-call schedule'),
  createStatusPage: t('created the status page'),
  updateStatusPage: t('changed the status page'),
  deleteStatusPage: t('deleted the status page'),
  publishStatusPage: t('published the status page'),
  unpublishStatusPage: t('took off the status page'),
  saveStatusPageLayout: t('changed what is on the status page'),
  setStatusPagePassword: t('set the password of the status page'),
  clearStatusPagePassword: t('removed the password of the status page'),
  setStatusPageLogo: t('changed the logo of the status page'),
  clearStatusPageLogo: t('removed the logo of the status page'),
  rotateStatusPageFeedToken: t('replaced the secret feed address of the status page'),
  clearStatusPageFeedToken: t('removed the secret feed address of the status page'),
  addStatusPageDomain: t('added a domain to the status page'),
  proveStatusPageDomain: t('looked for the proof of a domain of the status page'),
  removeStatusPageDomain: t('removed a domain of the status page'),
  createStatusPost: t('wrote a post on the status page'),
  draftMaintenancePost: t('drafted a post about maintenance on the status page'),
  updateStatusPost: t('changed the post'),
  publishStatusPost: t('published the post'),
  deleteStatusPost: t('deleted the post'),
  addStatusUpdate: t('added an update to the post'),
  editStatusUpdate: t('changed an update of the post'),
  deleteStatusUpdate: t('deleted an update of the post'),
  createStatusTemplate: t('created the template of posts'),
  updateStatusTemplate: t('changed the template of posts'),
  deleteStatusTemplate: t('deleted the template of posts'),
  exportStatusSubscribers: t('exported the subscribers of the status page'),
  removeStatusSubscriber: t('removed a subscriber of a status page'),
  createServer: t('created the server'),
  updateServer: t('changed the server'),
  deleteServer: t('deleted the server'),
  rotateServerToken: t('replaced the secret address of the server'),
  createSite: t('added the site'),
  updateSite: t('changed the site'),
  deleteSite: t('deleted the site'),
  lookAtSite: t('requested a look at the site'),
  snoozeSiteArea: t('silenced or heeded an area of the site'),
  ignoreSiteFinding: t('ignored the fault of a site'),
  unignoreSiteFinding: t('heeded again the fault of a site'),
  setMonitorTags: t('changed the tags of the monitor'),
  setServerTags: t('changed the tags of the server'),
  setSiteTags: t('changed the tags of the site'),
  changeTags: t('changed the tags of several monitors, servers or sites'),
} as const satisfies Record<WrittenId | 'leaveTeam' | 'showSigningSecret', string>

/** Actions without an entry in the contract: by cookie, or at the command line. */
export const OTHERS = {
  createTeam: t('created the team'),
  setPlan: t('changed the plan of'),
  addMember: t('added the member'),
  disableAccount: t('disabled the account of'),
  enableAccount: t('enabled the account of'),
  deleteAccount: t('deleted the account of'),
  nameOperator: t('granted operator rights to'),
  endOperator: t('removed operator rights from'),
  acceptInvitation: t('accepted the invitation for'),
  connectProgram: 'connected',
  disconnectProgram: 'disconnected',
  endStolenConnection: t('lost a connection because its refresh token was reused:'),
  joinByInvitation: t('created an account with the invitation for'),
} as const

const ACTIONS: Record<string, string> = { ...OPERATIONS, ...OTHERS }

/** An action that this version does not know keeps its raw name. */
export function sayAction(action: string): string {
  return ACTIONS[action] ?? action
}

const DOORS = {
  dashboard: t('Dashboard'),
  api: 'API',
  mcp: t('AI assistant'),
  cli: t('Command line'),
  address: t('Secret address'),
} as const satisfies Record<Door, string>

export function sayDoor(door: Door): string {
  return DOORS[door]
}
