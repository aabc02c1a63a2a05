import type { Contract, OperationId } from '../../src/contract/contract.ts'
import type { Door } from '../../src/core/teams/audit.ts'

type IsWritten<Entry> = Entry extends { audited: true }
  ? true
  : Entry extends { access: 'read' } | { method: 'GET' }
    ? false
    : true

/** The operations that leave an entry: all that change something. */
type WrittenId = { [Id in OperationId]: IsWritten<Contract[Id]> extends true ? Id : never }[OperationId]

/** The words between the actor and the subject of an entry. The compiler makes sure that none is missing. */
const OPERATIONS = {
  createMonitor: 'created the monitor',
  updateMonitor: 'changed the monitor',
  replaceMonitor: 'changed the monitor',
  deleteMonitor: 'deleted the monitor',
  toggleMonitor: 'paused or resumed the monitor',
  changeMonitors: 'changed several monitors',
  updateMonitorNotes: 'changed the runbook or notes of the monitor',
  testMonitorSettings: 'tested settings before saving a monitor',
  checkMonitorNow: 'requested a check of the monitor',
  restoreMonitor: 'restored the monitor',
  createContact: 'added the contact',
  updateContact: 'changed the contact',
  replaceContact: 'changed the contact',
  deleteContact: 'removed the contact',
  testContact: 'sent a test alert to the contact',
  askContact: 'requested consent from the contact',
  updateTeam: 'changed the team',
  updateTeamConfirmation: 'changed how failures are confirmed',
  leaveTeam: 'left the team',
  showSigningSecret: 'viewed the signing secret',
  rotateSigningSecret: 'replaced the signing secret',
  updateMember: 'changed the role of',
  removeMember: 'removed the member',
  createInvitation: 'invited',
  revokeInvitation: 'revoked the invitation for',
  createApiToken: 'created the API token',
  revokeApiToken: 'revoked the API token',
  createMaintenanceWindow: 'created the maintenance window',
  maintainMonitors: 'started maintenance:',
  updateMaintenanceWindow: 'changed the maintenance window',
  deleteMaintenanceWindow: 'deleted the maintenance window',
  startMaintenance: 'turned on the maintenance switch',
  endMaintenance: 'ended maintenance early:',
  prolongMaintenance: 'prolonged the maintenance window',
  callOffMaintenance: 'called off an occurrence of the maintenance window',
  rotateMaintenanceAddress: 'replaced the secret address of the maintenance window',
  createMaintenanceCalendar: 'created a new secret address for the maintenance calendar',
  deleteMaintenanceCalendar: 'removed the secret address of the maintenance calendar',
  createReport: 'saved the report',
  updateReport: 'changed the report',
  deleteReport: 'deleted the report',
  addReportRecipient: 'added an address to the report',
  removeReportRecipient: 'removed an address from a report',
  createStatusPage: 'created the status page',
  updateStatusPage: 'changed the status page',
  deleteStatusPage: 'deleted the status page',
  publishStatusPage: 'published the status page',
  unpublishStatusPage: 'took off the status page',
  saveStatusPageLayout: 'changed what is on the status page',
  setStatusPagePassword: 'set the password of the status page',
  clearStatusPagePassword: 'removed the password of the status page',
  setStatusPageLogo: 'changed the logo of the status page',
  clearStatusPageLogo: 'removed the logo of the status page',
  rotateStatusPageFeedToken: 'replaced the secret feed address of the status page',
  clearStatusPageFeedToken: 'removed the secret feed address of the status page',
  addStatusPageDomain: 'added a domain to the status page',
  proveStatusPageDomain: 'looked for the proof of a domain of the status page',
  removeStatusPageDomain: 'removed a domain of the status page',
  createStatusPost: 'wrote a post on the status page',
  draftMaintenancePost: 'drafted a post about maintenance on the status page',
  updateStatusPost: 'changed the post',
  publishStatusPost: 'published the post',
  deleteStatusPost: 'deleted the post',
  addStatusUpdate: 'added an update to the post',
  editStatusUpdate: 'changed an update of the post',
  deleteStatusUpdate: 'deleted an update of the post',
  createStatusTemplate: 'created the template of posts',
  updateStatusTemplate: 'changed the template of posts',
  deleteStatusTemplate: 'deleted the template of posts',
  exportStatusSubscribers: 'exported the subscribers of the status page',
  removeStatusSubscriber: 'removed a subscriber of a status page',
  createServer: 'created the server',
  updateServer: 'changed the server',
  deleteServer: 'deleted the server',
  rotateServerToken: 'replaced the secret address of the server',
  createSite: 'added the site',
  updateSite: 'changed the site',
  deleteSite: 'deleted the site',
  lookAtSite: 'requested a look at the site',
  snoozeSiteArea: 'silenced or heeded an area of the site',
  ignoreSiteFinding: 'ignored the fault of a site',
  unignoreSiteFinding: 'heeded again the fault of a site',
  setMonitorTags: 'changed the tags of the monitor',
  setServerTags: 'changed the tags of the server',
  setSiteTags: 'changed the tags of the site',
  changeTags: 'changed the tags of several monitors, servers or sites',
} as const satisfies Record<WrittenId | 'leaveTeam' | 'showSigningSecret', string>

/** Actions without an entry in the contract: by cookie, or at the command line. */
export const OTHERS = {
  createTeam: 'created the team',
  setPlan: 'changed the plan of',
  addMember: 'added the member',
  disableAccount: 'disabled the account of',
  enableAccount: 'enabled the account of',
  deleteAccount: 'deleted the account of',
  nameOperator: 'granted operator rights to',
  endOperator: 'removed operator rights from',
  acceptInvitation: 'accepted the invitation for',
  connectProgram: 'connected',
  disconnectProgram: 'disconnected',
  endStolenConnection: 'lost a connection because its refresh token was reused:',
  joinByInvitation: 'created an account with the invitation for',
} as const

const ACTIONS: Record<string, string> = { ...OPERATIONS, ...OTHERS }

/** An action that this version does not know keeps its raw name. */
export function sayAction(action: string): string {
  return ACTIONS[action] ?? action
}

const DOORS = {
  dashboard: 'Dashboard',
  api: 'API',
  mcp: 'AI assistant',
  cli: 'Command line',
  address: 'Secret address',
} as const satisfies Record<Door, string>

export function sayDoor(door: Door): string {
  return DOORS[door]
}
