import { setImmediate } from 'node:timers/promises'
import { Refusal } from '../../core/errors.ts'
import { DAY_MS } from '../../core/history/history-span.ts'
import { formatInstant } from '../../core/instant.ts'
import { said } from '../../core/language/said.ts'
import { LOOK_BACK_MS, timesOf } from '../../core/maintenance/kept-window.ts'
import {
  MAX_AHEAD_MS,
  MAX_YEARS_AHEAD,
  type Occurrence,
  occurrencesBetween,
  type WindowTimes,
} from '../../core/maintenance/occurrence.ts'
import {
  MAX_OCCURRENCE_DAYS,
  MAX_OCCURRENCES,
  type OccurrenceRow,
} from '../../core/maintenance/shown-window.ts'
import { ofEachField, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { chosenField } from '../../core/maintenance/window.ts'
import { type Happened, listHappened } from '../../store/maintenance/occurrences.ts'
import { readSubjects } from '../../store/maintenance/subjects.ts'
import { listWindows } from '../../store/maintenance/windows.ts'
import type { Implementation } from '../implementation.ts'
import { countsOf, presentSpan } from './present-window.ts'

/** The step is worked out at once: whatever the number of windows, it is not much more than fits the answer. */
const STEP_MS = 7 * DAY_MS

type Shown = Pick<OccurrenceRow, 'window_id' | 'window_name' | 'kind' | 'exists'> &
  Pick<OccurrenceRow, 'all_subjects' | `${SubjectKind}_count`>
type Timed = { shown: Shown; times: WindowTimes; kept: Happened[] }

export const listMaintenanceOccurrences: Implementation<'listMaintenanceOccurrences'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, query: { from, to, window: only } }) {
    const now = databaseNow()
    refuseWrongSpan(from, to, now)
    const all = await listWindows(db.query, teamId)
    const windows = only === undefined ? all : all.filter(({ id }) => id === only)
    const subjects = await readSubjects(
      db.query,
      teamId,
      windows.map(({ id }) => id),
      1,
    )
    const bounds = { from, lookFrom: new Date(from.getTime() - LOOK_BACK_MS), to, only }
    const happened = await listHappened(db.query, teamId, bounds, 2 * MAX_OCCURRENCES)
    const keptOf = Map.groupBy(happened, ({ windowId }) => windowId)
    const timed: Timed[] = windows.map((window) => {
      const { id, name, kind, all_subjects } = window
      const kept = keptOf.get(id) ?? []
      const counts = countsOf(subjects.get(id))
      const shown = { window_id: id, window_name: name, kind, exists: true, all_subjects, ...counts }
      return { shown, times: timesOf({ window, kept }), kept }
    })
    const present = new Set(windows.map(({ id }) => id))
    for (const [id, kept] of keptOf) {
      if (!present.has(id)) timed.push(deletedWindow(id, kept))
    }
    // Later ones are left out where there are more than can be read.
    const end = happened.length < 2 * MAX_OCCURRENCES ? to : (happened.at(-1)?.startsAt ?? to)
    return { body: { data: await rowsBetween(timed, from, end, now) } }
  },
}

function refuseWrongSpan(from: Date, to: Date, now: Date): void {
  const days = (to.getTime() - from.getTime()) / DAY_MS
  if (days <= 0 || days > MAX_OCCURRENCE_DAYS) {
    const message = said('must be after from, and at most {days} days, got {got}', {
      days: MAX_OCCURRENCE_DAYS,
      got: formatInstant(to),
    })
    throw Refusal.invalid({ to: [message] })
  }
  if (Math.abs(from.getTime() - now.getTime()) <= MAX_AHEAD_MS) return
  const message = said('must be within {years} years of now, got {got}', {
    years: MAX_YEARS_AHEAD,
    got: formatInstant(from),
  })
  throw Refusal.invalid({ from: [message] })
}

function deletedWindow(id: number, kept: Happened[]): Timed {
  const { name = '', kind = 'switch', all_subjects = false } = kept[0] ?? {}
  const shown = {
    window_id: id,
    window_name: name,
    kind,
    exists: false,
    all_subjects,
    ...countsOf(undefined),
  }
  return { shown, times: { kind: 'switch', kept }, kept }
}

async function rowsBetween(timed: Timed[], from: Date, to: Date, now: Date): Promise<OccurrenceRow[]> {
  const found: (Occurrence & { of: Timed })[] = []
  for (let at = from; at < to && found.length < MAX_OCCURRENCES; at = new Date(at.getTime() + STEP_MS)) {
    const end = new Date(Math.min(at.getTime() + STEP_MS, to.getTime()))
    for (const of of timed) {
      for (const occurrence of occurrencesBetween(of.times, at, end)) {
        if (at === from || occurrence.startsAt >= at) found.push({ ...occurrence, of })
      }
    }
    // Other requests have their turn in between.
    await setImmediate()
  }
  found.sort(
    (one, other) =>
      one.startsAt.getTime() - other.startsAt.getTime() || one.of.shown.window_id - other.of.shown.window_id,
  )
  return found.slice(0, MAX_OCCURRENCES).map(({ of, ...occurrence }) => presentRow(of, occurrence, now))
}

function presentRow({ shown, kept }: Timed, occurrence: Occurrence, now: Date): OccurrenceRow {
  const { startsAt, endsAt } = occurrence
  const row = kept.find((one) => one.startsAt.getTime() === startsAt.getTime())
  return {
    ...shown,
    ...presentSpan(occurrence),
    state: endsAt <= now ? 'over' : startsAt <= now ? 'running' : 'planned',
    ended_by: row?.endsAt.getTime() === endsAt.getTime() ? row.endedBy : null,
    // A kept occurrence had the subjects of its time.
    ...(row && {
      all_subjects: row.all_subjects,
      ...ofEachField('_count', (kind) => row[chosenField(kind)].length),
    }),
  }
}
