import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, type Database, inTransaction } from '../../postgres/database.ts'
import { upkeepStep } from '../../store/history/history-progress.ts'
import {
  advanceStretch,
  isStretchLeft,
  nextOfStretch,
  planStretches,
  type Span,
  takeStretch,
} from '../../store/history/stretches.ts'

/** Some seconds of work: few enough that processes end at about the same time, and that one of a small service is one. */
const SUBJECTS_OF_STRETCH = 2_000
/** How often a process with nothing left to take looks whether the others are done. */
const OTHERS_MS = 50

/** Work on a span of history that processes share, some subjects at a time. */
export type SharedWork = {
  /** As stretches name it. */
  name: string
  subjects: 'monitors' | 'servers'
  /** The most subjects that the next step may be about. */
  limit: () => number
  /** Does the first of these subjects, and as many more as it has time for; returns how many. */
  step: (client: Connection, ids: number[], span: Span) => Promise<number>
}

/**
 * Does the work on a span for all subjects, together with the processes that help (help.ts), and waits for them; pauses
 * after every short step. Returns the span that is done, which may end earlier: it goes on with what was begun.
 */
export async function* shareOut(db: Database, work: SharedWork, span: Span): AsyncGenerator<void, Span> {
  const planned = await upkeepStep(db, (client) =>
    planStretches(client, work.name, work.subjects, span, SUBJECTS_OF_STRETCH),
  )
  for (;;) {
    if (!(await workOnStretch(db, work))) {
      if (!(await isStretchLeft(db.pool, work.name))) return planned
      await delay(OTHERS_MS)
    }
    yield
  }
}

/** One step in a short transaction, which holds a stretch against others; false if none can be taken. */
export async function workOnStretch(db: Database, work: SharedWork): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const stretch = await takeStretch(client, work.name)
    if (!stretch) return false
    const limit = work.limit()
    const ids = await nextOfStretch(client, work.subjects, stretch, limit)
    const done = ids.length > 0 ? await work.step(client, ids, stretch) : 0
    const isLast = done === ids.length && ids.length < limit
    await advanceStretch(client, work.name, stretch, isLast ? stretch.untilId : (ids[done - 1] as number))
    return true
  })
}
