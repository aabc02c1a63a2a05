import { shownLines } from '../core/language/hidden-characters.ts'
import type { Said } from '../core/language/said.ts'
import { localDateOf, wallMsOf } from '../core/maintenance/local-time.ts'
import { nextOccurrences, type Occurrence } from '../core/maintenance/occurrence.ts'
import { shownIn } from '../core/maintenance/preview.ts'
import { instantOf } from '../core/maintenance/wall-clock.ts'
import {
  MAX_NOTE_LENGTH,
  MAX_RECURRING_MINUTES,
  MaintenanceWindow,
  type RecurringWindow,
  type SwitchWindow,
} from '../core/maintenance/window.ts'
import { windowFaults } from '../core/maintenance/window-faults.ts'
import type { DraftedWindow } from '../core/moving-in/outcome.ts'
import { cut } from '../core/text.ts'
import { parseFields } from '../core/validation.ts'
import { faultOf } from './reasons.ts'

type Times =
  | { kind: 'one_off'; starts_at: string; ends_at: string }
  | Pick<RecurringWindow, 'kind' | 'local_start' | 'time_zone' | 'duration_minutes' | 'rule'>
  | Pick<SwitchWindow, 'kind' | 'max_minutes'>

/** A window as the other service had it. */
export type WindowFacts = {
  name: string
  note?: string
  times: Times
  /** Names of drafted monitors. */
  monitors: string[]
  /** Whether it applied to whatever was there, and was added later. */
  coversAll?: boolean
}

/** Longer ago than the longest occurrence and any offset from UTC. */
const LOOK_BACK_MS = MAX_RECURRING_MINUTES * 60_000 + 2 * 86_400_000

/** A start at a time of day such as `02:30`, so early that an occurrence that is running now is found. */
export function startBefore(now: Date, time: string): string {
  return `${localDateOf(now.getTime() - LOOK_BACK_MS)}T${time}`
}

/** Judges a window at the time of the import. */
export function draftWindow(
  { name, note = '', times, monitors, coversAll = false }: WindowFacts,
  now: Date,
): DraftedWindow | { fault: Said } {
  const shared = { name, note: cut(shownLines(note.toWellFormed().replaceAll('\0', '')), MAX_NOTE_LENGTH) }
  // Its monitors get their IDs later: a window that covers everything needs none.
  const judged = parseFields(
    MaintenanceWindow,
    { ...shared, ...times, all_subjects: true },
    windowFaults(now),
  )
  if (!judged.ok) return { fault: faultOf(judged.faults) }
  const window = { ...judged.value, all_subjects: false }
  return { window: window.kind === 'recurring' ? fromNow(window, now) : window, monitors, coversAll }
}

/** The same window from its first occurrence that is not over, as no one looks for its start years ago. */
function fromNow(window: RecurringWindow, now: Date): RecurringWindow {
  const first = firstOf(window, now)
  if (!first) return window
  const date = shownIn(first, window.time_zone).localStart.slice(0, 10)
  return { ...window, local_start: `${date}${window.local_start.slice(10)}` }
}

function firstOf(window: RecurringWindow, now: Date): Occurrence | undefined {
  const startMs = instantOf(wallMsOf(window.local_start), window.time_zone)
  const runningMs = now.getTime() - window.duration_minutes * 60_000
  return nextOccurrences(window, new Date(Math.max(startMs - 1, runningMs)), 1)[0]
}
