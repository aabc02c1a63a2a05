import { formatInstant } from '../instant.ts'
import { phrase } from '../language/phrase.ts'
import { type Said, said, saidOf } from '../language/said.ts'
import type { FieldError } from '../validation.ts'
import { MAX_AHEAD_MS, MAX_YEARS_AHEAD, nextOccurrences, plannedBetween } from './occurrence.ts'
import {
  chosenField,
  chosenOf,
  MAX_ONE_OFF_MINUTES,
  MaintenanceWindow,
  MIN_WINDOW_MINUTES,
  type OneOffWindow,
  type RecurringWindow,
  SUBJECT_KINDS,
} from './window.ts'

const MINUTE_MS = 60_000

/**
 * The rules of a window over several fields, for `parseFields` with `MaintenanceWindow`. They are asked only where
 * every field is right on its own.
 */
export function windowFaults(now: Date) {
  return (fields: Partial<MaintenanceWindow>): FieldError[] => {
    const window = wholeOf(fields)
    return window ? [...subjectFaults(window), ...timeFaults(window, now)] : []
  }
}

/** Where one field is wrong, `parseFields` hands over the others as they came, with times as texts. */
function wholeOf(fields: Partial<MaintenanceWindow>): MaintenanceWindow | null {
  if (fields.kind === 'one_off') return fields.starts_at instanceof Date ? (fields as OneOffWindow) : null
  return MaintenanceWindow.safeParse(fields).data ?? null
}

function subjectFaults(window: MaintenanceWindow): FieldError[] {
  const { all_subjects, tags } = window
  const counts = SUBJECT_KINDS.map((kind) => ({
    field: chosenField(kind),
    count: chosenOf(window, kind).length,
  }))
  const chosen = counts.filter(({ count }) => count > 0)
  if (all_subjects && tags.length > 0) {
    return [
      {
        field: 'tags',
        message: said('must be empty when all_subjects is true, got {count}', { count: tags.length }),
      },
    ]
  }
  if (all_subjects || tags.length > 0) {
    const why = all_subjects
      ? phrase('must be empty when all_subjects is true, got {count}')
      : phrase('must be empty when tags has an entry, got {count}')
    return chosen.map(({ field, count }) => ({ field, message: saidOf(why, { count }) }))
  }
  if (chosen.length > 0) return []
  const message = said(
    'must have at least 1 entry unless server_ids or site_ids has one or all_subjects is true, got 0',
  )
  return [{ field: 'monitor_ids', message }]
}

function timeFaults(window: MaintenanceWindow, now: Date): FieldError[] {
  switch (window.kind) {
    case 'one_off':
      return oneOffFaults(window, now)
    case 'recurring':
      return recurringFaults(window, now)
    case 'switch':
      return []
  }
}

function oneOffFaults({ starts_at, ends_at }: OneOffWindow, now: Date): FieldError[] {
  const minutes = (ends_at.getTime() - starts_at.getTime()) / MINUTE_MS
  const got = formatInstant(ends_at)
  const start = `starts_at, ${formatInstant(starts_at)}`
  const ends = (message: Said) => [{ field: 'ends_at', message }]
  if (minutes <= 0) return ends(said('must be after {start}, got {got}', { start, got }))
  if (minutes < MIN_WINDOW_MINUTES)
    return ends(
      said('must be at least {min} minute after {start}, got {got}', { min: MIN_WINDOW_MINUTES, start, got }),
    )
  if (minutes > MAX_ONE_OFF_MINUTES)
    return ends(said('must be at most {days} days after {start}, got {got}', { days: 30, start, got }))
  if (ends_at <= now) return ends(said('must be in the future, got {got}', { got }))
  if (starts_at.getTime() - now.getTime() < MAX_AHEAD_MS) return []
  const message = said('must be within {years} years, got {got}', {
    years: MAX_YEARS_AHEAD,
    got: formatInstant(starts_at),
  })
  return [{ field: 'starts_at', message }]
}

function recurringFaults(window: RecurringWindow, now: Date): FieldError[] {
  const soonest = nextOccurrences(window, new Date(now.getTime() - window.duration_minutes * MINUTE_MS), 1)
  if (soonest.length === 0) {
    const message = said(
      'has no occurrence within the next {years} years: it takes one that begins at or after local_start, {start}, is not past by COUNT or UNTIL, and is not among exceptions; got {rule}',
      { years: MAX_YEARS_AHEAD, start: window.local_start, rule: window.rule },
    )
    return [{ field: 'rule', message }]
  }
  const planned = plannedBetween(window, now.getTime(), now.getTime() + MAX_AHEAD_MS)
  const index = planned.findIndex(
    ({ startsAt }, at) => at > 0 && startsAt < (planned[at - 1]?.endsAt ?? startsAt),
  )
  if (index < 0) return []
  const [before, after] = planned.slice(index - 1)
  if (!before || !after) return []
  const message = said(
    'must let each occurrence end before the next begins: that of {first} lasts until {end}, and the next begins at {next}; got {minutes}',
    {
      first: formatInstant(before.startsAt),
      end: formatInstant(before.endsAt),
      next: formatInstant(after.startsAt),
      minutes: window.duration_minutes,
    },
  )
  return [{ field: 'duration_minutes', message }]
}
