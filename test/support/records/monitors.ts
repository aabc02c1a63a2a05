import { MonitorCreate } from '../../../src/core/monitors/monitor.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { addRows, type Given } from './rows.ts'
import { addTeam } from './teams.ts'

export type AddedMonitor = { id: number; revision: number; teamId: number }

/** Columns of `monitors`, and of `monitor_state`. Without a team, a new one gets the monitor. */
export type NewMonitor = Given<'monitors'> & { state?: Given<'monitor_state'> }

/** A monitor as the schema makes it from a name and an address, in the first slot, with its state. */
export async function addMonitor(db: Database, monitor: NewMonitor = {}): Promise<AddedMonitor> {
  return (await addMonitors(db, 1, () => monitor))[0] as AddedMonitor
}

/** Monitors of one team, `count` of them, in the order of their ids. */
export async function addMonitors(
  db: Database,
  count: number,
  monitorOf: (index: number) => NewMonitor = () => ({}),
): Promise<AddedMonitor[]> {
  const monitors = Array.from({ length: count }, (_, index) => monitorOf(index))
  const teamId = monitors.every(({ team_id }) => team_id !== undefined) ? 0 : await addTeam(db)
  const rows = await addRows(
    db,
    'monitors',
    monitors.map(({ state, ...columns }) => ({ ...plainMonitor(), slot: 0, team_id: teamId, ...columns })),
  )
  await addRows(
    db,
    'monitor_state',
    rows.map(({ id, is_active, deleted_at, revision }, index) => ({
      monitor_id: id,
      revision: is_active && !deleted_at ? revision : null,
      ...monitors[index]?.state,
    })),
  )
  return rows.map(({ id, revision, team_id }) => ({ id, revision, teamId: team_id }))
}

/** The columns of a monitor whose owner has set only what is required; a new setting comes from its schema. */
function plainMonitor() {
  // Databases of older versions have no options.
  const {
    notification_contact_ids: _,
    options: __,
    ...settings
  } = MonitorCreate.parse({
    name: 'Shop',
    type: 'http',
    url: 'http://127.0.0.1/',
    check_interval_minutes: 1,
  })
  // Secrets are sealed, and none has one.
  return { ...settings, request_headers: null, password: null }
}
