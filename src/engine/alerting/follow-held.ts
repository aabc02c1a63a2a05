import { isGroup, toldAt } from '../../core/monitors/monitor-types.ts'
import { checkedFor, holdOf, toldAtLatest } from '../../core/monitors/options/dependencies.ts'
import {
  type ReadAncestor,
  readAncestors,
  readHeld,
  type UntoldMonitor,
} from '../../store/monitors/dependencies.ts'
import {
  AGAIN_MS,
  askForChecks,
  type FollowUpDeps,
  judgeAnew,
  SETTLED_MS,
  tellDown,
} from '../maintenance/follow-up.ts'

/**
 * Follows up on monitors whose alert waits for those that they depend on. Parents that were not checked since are checked at
 * once, and so is a monitor that nothing holds any more, whatever the reason: its check decides whether the alert is sent. A group is judged anew, and a
 * job or a person cannot be asked, and is told down when it had time to call. All that it goes by is in the database.
 */
export function createHeldFollowing(deps: FollowUpDeps) {
  const { db } = deps
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
    const toJudge: number[] = []
    for (const monitor of held) {
      const above = ancestors.get(monitor.monitorId) ?? []
      const at = { failedAt: monitor.heldSince, checkedAt: settled }
      const hold = holdOf(above, at)
      if (hold) for (const id of awaitedOf(above, hold.awaits, monitor, now)) toCheck.add(id)
      else if (isGroup(monitor.type)) toJudge.push(monitor.monitorId)
      else if (toldAt(monitor.type) === null) {
        if (isToBeAsked(monitor, above, now)) toCheck.add(monitor.monitorId)
      } else if ((toldAtLatest(above, at) ?? now) < now) toTell.push(monitor)
    }
    await askForChecks(db, [...toCheck], now)
    await tellDown(deps, toTell, now)
    await judgeAnew(deps, toJudge, now)
  }
}

function awaitedOf(
  ancestors: ReadAncestor[],
  awaits: readonly number[],
  { heldSince }: UntoldMonitor,
  now: Date,
): number[] {
  return checkedFor(ancestors)
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
