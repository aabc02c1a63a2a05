import { Refusal } from '../../core/errors.ts'
import { type KeptWindow, standingAt } from '../../core/maintenance/kept-window.ts'
import type { KeptOccurrence } from '../../core/maintenance/window-record.ts'
import type { Query } from '../../postgres/database.ts'
import { keepOccurrence, listKept } from '../../store/maintenance/occurrences.ts'
import { lockWindow, windowsChanged } from '../../store/maintenance/windows.ts'
import { lockTags } from '../../store/tags/tags.ts'
import type { Services } from '../services.ts'

/**
 * Changes a window or its turns in one transaction, one change after another. The time is asked for once nobody else
 * changes it any more. `change` says whether it changed anything. Refuses with 404.
 */
export async function changeWindow(
  { db, databaseNow }: Services,
  teamId: number,
  windowId: number,
  change: (query: Query, whole: KeptWindow, now: Date) => Promise<boolean>,
): Promise<void> {
  await db.query.transaction().execute(async (query) => {
    // Before the window: whoever gets or loses a tag changes windows after it.
    await lockTags(query, teamId)
    const window = await lockWindow(query, teamId, windowId)
    if (!window) throw new Refusal('notFound')
    const now = databaseNow()
    // A switch keeps all of its turns: only what is on matters.
    const from = window.kind === 'switch' ? now : standingAt(now).lookFrom
    const kept = await listKept(query, teamId, from, [windowId])
    if (await change(query, { window, kept }, now)) await windowsChanged(query, teamId)
  })
}

export async function keepAll(query: Query, teamId: number, kept: KeptOccurrence[]): Promise<void> {
  for (const one of kept) await keepOccurrence(query, teamId, one)
}
