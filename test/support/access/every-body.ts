import { randomUUID } from 'node:crypto'
import type { Contract } from '../../../src/contract/contract.ts'
import { CONTACTS, MONITORS } from '../services/api-bodies.ts'
import { inHours, type Make, newPost, scheduleWith, templateOf } from './team-records.ts'

type WithBody = {
  [Id in keyof Contract]: Contract[Id] extends { body: unknown } ? Id : never
}[keyof Contract]

/** Makes a body that the operation takes; records that it names are made by what is given. */
export type BodyOf = (make: Make) => unknown

const name = () => ({ name: 'Renamed' })
const note = () => ({ note: 'It is the cart.' })
const policyOf: BodyOf = async (make) => ({ policy_id: await make('escalationPolicy') })
const tags = () => ({ tags: ['env:prod'] })
const text = () => ({ text: 'It is the cart.' })
const later = () => ({ minutes: 30 })
const STARTS_AT = inHours(24)
export const windowOf = async (make: Make) => ({
  ...{ kind: 'one_off', name: 'Move', starts_at: STARTS_AT, ends_at: inHours(25) },
  monitor_ids: [await make('monitor')],
  server_ids: [await make('server')],
  site_ids: [await make('site')],
})
/** 1 × 1. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const domain = 'status.example.com'
const layoutOf = async (make: Make) => ({
  items: [
    { component: { monitor_id: await make('monitor'), name: 'Cart' } },
    { component: { monitor_id: null, server_id: await make('server'), name: 'Web' } },
    { component: { monitor_id: null, site_id: await make('site'), name: 'Shop' } },
  ],
})

/** One that the service takes, of every operation with a body. */
export const EVERY_BODY = {
  createMonitor: async (make) => ({
    ...MONITORS.http,
    notification_contact_ids: [await make('notificationContact')],
  }),
  updateMonitor: async (make) => ({ notification_contact_ids: [await make('notificationContact')] }),
  replaceMonitor: name,
  createContact: () => CONTACTS.webhook,
  updateContact: name,
  replaceContact: name,
  changeMonitors: async (make) => ({
    ...{ action: 'attach', monitor_ids: [await make('monitor')] },
    notification_contact_id: await make('notificationContact'),
  }),
  switchMonitor: () => ({ state: 'down', message: 'No dial tone' }),
  updateMonitorNotes: () => ({ runbook_url: 'https://wiki.example.com/shop', notes: 'Call Ada.' }),
  // Its own password is sent where there is none with the name of a user.
  testMonitorSettings: async (make) => ({
    ...{ ...MONITORS.http, username: 'watcher', monitor_id: await make('monitor') },
  }),
  updateContactQuietHours: () => ({
    quiet_hours: {
      ...{ time_zone: 'Europe/Berlin', action: 'hold' },
      hours: { days: ['SA', 'SU'], from: '22:00', until: '07:00' },
    },
  }),
  updateContactTimeZone: () => ({ time_zone: 'Europe/Berlin' }),
  acknowledgeIncident: note,
  acknowledgeServerIncident: note,
  acknowledgeSiteIncident: note,
  addIncidentNote: text,
  addServerIncidentNote: text,
  addSiteIncidentNote: text,
  updateOnCallSettings: () => ({ reminder_minutes: 30 }),
  createEscalationPolicy: async (make) => ({
    name: 'Night',
    steps: [
      { after_minutes: 5, contact_ids: [await make('notificationContact')] },
      { after_minutes: 15, schedule_id: await make('schedule') },
    ],
  }),
  updateEscalationPolicy: async (make) => ({
    steps: [{ after_minutes: 5, contact_ids: [await make('notificationContact')] }],
  }),
  setMonitorPolicy: policyOf,
  setServerPolicy: policyOf,
  setSitePolicy: policyOf,
  previewEscalation: async (make) => ({ kind: 'monitor', id: await make('monitor'), at: inHours(1) }),
  acknowledgeDrill: note,
  updateTeam: name,
  updateTeamConfirmation: () => ({ confirmations: 1 }),
  updateTeamLanguage: () => ({ language: 'de', time_zone: 'Europe/Berlin' }),
  updateMember: () => ({ role: 'admin' }),
  createInvitation: () => ({ email: `${randomUUID()}@example.com`, role: 'viewer' }),
  createApiToken: () => ({ name: 'deploy' }),
  rotateApiToken: () => ({ old_works_hours: 1 }),
  previewMaintenanceWindow: async (make) => ({
    window: await windowOf(make),
    reader_zone: 'Europe/Berlin',
  }),
  createMaintenanceWindow: windowOf,
  maintainMonitors: async (make) => ({ monitor_ids: [await make('monitor')], minutes: 5 }),
  updateMaintenanceWindow: async (make) => ({
    ...{ kind: 'switch', name: 'Deployment', monitor_ids: [await make('monitor')] },
  }),
  startMaintenance: later,
  prolongMaintenance: later,
  callOffMaintenance: () => ({ starts_at: STARTS_AT }),
  createStatusPage: () => ({ name: 'Shop', slug: `body-${randomUUID().slice(0, 18)}` }),
  updateStatusPage: async () => name(),
  previewStatusPage: async (make) => ({ settings: name(), layout: await layoutOf(make) }),
  saveStatusPageLayout: layoutOf,
  setStatusPagePassword: () => ({ password: 'correct horse battery' }),
  setStatusPageLogo: () => ({ logo: LOGO }),
  addStatusPageDomain: () => ({ domain }),
  proveStatusPageDomain: () => ({ domain }),
  removeStatusPageDomain: () => ({ domain }),
  createStatusPost: newPost,
  draftMaintenancePost: async (make) => {
    const { id } = await make.data('POST', '/maintenance-windows', await windowOf(make))
    return { window_id: id, starts_at: STARTS_AT }
  },
  updateStatusPost: () => ({ title: 'Slower' }),
  publishStatusPost: () => ({ notifies: false }),
  addStatusUpdate: () => ({ phase: 'identified', body: 'It is the cart.' }),
  editStatusUpdate: () => ({ body: 'It was the cart.' }),
  previewStatusText: () => ({ body: '**Slow**' }),
  createStatusTemplate: () => templateOf('Slow'),
  updateStatusTemplate: () => templateOf('Slower'),
  createServer: async (make) => ({ name: 'Web', contact_ids: [await make('notificationContact')] }),
  updateServer: async (make) => ({ contact_ids: [await make('notificationContact')] }),
  createSite: async (make) => ({
    ...{ name: 'Shop', url: 'https://example.com/' },
    contact_ids: [await make('notificationContact')],
  }),
  updateSite: async (make) => ({ contact_ids: [await make('notificationContact')] }),
  lookAtSite: () => ({ area: 'home_page' }),
  snoozeSiteArea: () => ({ area: 'home_page', until: inHours(1) }),
  ignoreSiteFinding: () => ({ reason: 'It is meant to be gone.' }),
  createReport: async (make) => ({
    ...{ name: 'Monthly', time_zone: 'Europe/Berlin', all_subjects: false },
    monitor_ids: [await make('monitor')],
    server_ids: [await make('server')],
    site_ids: [await make('site')],
  }),
  updateReport: async (make) => ({ all_subjects: false, monitor_ids: [await make('monitor')] }),
  addReportRecipient: () => ({ email: `${randomUUID()}@example.com` }),
  setMonitorTags: tags,
  setServerTags: tags,
  setSiteTags: tags,
  changeTags: async (make) => ({ kind: 'monitor', ids: [await make('monitor')], add: ['env:prod'] }),
  createSchedule: async (make) => scheduleWith(await make('notificationContact')),
  previewSchedule: async (make) => ({
    ...scheduleWith(await make('notificationContact')),
    ...{ from: inHours(0), until: inHours(48) },
  }),
  updateSchedule: async (make) => scheduleWith(await make('notificationContact')),
  addScheduleOverride: () => ({ participant: 1, starts_at: inHours(1), ends_at: inHours(2) }),
  restoreRecord: async (make) => ({ kind: 'Report', id: await make('deletedReport') }),
  // YAML is JSON, too: the sizes in the query are those of this one.
  readExport: () => ({ endpoints: [] }),
} as const satisfies Record<WithBody | 'readExport', BodyOf>
