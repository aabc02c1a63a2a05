import { resultWithout } from '../../core/monitors/check.ts'
import { reportedFailure } from '../../core/monitors/heartbeat.ts'
import type { Database } from '../../postgres/database.ts'
import { readReasons } from '../../store/maintenance/failing-monitors.ts'
import { requestChecks } from '../../store/probing/schedule.ts'
import type { Recorder } from '../recording/finding.ts'
import { findingOf } from '../recording/groups.ts'

/** Probers know the database's clock about so well: a check that is asked for begins after a moment by it, too. */
export const SETTLED_MS = 100
/** A check that was asked for and has not come is asked for again. */
export const AGAIN_MS = 10_000
/** Their IDs fit into one notification. */
const MONITORS_PER_REQUEST = 500

export type FollowUpDeps = {
  db: Database
  recorder: Pick<Recorder, 'record'>
  region: string | null
}

/** Has monitors checked at once. */
export async function askForChecks(db: Database, ids: readonly number[], now: Date): Promise<void> {
  for (let from = 0; from < ids.length; from += MONITORS_PER_REQUEST)
    await requestChecks(db, ids.slice(from, from + MONITORS_PER_REQUEST), now)
}

/** Judges groups by the states of their members, as they are now. */
export async function judgeAnew(
  { recorder }: Pick<FollowUpDeps, 'recorder'>,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  await Promise.all(ids.map((id) => recorder.record(findingOf(id, now))))
}

/**
 * Tells monitors down that nothing checks: of those that fail, what was said last. The recorder writes nothing for one
 * that another process told, or that has been heard from since.
 */
export async function tellDown(
  { db, recorder, region }: FollowUpDeps,
  monitors: readonly { monitorId: number; revision: number; lastCheckedAt: Date }[],
  checkedAt: Date,
): Promise<void> {
  if (monitors.length === 0) return
  const reasons = await readReasons(db, monitors)
  await Promise.all(
    monitors.map(({ monitorId, revision }) =>
      recorder.record({
        monitorId,
        revision,
        checkedAt,
        region,
        result: resultWithout('down', reasons.get(monitorId) ?? reportedFailure(null)),
        heartbeat: 'end',
        ping: null,
      }),
    ),
  )
}
