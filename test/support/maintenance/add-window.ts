import type { MaintenanceWindow } from '../../../src/core/maintenance/window.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { insertWindow, windowsChanged } from '../../../src/store/maintenance/windows.ts'
import type { Vault } from '../../../src/store/sealing/vault.ts'

/** A window as it was written at `since`, long ago unless a time is given; returns its id. */
export async function addWindow(
  { db, vault }: { db: Database; vault: Vault },
  teamId: number,
  window: MaintenanceWindow,
  since = new Date(0),
): Promise<number> {
  return db.query.transaction().execute(async (query) => {
    const id = await insertWindow(query, vault, teamId, window, { since, token: null })
    await windowsChanged(query, teamId)
    return id
  })
}
