import type { Database } from '../../postgres/database.ts'
import { type Loop, type LoopReports, startLoop } from '../../postgres/loop.ts'
import { readAskedGroups } from '../../store/monitors/groups.ts'
import { judgeAnew } from '../maintenance/follow-up.ts'
import type { Recorder } from './finding.ts'

/** Requests are announced; this is for those that were not heard. */
const MAX_SLEEP_MS = 5_000
const GROUPS_PER_ROUND = 100

/**
 * Judges the groups whose members people have changed, paused or removed: the recorder judges all others with the finding that
 * changes a member. A request stays in the database until its judgement is there: no process that stops loses it.
 */
export function startGroupWatch(
  deps: { db: Database; recorder: Pick<Recorder, 'record'>; now: () => Date } & LoopReports,
): Loop {
  async function work(): Promise<number> {
    const asked = await readAskedGroups(deps.db, GROUPS_PER_ROUND)
    await judgeAnew(deps, asked, deps.now())
    return asked.length === GROUPS_PER_ROUND ? 0 : MAX_SLEEP_MS
  }
  return startLoop({ ...deps, work })
}
