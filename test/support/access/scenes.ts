import { randomUUID } from 'node:crypto'
import type { OperationId } from '../../../src/contract/contract.ts'
import { addChecks } from '../records/history.ts'
import { MONITORS } from '../services/api-bodies.ts'
import { domain, windowOf } from './every-body.ts'
import { inHours, type Make, newPost } from './team-records.ts'

/** The record that a path names, where an operation needs one in a certain state. */
export const SCENES: Partial<Record<OperationId, (make: Make) => Promise<number>>> = {
  unacknowledgeIncident: (make) => acknowledged(make, 'incident', 'incidents'),
  unacknowledgeServerIncident: (make) => acknowledged(make, 'serverIncident', 'server-incidents'),
  unacknowledgeSiteIncident: (make) => acknowledged(make, 'siteIncident', 'site-incidents'),
  endMaintenance: running,
  prolongMaintenance: running,
  async callOffMaintenance(make) {
    return (await make.data('POST', '/maintenance-windows', await windowOf(make))).id
  },
  async publishStatusPage(make) {
    const page = await make('statusPage')
    const items = [{ component: { monitor_id: await make('monitor'), name: 'Cart' } }]
    await make.data('PUT', `/status-pages/${page}/layout`, { items })
    return page
  },
  async clearStatusPagePassword(make) {
    const page = await make('statusPage')
    await make.data('PUT', `/status-pages/${page}/password`, { password: 'correct horse battery' })
    return page
  },
  proveStatusPageDomain: withDomain,
  removeStatusPageDomain: withDomain,
  async publishStatusPost(make) {
    const page = await make('statusPage')
    return (await make.data('POST', `/status-pages/${page}/posts`, { ...newPost(), is_draft: true })).id
  },
  async unignoreSiteFinding(make) {
    const finding = await make('siteFinding')
    await make.data('POST', `/site-findings/${finding}/ignore`, { reason: 'It is meant to be gone.' })
    return finding
  },
  async switchMonitor(make) {
    return (await make.data('POST', '/monitors', MONITORS.manual)).id
  },
  async getPingBody(make) {
    return (await make.data('POST', '/monitors', MONITORS.heartbeat)).id
  },
  async askContact(make) {
    const config = { email: `asked-${randomUUID()}@example.com` }
    const { id } = await make.data('POST', '/notification-contacts', { name: 'Boss', type: 'email', config })
    // Where sign-up is open the address has been asked, and may be asked again once the link in that letter has expired.
    await make.service.services.db.pool.query(
      "UPDATE agreements SET expires_at = now() - interval '1 minute' WHERE team_id = $1 AND agreed_at IS NULL",
      [make.team.id],
    )
    return id
  },
}

const SOME_DAYS = { from: inHours(-48), to: inHours(0) }

/** The query that an operation needs, about the record of its path. */
export const QUERIES: Partial<
  Record<OperationId, (make: Make, record: number) => Promise<Record<string, string>>>
> = {
  async getPingBody({ service, data }, monitor) {
    const { heartbeat_token: token } = await data('GET', `/monitors/${monitor}`)
    await fetch(`${service.url}/ping/${token}`, { method: 'POST', body: 'done' })
    const [ping] = await data('GET', `/monitors/${monitor}/pings`)
    return { at: ping.received_at }
  },
  async getFailingAnswer({ service }, monitor) {
    const at = new Date()
    await addChecks(service.services.db, [{ monitor_id: monitor, checked_at: at, status: 'down' }])
    return { at: at.toISOString() }
  },
  async getMonitorTrial({ data }) {
    const { id } = await data('POST', '/monitor-trials', MONITORS.http)
    return { id: String(id) }
  },
  readExport: async () => ({ service: 'gatus', sizes: String('{"endpoints":[]}'.length) }),
  listMaintenanceOccurrences: async () => SOME_DAYS,
  getServerHistory: async () => SOME_DAYS,
  listScheduleShifts: async () => ({ from: inHours(0), until: inHours(48) }),
  getTeamReport: async () => ({ from: '2026-11-01', to: '2026-11-07', zone: 'Europe/Berlin' }),
}

async function acknowledged(
  make: Make,
  kind: 'incident' | 'serverIncident' | 'siteIncident',
  path: string,
): Promise<number> {
  const incident = await make(kind)
  await make.data('POST', `/${path}/${incident}/acknowledgement`, {})
  return incident
}

async function running(make: Make): Promise<number> {
  const window = await make('maintenanceWindow')
  await make.data('POST', `/maintenance-windows/${window}/start`, { minutes: 30 })
  return window
}

async function withDomain(make: Make): Promise<number> {
  const page = await make('statusPage')
  await make.data('POST', `/status-pages/${page}/domains`, { domain })
  return page
}
