import { randomUUID } from 'node:crypto'
import { maintenanceOperations } from '../../contract/maintenance.ts'
import { Refusal } from '../../core/errors.ts'
import { said } from '../../core/language/said.ts'
import { LOOK_BACK_MS } from '../../core/maintenance/kept-window.ts'
import {
  chosenField,
  chosenIn,
  MAX_WINDOWS,
  MaintenanceWindow,
  SUBJECT_KINDS,
} from '../../core/maintenance/window.ts'
import { windowFaults } from '../../core/maintenance/window-faults.ts'
import { parseFields } from '../../core/validation.ts'
import type { Query } from '../../postgres/database.ts'
import { countWindows, insertWindow, retireOneOff, windowsChanged } from '../../store/maintenance/windows.ts'
import { lockTags } from '../../store/tags/tags.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import type { Implementation } from '../implementation.ts'
import type { Services } from '../services.ts'
import { withCarriers } from './follow-tags.ts'
import { readDetail } from './present-window.ts'
import { refuseUnknownSubjects } from './subject-ids.ts'

/** The name of a window that gets no other; it says nothing of what subjects are called. */
const SHORT_NOTICE_NAME = 'Short-notice maintenance'

export const createMaintenanceWindow: Implementation<'createMaintenanceWindow'> = {
  validate({ databaseNow }, _asked, body) {
    return parseFields(MaintenanceWindow, body, windowFaults(databaseNow()))
  },

  async perform(services, { actor, body }) {
    const id = await services.db.query.transaction().execute(async (query) => {
      await lockTags(query, actor.teamId)
      await refuseUnknownSubjects(query, actor.teamId, body)
      const window = await withCarriers(query, actor.teamId, body)
      return add(services, query, actor.teamId, window, services.databaseNow())
    })
    return { body: { data: await readDetail(services, actor, id) } }
  },
}

export const maintainMonitors: Implementation<'maintainMonitors'> = {
  validate(_services, _asked, body) {
    return parseFields(maintenanceOperations.maintainMonitors.body, body, (chosen) => {
      if (SUBJECT_KINDS.some((kind) => (chosen[chosenField(kind)] ?? []).length > 0)) return []
      const message = said('must have at least 1 entry unless server_ids or site_ids has one, got 0')
      return [{ field: 'monitor_ids', message }]
    })
  },

  async perform(services, { actor, body }) {
    const id = await services.db.query.transaction().execute(async (query) => {
      await refuseUnknownSubjects(query, actor.teamId, body)
      const now = services.databaseNow()
      const window = {
        kind: 'one_off' as const,
        name: body.name ?? SHORT_NOTICE_NAME,
        note: '',
        // A person who mutes a monitor for a deployment tells nobody outside of it.
        shows_on_pages: false,
        public_name: '',
        ...{ all_subjects: false, ...chosenIn(body), tags: [] },
        starts_at: now,
        ends_at: new Date(now.getTime() + body.minutes * 60_000),
      }
      return add(services, query, actor.teamId, window, now)
    })
    return { body: { data: await readDetail(services, actor, id) } }
  },
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
      name: [
        said('must wait: the team has {count} maintenance windows, the most; delete one first', {
          count: MAX_WINDOWS,
        }),
      ],
    })
  }
  const token = window.kind === 'switch' ? randomUUID() : null
  const id = await insertWindow(query, vault, teamId, window, { since, token })
  await windowsChanged(query, teamId)
  return id
}
