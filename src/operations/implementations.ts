import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.ts'
import { listAuditEntries } from './audit.ts'
import { changeMonitors } from './change-monitors.ts'
import { listCheckDetails } from './check-details.ts'
import { checkMonitorNow } from './check-now.ts'
import {
  askContact,
  createContact,
  deleteContact,
  getContact,
  listContacts,
  updateContact,
} from './contacts.ts'
import { createMonitor } from './create-monitor.ts'
import { listDeletedMonitors, restoreDeletedMonitor } from './deleted-monitors.ts'
import { getDelivery, listContactSummaries, listDeliveries, testContact } from './deliveries.ts'
import { listIncidents, listMonitorChecks, listMonitorIncidents } from './history.ts'
import type { Implementations } from './implementation.ts'
import { getIncidentStory, listIncidentRows } from './incidents.ts'
import { createInvitation, listInvitations, revokeInvitation } from './invitations.ts'
import { leaveTeam, listMembers, removeMember, updateMember } from './members.ts'
import { getMonitorReport } from './monitor-report.ts'
import { listMonitorRows } from './monitor-rows.ts'
import { deleteMonitor, getMonitor, listMonitors } from './monitors.ts'
import { getOverview } from './overview.ts'
import { getPingBody, listPings } from './ping-log.ts'
import { rotateSigningSecret, showSigningSecret } from './signing-secret.ts'
import { getTeam, updateTeam } from './team.ts'
import { showTeamConfirmation, updateTeamConfirmation } from './team-confirmation.ts'
import { toggleMonitor, updateMonitor } from './update-monitor.ts'

/** One function per operation of the contract, no more and no fewer. */
export const implementations = {
  listMonitors,
  createMonitor,
  getMonitor,
  updateMonitor,
  replaceMonitor: updateMonitor,
  deleteMonitor,
  toggleMonitor,
  listMonitorChecks,
  listMonitorIncidents,
  listIncidents,
  listContacts,
  createContact,
  getContact,
  updateContact,
  replaceContact: updateContact,
  deleteContact,
  getTeam,
  listIncidentRows,
  getIncidentStory,
  listContactSummaries,
  testContact,
  askContact,
  listDeliveries,
  getDelivery,
  getOverview,
  listMonitorRows,
  changeMonitors,
  getMonitorReport,
  listCheckDetails,
  listPings,
  getPingBody,
  checkMonitorNow,
  listDeletedMonitors,
  restoreMonitor: restoreDeletedMonitor,
  updateTeam,
  showTeamConfirmation,
  updateTeamConfirmation,
  leaveTeam,
  showSigningSecret,
  rotateSigningSecret,
  listMembers,
  updateMember,
  removeMember,
  listInvitations,
  createInvitation,
  revokeInvitation,
  listApiTokens,
  createApiToken,
  revokeApiToken,
  listAuditEntries,
} satisfies Implementations
