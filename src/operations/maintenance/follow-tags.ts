import { standingAt } from '../../core/maintenance/kept-window.ts'
import { chosenField, type MaintenanceWindow, SUBJECT_KINDS } from '../../core/maintenance/window.ts'
import { subjectsDiffer } from '../../core/maintenance/window-change.ts'
import { matches } from '../../core/tags/selector.ts'
import type { Query } from '../../postgres/database.ts'
import { listKept } from '../../store/maintenance/occurrences.ts'
import { lockTagWindows, windowsChanged } from '../../store/maintenance/windows.ts'
import { listCarriers } from '../../store/tags/tags.ts'
import type { Services } from '../services.ts'
import { writeChange } from './write-change.ts'

/**
 * Brings windows that go by tags in line with who carries them, in the transaction of the change: what such a window covers
 * is exact at any instant, and costs a finding nothing. `touched`: the tags that somebody got or lost. The caller holds
 * the tags of the team (`lockTags`).
 */
export async function followTags(
  { databaseNow }: Services,
  query: Query,
  teamId: number,
  touched: readonly string[],
): Promise<void> {
  const windows = (await lockTagWindows(query, teamId)).filter(({ tags }) =>
    tags.some((selector) => touched.some((tag) => matches(tag, selector))),
  )
  let hasChanged = false
  for (const window of windows) {
    const next = await withCarriers(query, teamId, window)
    if (!subjectsDiffer(window, next)) continue
    const now = databaseNow()
    const from = window.kind === 'switch' ? now : standingAt(now).lookFrom
    const kept = await listKept(query, teamId, from, [window.id])
    await writeChange(query, teamId, { window, kept }, next, now)
    hasChanged = true
  }
  if (hasChanged) await windowsChanged(query, teamId)
}

/** A window with the subjects that carry its tags; as it is if it does not go by tags. */
export async function withCarriers<Window extends MaintenanceWindow>(
  query: Query,
  teamId: number,
  window: Window,
): Promise<Window> {
  if (window.tags.length === 0) return window
  const next = { ...window }
  for (const kind of SUBJECT_KINDS)
    next[chosenField(kind)] = await listCarriers(query, teamId, kind, window.tags)
  return next
}
