import { resultWithout } from '../../core/monitors/check.ts'
import { reportedFailure } from '../../core/monitors/heartbeat.ts'
import { holdOf, toldAtLatest } from '../../core/monitors/options/dependencies.ts'
import { readReasons } from '../../store/maintenance/failing-monitors.ts'
import {
  type ReadAncestor,
  readAncestors,
  readHeld,
  type UntoldMonitor,
} from '../../store/monitors/dependencies.ts'
import { requestChecks } from '../../store/probing/schedule.ts'
import { AGAIN_MS, type EndDeps, SETTLED_MS } from '../maintenance/follow-ends.ts'

/**
 * Follows up on monitors whose alert waits for those that they depend on. Parents that were not checked since are checked at
 * once, and so is a monitor that nothing holds any more, whatever the reason: its check decides whether the alert is sent. A
 * job cannot be asked, and is told down when it had time to call. All that it goes by is in the database.
 */
export function createHeldFollowing({ db, recorder, region }: EndDeps) {
  return async function followHeld(now: Date): Promise<void> {
    const held = await readHeld(db)
    if (held.length === 0) return
    const ancestors = await readAncestors(
      db.pool,
      held.map(({ monitorId }) => monitorId),
    )
    const settled = new Date(now.getTime() - SETTLED_MS)
    const toCheck = new Set<number>()
    const toTell: UntoldMonitor[] = []
    for (const monitor of held) {
      const above = ancestors.get(monitor.monitorId) ?? []
      const at = { failedAt: monitor.heldSince, checkedAt: settled }
      const hold = holdOf(above, at)
      if (hold) for (const id of awaitedOf(above, hold.awaits, monitor, now)) toCheck.add(id)
      else if (monitor.type !== 'heartbeat') {
        if (isToBeAsked(monitor, above, now)) toCheck.add(monitor.monitorId)
      } else if ((toldAtLatest(above, at) ?? now) < now) toTell.push(monitor)
    }
    if (toCheck.size > 0) await askForChecks([...toCheck], now)
    await tellDown(toTell, now)
  }

  /** IDs of one request fit into one notification. */
  async function askForChecks(ids: number[], now: Date) {
    for (let from = 0; from < ids.length; from += MONITORS_PER_REQUEST)
      await requestChecks(db, ids.slice(from, from + MONITORS_PER_REQUEST), now)
  }

  /** The recorder writes nothing for what another process told, or what has been heard from since. */
  async function tellDown(monitors: UntoldMonitor[], checkedAt: Date) {
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
}

const MONITORS_PER_REQUEST = 500

function awaitedOf(
  ancestors: ReadAncestor[],
  awaits: readonly number[],
  { heldSince }: UntoldMonitor,
  now: Date,
): number[] {
  return ancestors
    .filter(({ id, checkRequestedAt }) => awaits.includes(id) && isStale(checkRequestedAt, heldSince, now))
    .map(({ id }) => id)
}

/** Asked since those that held it recovered, or not long ago. */
function isToBeAsked(
  { checkRequestedAt, heldSince }: UntoldMonitor,
  above: ReadAncestor[],
  now: Date,
): boolean {
  const times = above.flatMap(({ failingUntil }) => failingUntil?.getTime() ?? [])
  return isStale(checkRequestedAt, new Date(Math.max(heldSince.getTime(), ...times)), now)
}

/** Whether no check was asked for since, or one that has not come. */
function isStale(requestedAt: Date | null, since: Date, now: Date): boolean {
  if (!requestedAt || requestedAt <= since) return true
  return now.getTime() - requestedAt.getTime() >= AGAIN_MS
}
