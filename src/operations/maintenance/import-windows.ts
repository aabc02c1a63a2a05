import { randomUUID } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { MAX_WINDOWS, type MaintenanceWindow } from '../../core/maintenance/window.ts'
import { countWindows, insertWindow, listWindows, windowsChanged } from '../../store/maintenance/windows.ts'
import { insertAudit } from '../../store/teams/audit.ts'
import { lockTeam } from '../../store/teams/teams.ts'
import type { Actor } from '../implementation.ts'
import type { Services } from '../services.ts'
import { admit } from '../sign-in/authenticate.ts'

export type ImportedWindow = { id: number; name: string }

/** Windows that the team has, which an import leaves alone. */
export async function windowsByName({ db }: Services, { teamId }: Actor): Promise<ImportedWindow[]> {
  return (await listWindows(db.query, teamId)).map(({ id, name }) => ({ id, name }))
}

/** Creates all or none of the windows, which the import has judged. Refuses like the API. */
export async function importWindows(
  { db, vault, now, databaseNow }: Services,
  actor: Actor,
  windows: MaintenanceWindow[],
): Promise<ImportedWindow[]> {
  const { teamId, userId, door } = admit(actor, 'write')
  return await db.query.transaction().execute(async (query) => {
    // Two imports cannot both take the last place.
    await lockTeam(query, teamId)
    const count = await countWindows(query, teamId)
    if (count + windows.length > MAX_WINDOWS) {
      const detail = `A team has at most ${MAX_WINDOWS} maintenance windows, and this one has ${count}.`
      throw new Refusal('validationFailed', { detail })
    }
    const created: ImportedWindow[] = []
    for (const window of windows) {
      const token = window.kind === 'switch' ? randomUUID() : null
      const id = await insertWindow(query, vault, teamId, window, { since: databaseNow(), token })
      created.push({ id, name: window.name })
      await insertAudit(query, {
        ...{ teamId, userId, door, at: now() },
        ...{ action: 'createMaintenanceWindow', subject: window.name, subjectId: id, fields: [] },
      })
    }
    if (created.length > 0) await windowsChanged(query, teamId)
    return created
  })
}
