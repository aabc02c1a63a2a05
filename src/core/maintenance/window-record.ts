import * as z from 'zod'
import type { Occurrence, WindowTimes } from './occurrence.ts'
import { type MaintenanceWindow, type Subjects, subjectsOf } from './window.ts'

/** How an occurrence ended, where its plan did not end it. `change`: the window was changed or deleted. */
export const EndedBy = z.enum(['person', 'address', 'passing', 'change'])
export type EndedBy = z.infer<typeof EndedBy>

/** A stored window. `since`: when its times or subjects last changed. */
export type WindowRecord = MaintenanceWindow & { id: number; since: Date }

/** A stored occurrence, with the subjects it had then; see migration 024. */
export type KeptOccurrence = Occurrence & Subjects & { windowId: number; endedBy: EndedBy | null }

/** A window as it is judged by: for the subjects it has, and what was kept of it. */
export type JudgedWindow = WindowTimes & Subjects & { id: number }

/**
 * The windows of a team as they were and will be, one after another where the subjects of one changed. Occurrences kept from
 * before a window's last change, or of a window that is not among `windows` as it was deleted, counts by itself.
 */
export function judgedWindows(
  windows: readonly WindowRecord[],
  occurrences: readonly KeptOccurrence[],
): JudgedWindow[] {
  const keptOf = Map.groupBy(occurrences, ({ windowId }) => windowId)
  const sinceOf = new Map(windows.map(({ id, since }) => [id, since]))
  const present = windows.map((window) => ({
    ...window,
    kept: (keptOf.get(window.id) ?? []).filter(({ startsAt }) => startsAt >= window.since),
  }))
  const past = occurrences.filter(({ windowId, startsAt }) => {
    const since = sinceOf.get(windowId)
    return since === undefined || startsAt < since
  })
  return [...present, ...past.map(asWindow)]
}

function asWindow(kept: KeptOccurrence): JudgedWindow {
  const { windowId, startsAt, endsAt } = kept
  return { id: windowId, kind: 'switch', ...subjectsOf(kept), kept: [{ startsAt, endsAt }] }
}
