import { type KeptWindow, keptOccurrence, LOOK_BACK_MS, timesOf } from './kept-window.ts'
import {
  type Occurrence,
  occurrencesBetween,
  plannedBetween,
  uncutAt,
  type WindowTimes,
} from './occurrence.ts'
import {
  chosenOf,
  MAX_RECURRING_MINUTES,
  type MaintenanceWindow,
  SUBJECT_KINDS,
  type Subjects,
  subjectsOf,
} from './window.ts'
import type { KeptOccurrence, WindowRecord } from './window-record.ts'

/** The effects of an edit besides writing the fields. */
export type WindowChange = {
  since: Date
  keep: KeptOccurrence[]
  /** Whether what is kept from `since` on goes: occurrences that were called off. */
  dropsLater: boolean
}

/**
 * New times or subjects count from now on. Earlier time is kept as it was: what is over, and the beginning of
 * what is running. Under the same times that goes on to the end it had, or stays ended.
 */
export function changeOf(whole: KeptWindow, next: MaintenanceWindow, now: Date): WindowChange {
  const { window } = whole
  const hasNewTimes = timesDiffer(window, next)
  if (!hasNewTimes && !subjectsDiffer(window, next)) {
    return { since: window.since, keep: [], dropsLater: false }
  }
  const keep = cutAt(whole, now)
  if (!hasNewTimes) keep.push(...carriedOn(whole, next, now))
  return { since: now, keep, dropsLater: hasNewTimes }
}

/** The occurrences to keep of a window whose plan ends now. */
export function cutAt(whole: KeptWindow, now: Date): KeptOccurrence[] {
  const { window, kept } = whole
  const keptFrom = new Map(kept.map((one) => [one.startsAt.getTime(), one]))
  const lately = occurrencesBetween(timesOf(whole), new Date(now.getTime() - LOOK_BACK_MS), now)
  return lately.flatMap(({ startsAt, endsAt }) => {
    const known = keptFrom.get(startsAt.getTime())
    if (known && known.endsAt <= now) return []
    const isCut = endsAt > now
    return keptOccurrence(window, {
      startsAt,
      endsAt: isCut ? now : endsAt,
      endedBy: isCut ? 'change' : (known?.endedBy ?? null),
    })
  })
}

/** Kept where the end of what is running is not the planned one: its plan alone counts from now on otherwise. */
function carriedOn(whole: KeptWindow, next: Subjects, now: Date): KeptOccurrence[] {
  const times = timesOf(whole)
  const endsAt = lastEnd(uncutAt(times, now), now)
  if (endsAt.getTime() === lastEnd(plannedAt(times, now), now).getTime()) return []
  const window: WindowRecord = { ...whole.window, ...subjectsOf(next) }
  return [keptOccurrence(window, { startsAt: now, endsAt, endedBy: endsAt > now ? null : 'person' })]
}

function plannedAt(times: WindowTimes, now: Date): Occurrence[] {
  const nowMs = now.getTime()
  return plannedBetween(times, nowMs - MAX_RECURRING_MINUTES * 60_000, nowMs).filter(
    ({ startsAt, endsAt }) => startsAt <= now && endsAt > now,
  )
}

function lastEnd(occurrences: Occurrence[], now: Date): Date {
  return new Date(Math.max(now.getTime(), ...occurrences.map(({ endsAt }) => endsAt.getTime())))
}

/** Whether the plan differs. A switch has none. */
export function timesDiffer(window: MaintenanceWindow, next: MaintenanceWindow): boolean {
  return planOf(window) !== planOf(next)
}

function planOf(window: MaintenanceWindow): string {
  switch (window.kind) {
    case 'one_off':
      return JSON.stringify([window.starts_at, window.ends_at])
    case 'recurring': {
      const { local_start, time_zone, duration_minutes, rule, exceptions } = window
      return JSON.stringify([local_start, time_zone, duration_minutes, rule, [...new Set(exceptions)].sort()])
    }
    case 'switch':
      return ''
  }
}

export function subjectsDiffer(one: Subjects, other: Subjects): boolean {
  if (one.all_subjects !== other.all_subjects) return true
  return SUBJECT_KINDS.some((kind) => {
    const [had, has] = [new Set(chosenOf(one, kind)), new Set(chosenOf(other, kind))]
    return had.symmetricDifference(has).size > 0
  })
}
