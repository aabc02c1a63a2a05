import type { Services } from '../../../src/operations/services.ts'
import { addWindow } from '../maintenance/stored-windows.ts'
import { oneOff } from '../maintenance/windows.ts'
import { addContacts, addDeliveries } from '../records/alerting.ts'
import { addIncident } from '../records/history.ts'
import { addMonitors } from '../records/monitors.ts'
import { addRow, ago, changeRows } from '../records/rows.ts'
import { addServer } from '../records/servers.ts'
import { addSite } from '../records/sites.ts'

/** The numbers that the dashboard has of the team below: a server with two incidents is down once, and a warning is an incident. */
export const TROUBLE = {
  down: { monitors: 3, servers: 1, sites: 1, all: 5 },
  incidents: 7,
} as const

/** Three monitors, a server and a site that are down, two windows that run, and a contact that alerts do not reach. */
export async function makeTrouble({ db }: Pick<Services, 'db'>, team_id: number): Promise<void> {
  const since = ago(600_000)
  const down = { status: 'down' as const, status_since: since, last_checked_at: new Date() }
  const monitors = await addMonitors(db, 5, (index) => ({
    ...{ team_id, name: `Shop ${index}`, url: `https://shop-${index}.example/` },
    state: index < 3 ? down : { ...down, status: 'up' as const },
  }))
  for (const [index, { id: monitor_id }] of monitors.slice(0, 3).entries()) {
    const incident = { team_id, monitor_id, started_at: since, cause: `HTTP 50${index} (expected 200)` }
    const open_incident_id = await addIncident(db, incident)
    await changeRows(db, 'monitor_state', { monitor_id }, { open_incident_id })
  }
  const state = { status: 'down' as const, status_since: since }
  const { id: server_id } = await addServer(db, { team_id, name: 'Host', state })
  const rest = { team_id, started_at: since, resolved_at: null }
  for (const [condition, cause] of [
    ['silent', 'no report for 5 min'],
    ['memory', 'memory 97 %'],
  ] as const) {
    await addIncident(db, { ...rest, server_id, about: condition, cause })
  }
  await addIncident(db, { ...rest, server_id, about: 'load', cause: 'load 9', warns_only: true })
  const site = await addSite(db, { team_id, name: 'Website' })
  await changeRows(db, 'site_areas', { site_id: site.id, area: 'home_page' }, { ...state, cause: 'HTTP 503' })
  await addIncident(db, { ...rest, site_id: site.id, about: 'home_page', cause: 'HTTP 503' })
  for (const name of ['Router upgrade', 'Backup'])
    await addWindow(
      db,
      team_id,
      {
        ...oneOff(since.toISOString(), new Date(Date.now() + 3_600_000).toISOString()),
        ...{ name, all_subjects: false, monitor_ids: monitors.slice(4).map(({ id }) => id) },
      },
      since,
    )
  const [contact_id = 0] = await addContacts(db, [{ team_id, name: 'On-call' }])
  const [delivery_id = 0] = await addDeliveries(db, [
    { team_id, contact_id, state: 'failed', attempts: 1, finished_at: new Date() },
  ])
  await addRow(db, 'delivery_attempts', {
    ...{ delivery_id, attempt: 1, attempted_at: new Date(), duration_ms: 20, outcome: 'rejected' },
    detail: 'connection refused by 203.0.113.9:443, as it was all night long',
  })
}
