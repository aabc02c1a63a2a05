import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { LOOK_BACK_MS } from '../../core/maintenance/kept-window.ts'
import type { MonitorName } from '../../core/maintenance/shown-window.ts'
import { MAX_WINDOWS, MaintenanceWindow } from '../../core/maintenance/window.ts'
import { windowFaults } from '../../core/maintenance/window-faults.ts'
import { cut, MAX_NAME_LENGTH } from '../../core/text.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { countWindows, insertWindow, retireOneOff, windowsChanged } from '../../store/maintenance/windows.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { refuseUnknownMonitors } from './monitor-ids.ts'
import { readDetail } from './present-window.ts'

export const createMaintenanceWindow: Implementation<'createMaintenanceWindow'> = {
  validate({ databaseNow }, _asked, body) {
    return parseFields(MaintenanceWindow, body, windowFaults(databaseNow()))
  },

  async perform(services, { actor, body }) {
    const id = await services.db.query.transaction().execute(async (query) => {
      await refuseUnknownMonitors(query, actor.teamId, body.monitor_ids)
      return add(services, query, actor.teamId, body, services.databaseNow())
    })
    return { body: { data: await readDetail(services, actor, id) } }
  },
}

export const maintainMonitors: Implementation<'maintainMonitors'> = {
  async perform(services, { actor, body }) {
    const id = await services.db.query.transaction().execute(async (query) => {
      const monitors = await refuseUnknownMonitors(query, actor.teamId, body.monitor_ids)
      const now = services.databaseNow()
      const window = {
        kind: 'one_off' as const,
        name: nameOf(monitors),
        note: '',
        all_subjects: false,
        monitor_ids: body.monitor_ids,
        starts_at: now,
        ends_at: new Date(now.getTime() + body.minutes * 60_000),
      }
      return add(services, query, actor.teamId, window, now)
    })
    return { body: { data: await readDetail(services, actor, id) } }
  },
}

function nameOf(monitors: MonitorName[]): string {
  const [first] = monitors
  if (monitors.length !== 1 || !first) return `Maintenance of ${monitors.length} monitors`
  return cut(`Maintenance of ${first.name}`, MAX_NAME_LENGTH)
}

async function add(
  { vault }: Services,
  query: Query,
  teamId: number,
  window: MaintenanceWindow,
  since: Date,
): Promise<number> {
  await lockTeam(query, teamId)
  const isFull = (await countWindows(query, teamId)) >= MAX_WINDOWS
  // Maintenance of an hour leaves a window each time; those that are long over make room, and stay where they applied.
  const longAgo = new Date(since.getTime() - LOOK_BACK_MS)
  if (isFull && !(await retireOneOff(query, teamId, longAgo, since))) {
    throw Refusal.invalid({
      name: [`name must wait: the team has ${MAX_WINDOWS} maintenance windows, the most; delete one first`],
    })
  }
  const token = window.kind === 'switch' ? randomUUID() : null
  const id = await insertWindow(query, vault, teamId, window, { since, token })
  await windowsChanged(query, teamId)
  return id
}
