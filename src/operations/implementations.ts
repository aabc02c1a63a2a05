import {
  askContact,
  createContact,
  deleteContact,
  getContact,
  getPushKey,
  listContacts,
  updateContact,
} from './alerting/contacts.ts'
import {
  getDelivery,
  listContactAttachments,
  listContactSummaries,
  listDeliveries,
  testContact,
} from './alerting/deliveries.ts'
import { showContactQuietHours, updateContactQuietHours } from './alerting/quiet-hours.ts'
import type { Implementations } from './implementation.ts'
import {
  createMaintenanceCalendar,
  deleteMaintenanceCalendar,
  rotateMaintenanceAddress,
  showMaintenanceCalendar,
} from './maintenance/addresses.ts'
import { createMaintenanceWindow, maintainMonitors } from './maintenance/create-window.ts'
import { listMaintenanceOccurrences } from './maintenance/occurrences.ts'
import { previewMaintenanceWindow } from './maintenance/preview.ts'
import {
  getMonitorMaintenance,
  getServerMaintenance,
  getSiteMaintenance,
} from './maintenance/subject-maintenance.ts'
import {
  callOffMaintenance,
  endMaintenance,
  prolongMaintenance,
  startMaintenance,
} from './maintenance/turns.ts'
import {
  deleteMaintenanceWindow,
  getMaintenanceWindow,
  listMaintenanceWindows,
  updateMaintenanceWindow,
} from './maintenance/windows.ts'
import { changeMonitors } from './monitors/change-monitors.ts'
import { checkMonitorNow } from './monitors/check-now.ts'
import { listCheckDetails, listMonitorChecks } from './monitors/checks.ts'
import { createMonitor } from './monitors/create-monitor.ts'
import { listDeletedMonitors, restoreDeletedMonitor } from './monitors/deleted-monitors.ts'
import { getFailingAnswer, getIncidentAnswers } from './monitors/failing-answers.ts'
import { getServerIncidentStory, getSiteIncidentStory, listIncidentRows } from './monitors/incident-rows.ts'
import { getIncidentStory, listIncidents, listMonitorIncidents } from './monitors/incidents.ts'
import { getMonitorReport } from './monitors/monitor-report.ts'
import { listMonitorRows } from './monitors/monitor-rows.ts'
import { deleteMonitor, getMonitor, listMonitors } from './monitors/monitors.ts'
import { getMonitorNotes, updateMonitorNotes } from './monitors/notes.ts'
import { getPingBody, listPings } from './monitors/ping-log.ts'
import { showTeamConfirmation, updateTeamConfirmation } from './monitors/team-confirmation.ts'
import { getMonitorTrial, testMonitorSettings } from './monitors/trials.ts'
import { toggleMonitor, updateMonitor } from './monitors/update-monitor.ts'
import {
  createScheduleCalendar,
  deleteScheduleCalendar,
  showScheduleCalendar,
} from './on-call/calendar-address.ts'
import { acknowledgeDrill, getDrill, startDrill } from './on-call/drills.ts'
import { previewEscalation } from './on-call/dry-run.ts'
import {
  acknowledgeIncident,
  acknowledgeServerIncident,
  acknowledgeSiteIncident,
  addIncidentNote,
  addServerIncidentNote,
  addSiteIncidentNote,
  unacknowledgeIncident,
  unacknowledgeServerIncident,
  unacknowledgeSiteIncident,
} from './on-call/incident-response.ts'
import { addScheduleOverride, removeScheduleOverride } from './on-call/overrides.ts'
import {
  createEscalationPolicy,
  deleteEscalationPolicy,
  getEscalationPolicy,
  getOnCallSettings,
  listEscalationPolicies,
  updateEscalationPolicy,
  updateOnCallSettings,
} from './on-call/policies.ts'
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  updateSchedule,
} from './on-call/schedules.ts'
import { listScheduleShifts, previewSchedule } from './on-call/shifts.ts'
import {
  getMonitorPolicy,
  getServerPolicy,
  getSitePolicy,
  setMonitorPolicy,
  setServerPolicy,
  setSitePolicy,
} from './on-call/subject-policies.ts'
import { getOverview } from './overview/overview.ts'
import { getTeamFigures } from './overview/team-figures.ts'
import { addReportRecipient, listReportRecipients, removeReportRecipient } from './reports/recipients.ts'
import { createReport, deleteReport, listReports, updateReport } from './reports/saved-reports.ts'
import { getTeamReport } from './reports/team-report.ts'
import { createServer } from './servers/create-server.ts'
import { getServerHistory } from './servers/history.ts'
import { listServerIncidents } from './servers/incidents.ts'
import { getServerInstall, rotateServerToken } from './servers/install.ts'
import { deleteServer, getServer, listServers } from './servers/servers.ts'
import { updateServer } from './servers/update-server.ts'
import { createSite } from './sites/create-site.ts'
import { listExpiries } from './sites/expiries.ts'
import {
  ignoreSiteFinding,
  listSiteDnsSets,
  listSiteFindings,
  listSiteIncidents,
  unignoreSiteFinding,
} from './sites/findings.ts'
import { deleteSite, getSite, listSites, lookAtSite, snoozeSiteArea } from './sites/sites.ts'
import { updateSite } from './sites/update-site.ts'
import { addStatusPageDomain, proveStatusPageDomain, removeStatusPageDomain } from './status-pages/domains.ts'
import { listIncidentPages } from './status-pages/incident-pages.ts'
import { saveStatusPageLayout } from './status-pages/layout.ts'
import {
  clearStatusPageFeedToken,
  clearStatusPageLogo,
  clearStatusPagePassword,
  rotateStatusPageFeedToken,
  setStatusPageLogo,
  setStatusPagePassword,
} from './status-pages/page-secrets.ts'
import {
  createStatusPost,
  deleteStatusPost,
  draftMaintenancePost,
  getStatusPost,
  listStatusPosts,
  publishStatusPost,
  updateStatusPost,
} from './status-pages/posts.ts'
import { previewStatusPage } from './status-pages/preview.ts'
import {
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  listStatusPages,
  publishStatusPage,
  unpublishStatusPage,
  updateStatusPage,
} from './status-pages/status-pages.ts'
import {
  exportStatusSubscribers,
  listStatusSubscribers,
  removeStatusSubscriber,
} from './status-pages/subscribers.ts'
import {
  createStatusTemplate,
  deleteStatusTemplate,
  listStatusTemplates,
  updateStatusTemplate,
} from './status-pages/templates.ts'
import {
  addStatusUpdate,
  deleteStatusUpdate,
  editStatusUpdate,
  previewStatusText,
} from './status-pages/updates.ts'
import {
  changeTags,
  getMonitorTags,
  listMonitorTags,
  listTags,
  setMonitorTags,
  setServerTags,
  setSiteTags,
} from './tags/tags.ts'
import { createApiToken, listApiTokens, revokeApiToken } from './teams/api-tokens.ts'
import { listAuditEntries } from './teams/audit.ts'
import { createInvitation, listInvitations, revokeInvitation } from './teams/invitations.ts'
import { leaveTeam, listMembers, removeMember, updateMember } from './teams/members.ts'
import { rotateSigningSecret, showSigningSecret } from './teams/signing-secret.ts'
import { getTeam, updateTeam } from './teams/team.ts'
import { showTeamLanguage, updateTeamLanguage } from './teams/team-language.ts'

/** Exactly one function per operation of the contract. */

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
  getIncidentAnswers,
  getServerIncidentStory,
  getSiteIncidentStory,
  listContactSummaries,
  listContactAttachments,
  showContactQuietHours,
  updateContactQuietHours,
  getPushKey,
  testContact,
  askContact,
  listDeliveries,
  getDelivery,
  acknowledgeDrill,
  acknowledgeIncident,
  acknowledgeServerIncident,
  acknowledgeSiteIncident,
  addIncidentNote,
  addServerIncidentNote,
  addSiteIncidentNote,
  createEscalationPolicy,
  deleteEscalationPolicy,
  getDrill,
  getEscalationPolicy,
  getMonitorPolicy,
  getOnCallSettings,
  getServerPolicy,
  getSitePolicy,
  listEscalationPolicies,
  previewEscalation,
  setMonitorPolicy,
  setServerPolicy,
  setSitePolicy,
  startDrill,
  unacknowledgeIncident,
  unacknowledgeServerIncident,
  unacknowledgeSiteIncident,
  updateEscalationPolicy,
  updateOnCallSettings,
  getOverview,
  getTeamFigures,
  listMonitorRows,
  changeMonitors,
  getMonitorReport,
  listCheckDetails,
  listPings,
  getPingBody,
  getFailingAnswer,
  getMonitorNotes,
  updateMonitorNotes,
  checkMonitorNow,
  testMonitorSettings,
  getMonitorTrial,
  listDeletedMonitors,
  restoreMonitor: restoreDeletedMonitor,
  updateTeam,
  showTeamLanguage,
  updateTeamLanguage,
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
  listMaintenanceWindows,
  listMaintenanceOccurrences,
  previewMaintenanceWindow,
  createMaintenanceWindow,
  maintainMonitors,
  getMaintenanceWindow,
  updateMaintenanceWindow,
  deleteMaintenanceWindow,
  startMaintenance,
  endMaintenance,
  prolongMaintenance,
  callOffMaintenance,
  rotateMaintenanceAddress,
  getMonitorMaintenance,
  getServerMaintenance,
  getSiteMaintenance,
  showMaintenanceCalendar,
  createMaintenanceCalendar,
  deleteMaintenanceCalendar,
  listStatusPages,
  createStatusPage,
  getStatusPage,
  updateStatusPage,
  deleteStatusPage,
  publishStatusPage,
  unpublishStatusPage,
  saveStatusPageLayout,
  previewStatusPage,
  setStatusPagePassword,
  clearStatusPagePassword,
  setStatusPageLogo,
  clearStatusPageLogo,
  rotateStatusPageFeedToken,
  clearStatusPageFeedToken,
  addStatusPageDomain,
  proveStatusPageDomain,
  removeStatusPageDomain,
  listStatusPosts,
  listIncidentPages,
  createStatusPost,
  draftMaintenancePost,
  getStatusPost,
  updateStatusPost,
  publishStatusPost,
  deleteStatusPost,
  addStatusUpdate,
  editStatusUpdate,
  deleteStatusUpdate,
  previewStatusText,
  listStatusTemplates,
  createStatusTemplate,
  updateStatusTemplate,
  deleteStatusTemplate,
  listStatusSubscribers,
  exportStatusSubscribers,
  removeStatusSubscriber,
  listServers,
  createServer,
  getServer,
  updateServer,
  deleteServer,
  getServerInstall,
  rotateServerToken,
  getServerHistory,
  listServerIncidents,
  listSites,
  createSite,
  getSite,
  updateSite,
  deleteSite,
  lookAtSite,
  snoozeSiteArea,
  listSiteFindings,
  ignoreSiteFinding,
  unignoreSiteFinding,
  listSiteDnsSets,
  listExpiries,
  listSiteIncidents,
  getTeamReport,
  listTags,
  listMonitorTags,
  getMonitorTags,
  setMonitorTags,
  setServerTags,
  setSiteTags,
  changeTags,
  listReports,
  createReport,
  updateReport,
  deleteReport,
  listReportRecipients,
  addReportRecipient,
  removeReportRecipient,
  listSchedules,
  createSchedule,
  previewSchedule,
  getSchedule,
  updateSchedule,
  deleteSchedule,
  listScheduleShifts,
  addScheduleOverride,
  removeScheduleOverride,
  showScheduleCalendar,
  createScheduleCalendar,
  deleteScheduleCalendar,
} satisfies Implementations
