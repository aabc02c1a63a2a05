import { DAY_MS } from '../history/history-span.ts'
import { ifReadable } from '../maintenance/cover.ts'
import { type KeptWindow, timesOf } from '../maintenance/kept-window.ts'
import { occurrencesBetween } from '../maintenance/occurrence.ts'
import { chosenOf, ofEachKind, publicName, type SubjectKind, type Subjects } from '../maintenance/window.ts'
import type { PagePost, PlannedMaintenance } from './page-model.ts'

/** How far ahead a page shows what is planned. */
const PLANNED_MS = 14 * DAY_MS
export const MAX_PLANNED = 100

/** A component of a page, and the subject that says its state. */
type Subject = { id: number; name: string; subject: { kind: SubjectKind; id: number } | null }

/** A post, and the occurrence of a window that it was made from; null for others. */
type OfOccurrence = { windowId: number | null; occurrenceAt: Date | null }

/**
 * Occurrences of windows that are on, or begin soon, concern a page and show there. Their public names and notes are. Those that a
 * post is about are left out: it says more.
 */
export function plannedByWindows(
  windows: readonly KeptWindow[],
  subjects: readonly Subject[],
  posts: readonly OfOccurrence[],
  now: Date,
): PlannedMaintenance[] {
  const told = new Set(posts.map(({ windowId, occurrenceAt }) => `${windowId} ${occurrenceAt?.getTime()}`))
  return windows.flatMap((whole) => {
    const { id, note, shows_on_pages } = whole.window
    if (!shows_on_pages) return []
    const covers = coverageOf(whole.window)
    const components = subjects
      .filter(({ subject }) => subject !== null && covers(subject))
      .map(({ id: componentId, name: componentName }) => ({ id: componentId, name: componentName }))
    if (components.length === 0) return []
    const until = new Date(now.getTime() + PLANNED_MS)
    const occurrences = ifReadable(() => occurrencesBetween(timesOf(whole), now, until)) ?? []
    const untold = occurrences.filter(({ startsAt }) => !told.has(`${id} ${startsAt.getTime()}`))
    return untold.slice(0, MAX_PLANNED).map(({ startsAt, endsAt }) => ({
      postId: null,
      key: `window-${id}-${startsAt.toISOString()}`,
      title: publicName(whole.window),
      note,
      startsAt,
      endsAt,
      isRunning: startsAt <= now,
      components,
    }))
  })
}

/** Posts about maintenance that are not over. One without times is no plan. */
export function plannedByPosts(active: readonly PagePost[]): PlannedMaintenance[] {
  return active.flatMap(({ id, kind, title, phase, scheduledFor, scheduledUntil, components }) => {
    if (kind !== 'maintenance' || scheduledFor === null) return []
    return {
      postId: id,
      key: `post-${id}`,
      title,
      note: '',
      startsAt: scheduledFor,
      endsAt: scheduledUntil ?? scheduledFor,
      isRunning: phase !== 'scheduled',
      components: components.map(({ id: componentId, name }) => ({ id: componentId, name })),
    }
  })
}

/** The next first. */
export function inOrder(planned: PlannedMaintenance[]): PlannedMaintenance[] {
  return planned.sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime()).slice(0, MAX_PLANNED)
}

/** Whether a window covers a subject. */
export function coverageOf(window: Subjects): (subject: { kind: SubjectKind; id: number }) => boolean {
  const chosen = ofEachKind((kind) => new Set(chosenOf(window, kind)))
  return ({ kind, id }) => window.all_subjects || chosen[kind].has(id)
}
