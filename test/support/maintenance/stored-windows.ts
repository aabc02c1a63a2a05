import type { MaintenanceWindow } from '../../../src/core/maintenance/window.ts'
import type { KeptOccurrence } from '../../../src/core/maintenance/window-record.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { keepOccurrence } from '../../../src/store/maintenance/occurrences.ts'
import { insertWindow, windowsChanged } from '../../../src/store/maintenance/windows.ts'
import { Vault } from '../../../src/store/sealing/vault.ts'

/** Stores a window as of `since` and announces it. A switch has no secret address. */
export async function addWindow(
  db: Database,
  teamId: number,
  window: MaintenanceWindow,
  since = new Date('2027-01-01T00:00:00Z'),
): Promise<number> {
  const vault = new Vault('of no secret')
  const id = await insertWindow(db.query, vault, teamId, window, { since, token: null })
  await windowsChanged(db.query, teamId)
  return id
}

/** Keeps what happened of a window for everything, unless another part says for which monitors. */
export async function keepSpan(
  db: Database,
  teamId: number,
  windowId: number,
  [starts, ends]: readonly [Date, Date],
  kept: Partial<KeptOccurrence> = {},
): Promise<void> {
  const span = {
    windowId,
    startsAt: starts,
    endsAt: ends,
    endedBy: null,
    all_subjects: true,
    monitor_ids: [],
    server_ids: [],
    site_ids: [],
  }
  await keepOccurrence(db.query, teamId, { ...span, ...kept })
  await windowsChanged(db.query, teamId)
}
