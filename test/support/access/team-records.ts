import { addDeliveries } from '../records/alerting.ts'
import { addIncident } from '../records/history.ts'
import { addFinding } from '../records/sites.ts'
import { addSubscriber } from '../records/status-pages.ts'
import type { AskedService } from '../services/asked-service.ts'
import type { People, Team } from '../services/people.ts'

/** The records that paths and bodies name. */
export type RecordKind =
  | 'monitor'
  | 'deletedMonitor'
  | 'deletedServer'
  | 'deletedSite'
  | 'notificationContact'
  | 'server'
  | 'site'
  | 'siteFinding'
  | 'incident'
  | 'serverIncident'
  | 'siteIncident'
  | 'delivery'
  | 'escalationPolicy'
  | 'drill'
  | 'schedule'
  | 'scheduleOverride'
  | 'member'
  | 'invitation'
  | 'apiToken'
  | 'maintenanceWindow'
  | 'statusPage'
  | 'statusPost'
  | 'statusUpdate'
  | 'statusTemplate'
  | 'statusSubscriber'
  | 'report'
  | 'deletedReport'
  | 'reportRecipient'

/** Makes one record of a team, with whatever it needs to exist; returns its id. */
export type Make = ((kind: RecordKind) => Promise<number>) & {
  team: Team
  service: AskedService
  people: People
  /** Asks for something as an owner of the team; returns the `data`. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the operation's
  data(method: string, path: string, body?: unknown): Promise<any>
}

const HOUR_MS = 3_600_000
/** Names and addresses that may stand once only. */
let made = 0

const RECORDS: Record<RecordKind, (make: Make) => Promise<number>> = {
  monitor: (make: Make) =>
    idOf(make, '/monitors', {
      ...{ type: 'http', name: 'Shop', url: 'https://example.com/', check_interval_minutes: 60 },
    }),
  async deletedMonitor(make: Make) {
    const id = await make('monitor')
    await make.data('DELETE', `/monitors/${id}`)
    return id
  },
  notificationContact: (make: Make) =>
    idOf(make, '/notification-contacts', {
      ...{ name: 'Ops', type: 'webhook', config: { url: 'https://example.com/hook' } },
    }),
  async deletedServer(make: Make) {
    const id = await make('server')
    await make.data('DELETE', `/servers/${id}`)
    return id
  },
  async deletedReport(make: Make) {
    const id = await make('report')
    await make.data('DELETE', `/reports/${id}`)
    return id
  },
  async deletedSite(make: Make) {
    const id = await make('site')
    await make.data('DELETE', `/sites/${id}`)
    return id
  },
  server: (make: Make) => idOf(make, '/servers', { name: 'Web' }),
  site: (make: Make) => idOf(make, '/sites', { name: 'Shop', url: 'https://example.com/' }),
  siteFinding: async (make: Make) => addFinding(make.service.services.db, await make('site')),
  incident: async (make: Make) =>
    addIncident(make.service.services.db, {
      team_id: make.team.id,
      monitor_id: await make('monitor'),
      cause: 'timed out',
    }),
  serverIncident: async (make: Make) =>
    addIncident(make.service.services.db, {
      ...{ team_id: make.team.id, server_id: await make('server'), about: 'cpu', cause: 'CPU at 99 %' },
    }),
  siteIncident: async (make: Make) =>
    addIncident(make.service.services.db, {
      ...{ team_id: make.team.id, site_id: await make('site'), about: 'home_page', cause: 'timed out' },
    }),
  async delivery(make: Make) {
    const ids = await addDeliveries(make.service.services.db, [{ team_id: make.team.id }])
    return ids[0] as number
  },
  escalationPolicy: async (make: Make) =>
    idOf(make, '/escalation-policies', {
      name: 'Night',
      steps: [{ after_minutes: 5, contact_ids: [await make('notificationContact')] }],
    }),
  drill: async (make: Make) =>
    idOf(make, `/escalation-policies/${await make('escalationPolicy')}/drills`, undefined),
  schedule: async (make: Make) => idOf(make, '/schedules', scheduleWith(await make('notificationContact'))),
  async scheduleOverride(make: Make) {
    const schedule = await make('schedule')
    const { overrides } = await make.data('POST', `/schedules/${schedule}/overrides`, {
      ...{ participant: 1, starts_at: inHours(1), ends_at: inHours(2) },
    })
    return overrides[0].id
  },
  member: async (make: Make) => (await make.people.member(make.team.id, 'viewer')).id,
  invitation: (make: Make) =>
    idOf(make, '/invitations', { email: `invited${++made}@example.com`, role: 'viewer' }),
  apiToken: (make: Make) => idOf(make, '/api-tokens', { name: 'deploy' }),
  maintenanceWindow: async (make: Make) =>
    idOf(make, '/maintenance-windows', {
      ...{ kind: 'switch', name: 'Deployment', monitor_ids: [await make('monitor')] },
    }),
  statusPage: (make: Make) => idOf(make, '/status-pages', { name: 'Shop', slug: `every-${++made}` }),
  statusPost: async (make: Make) => idOf(make, `/status-pages/${await make('statusPage')}/posts`, newPost()),
  async statusUpdate(make: Make) {
    const update = { phase: 'identified', body: 'It is the cart.' }
    const post = await make('statusPost')
    const { updates } = await make.data('POST', `/status-posts/${post}/updates`, update)
    return updates[0].id
  },
  statusTemplate: (make: Make) => idOf(make, '/status-templates', templateOf('Down')),
  statusSubscriber: async (make: Make) => {
    const { db, vault } = make.service.services
    return addSubscriber(db, vault, { teamId: make.team.id, pageId: await make('statusPage') })
  },
  report: (make: Make) => idOf(make, '/reports', { name: 'Monthly', time_zone: 'Europe/Berlin' }),
  reportRecipient: async (make: Make) =>
    idOf(make, `/reports/${await make('report')}/recipients`, { email: `boss${++made}@example.com` }),
}

/** Makes records of a team that its owner could make, by the API wherever that can. */
export function recordsOf(service: AskedService, people: People, team: Team): Make {
  const make = ((kind: RecordKind) => RECORDS[kind](make)) as Make
  return Object.assign(make, {
    team,
    service,
    people,
    data: (method: string, path: string, body?: unknown) => team.owner.data(team.id, method, path, body),
  })
}

export function scheduleWith(contactId: number) {
  return {
    ...{ name: 'Nights', time_zone: 'Europe/Berlin' },
    participants: [{ key: 1, name: 'Ada', contact_ids: [contactId] }],
    layers: [{ rotation: [1], unit: 'day', hand_over_at: '09:00', starts_on: '2026-11-01' }],
  }
}

export function newPost() {
  return { kind: 'incident', title: 'Slow', update: { phase: 'investigating', body: 'We look.' } }
}

export function templateOf(name: string) {
  return { name, title: 'Down', phase: 'investigating', body: '' }
}

export function inHours(hours: number): string {
  return new Date(Date.now() + hours * HOUR_MS).toISOString()
}

async function idOf(make: Make, path: string, body: unknown): Promise<number> {
  return (await make.data('POST', path, body)).id
}
