import { DAY_MS } from '../../core/history/history-span.ts'
import { ifReadable } from '../../core/maintenance/cover.ts'
import { occurrencesBetween } from '../../core/maintenance/occurrence.ts'
import { subjectsOf } from '../../core/maintenance/window.ts'
import type { KeptOccurrence } from '../../core/maintenance/window-record.ts'
import type { Database } from '../../postgres/database.ts'
import {
  insertPast,
  type PlannedWindow,
  readPlannedWindows,
} from '../../store/maintenance/past-occurrences.ts'

const WINDOWS_PER_STEP = 200
/** Occurrences that ended while no process led are kept, too. */
const LOOK_BACK_MS = 8 * DAY_MS

/** Keeps what is over of windows, with the subjects that they had, in short steps: later changes must not change it. */
export async function* keepPast({ db, now }: { db: Database; now: () => Date }): AsyncGenerator<void> {
  const at = now()
  const from = new Date(at.getTime() - LOOK_BACK_MS)
  for (let after = 0; ; ) {
    const windows = await readPlannedWindows(db, after, from, WINDOWS_PER_STEP)
    const last = windows.at(-1)
    if (!last) return
    after = last.window.id
    await insertPast(
      db,
      windows.flatMap((one) => pastOf(one, from, at)),
    )
    yield
  }
}

function pastOf(
  { window, teamId, kept, deletedAt }: PlannedWindow,
  from: Date,
  now: Date,
): (KeptOccurrence & { teamId: number })[] {
  const shared = { windowId: window.id, teamId, endedBy: null, ...subjectsOf(window) }
  const known = new Set(kept.map(({ startsAt }) => startsAt.getTime()))
  const occurrences = ifReadable(() => occurrencesBetween({ ...window, kept }, from, now)) ?? []
  return occurrences
    .filter(({ startsAt, endsAt }) => endsAt <= (deletedAt ?? now) && !known.has(startsAt.getTime()))
    .map((occurrence) => ({ ...occurrence, ...shared }))
}
