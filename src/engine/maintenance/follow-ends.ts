import { followedEnd } from '../../core/maintenance/maintenance-at.ts'
import { isGroup, toldAt } from '../../core/monitors/monitor-types.ts'
import {
  type FailingMonitor,
  readFailing,
  readFailingMark,
} from '../../store/maintenance/failing-monitors.ts'
import { AGAIN_MS, askForChecks, type FollowUpDeps, judgeAnew, SETTLED_MS, tellDown } from './follow-up.ts'
import type { KnownWindows } from './known-windows.ts'

/** Monitors of which nothing seems to have changed are looked at after this time at the latest. */
const MAX_CALM_MS = 10_000
export type FollowedEnds = {
  /** Until when no other end matters to those that fail now; null if none fails. */
  until: Date | null
}

/** Monitors that all fail at one time, under windows or beside them, and will until another. */
type Calm = { mark: string; since: Date; until: Date }

/** The check that was the last one of a monitor when one was asked for. */
type Asked = Map<number, number>

/**
 * Follows up on monitors that fail under windows: once none covers them any more, they are checked at once, those that
 * were down before included, and one that nothing checks is told down. The work is read from the database each time; `asked` only
 * keeps a check that was under way at an end from standing for the one after it.
 */
export function createEndFollowing(deps: FollowUpDeps, windows: KnownWindows) {
  const { db } = deps
  const asked: Asked = new Map()
  let calm: Calm | null = null

  return async function followEnds(now: Date): Promise<FollowedEnds> {
    const mark = await readFailingMark(db)
    if (mark !== null && calm && isStillCalm(calm, mark, now)) return { until: calm.until }
    calm = null
    const failing = mark === null ? [] : await readFailing(db)
    const first = failing[0]
    if (!first || mark === null) {
      asked.clear()
      return { until: null }
    }
    const ids = failing.map(({ monitorId }) => monitorId)
    const failingNow = new Set(ids)
    for (const id of asked.keys()) if (!failingNow.has(id)) asked.delete(id)
    const at = new Date(now.getTime() - SETTLED_MS)
    const coverOf = await windows.read(db.pool, 'monitor', ids, at)
    let until: Date | null = null
    const over: FailingMonitor[] = []
    const toCheck: FailingMonitor[] = []
    const toJudge: number[] = []
    for (const monitor of failing) {
      const { monitorId, type, lastCheckedAt } = monitor
      const failing = { ...monitor, id: monitorId, lookedAt: lastCheckedAt }
      const { endedAt, until: holdsUntil } = followedEnd(coverOf(monitorId), failing, { settled: at, now })
      if (holdsUntil && (!until || holdsUntil < until)) until = holdsUntil
      if (endedAt === null) continue
      if (toldAt(type) !== null) over.push(monitor)
      else if (isGroup(type)) toJudge.push(monitorId)
      else if (isToBeAsked(monitor, endedAt, now, asked)) toCheck.push(monitor)
    }
    await askForChecks(
      db,
      toCheck.map(({ monitorId }) => monitorId),
      now,
    )
    for (const { monitorId, lastCheckedAt } of toCheck) asked.set(monitorId, lastCheckedAt.getTime())
    await tellDown(deps, over, now)
    await judgeAnew(deps, toJudge, now)
    if (until && over.length + toCheck.length + toJudge.length === 0) calm = { mark, since: at, until }
    return { until }
  }
}

function isStillCalm({ mark, since, until }: Calm, markNow: string, now: Date): boolean {
  const atMs = now.getTime() - SETTLED_MS
  const isNear = atMs >= since.getTime() && atMs - since.getTime() < MAX_CALM_MS
  return mark === markNow && isNear && now < until
}

/** Whether no check was asked for since the end, or the one that came began before it, or none came. */
function isToBeAsked(
  { monitorId, checkRequestedAt, lastCheckedAt }: FailingMonitor,
  endedAt: Date,
  now: Date,
  asked: Asked,
): boolean {
  if (!checkRequestedAt || checkRequestedAt <= endedAt) return true
  const lastMs = asked.get(monitorId)
  const hasCome = lastMs !== undefined && lastMs !== lastCheckedAt.getTime()
  if (hasCome && lastCheckedAt <= endedAt) return true
  return now.getTime() - checkRequestedAt.getTime() >= AGAIN_MS
}
