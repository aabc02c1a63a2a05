import type { KeptWindow } from '../../core/maintenance/kept-window.ts'
import type { MaintenanceWindow } from '../../core/maintenance/window.ts'
import { changeOf } from '../../core/maintenance/window-change.ts'
import type { Query } from '../../postgres/database.ts'
import { changeSubjectsFrom, dropKeptFrom } from '../../store/maintenance/occurrences.ts'
import { updateWindow } from '../../store/maintenance/windows.ts'
import { keepAll } from './change-window.ts'

/** Writes a locked window anew from now on, and keeps what it was until now. */
export async function writeChange(
  query: Query,
  teamId: number,
  whole: KeptWindow,
  next: MaintenanceWindow,
  now: Date,
): Promise<void> {
  const { window } = whole
  const { since, keep, dropsLater } = changeOf(whole, next, now)
  if (dropsLater) await dropKeptFrom(query, teamId, window.id, now)
  await keepAll(query, teamId, keep)
  if (since > window.since) await changeSubjectsFrom(query, teamId, window.id, since, next)
  await updateWindow(query, teamId, window.id, next, since)
}
