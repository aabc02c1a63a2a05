import { followedEnd } from '../../core/maintenance/maintenance-at.ts'
import { resultWithout } from '../../core/monitors/check.ts'
import { reportedFailure } from '../../core/monitors/heartbeat.ts'
import type { Database } from '../../postgres/database.ts'
import {
  type FailingMonitor,
  readFailing,
  readFailingMark,
  readReasons,
} from '../../store/maintenance/failing-monitors.ts'
import { requestChecks } from '../../store/probing/schedule.ts'
import type { Recorder } from '../recording/finding.ts'
import type { KnownWindows } from './known-windows.ts'

/** Probers know the database's clock about so well: a check that is asked for begins after the end by it, too. */
export const SETTLED_MS = 100
/** A check that was asked for and has not come is asked for again. */
export const AGAIN_MS = 10_000
/** Monitors of which nothing seems to have changed are looked at after this time at the latest. */
const MAX_CALM_MS = 10_000
/** Their IDs fit into one notification. */
const MONITORS_PER_REQUEST = 500

export type EndDeps = {
  db: Database
  recorder: Pick<Recorder, 'record'>
  region: string | null
}

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
 * were down before included, and a heartbeat, which cannot be checked, is told down. The work is read from the database each time; `asked` only
 * keeps a check that was under way at an end from standing for the one after it.
 */
export function createEndFollowing({ db, recorder, region }: EndDeps, windows: KnownWindows) {
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
    for (const monitor of failing) {
      const { monitorId, type, lastCheckedAt } = monitor
      const failing = { ...monitor, id: monitorId, lookedAt: lastCheckedAt }
      const { endedAt, until: holdsUntil } = followedEnd(coverOf(monitorId), failing, { settled: at, now })
      if (holdsUntil && (!until || holdsUntil < until)) until = holdsUntil
      if (endedAt === null) continue
      if (type === 'heartbeat') over.push(monitor)
      else if (isToBeAsked(monitor, endedAt, now, asked)) toCheck.push(monitor)
    }
    await askForChecks(toCheck, now)
    await tellDown(over, now)
    if (until && over.length === 0 && toCheck.length === 0) calm = { mark, since: at, until }
    return { until }
  }

  async function askForChecks(monitors: FailingMonitor[], now: Date) {
    for (let from = 0; from < monitors.length; from += MONITORS_PER_REQUEST) {
      const some = monitors.slice(from, from + MONITORS_PER_REQUEST)
      await requestChecks(
        db,
        some.map(({ monitorId }) => monitorId),
        now,
      )
      for (const { monitorId, lastCheckedAt } of some) asked.set(monitorId, lastCheckedAt.getTime())
    }
  }

  /** The recorder writes nothing for what another process told, or what has been heard from since. */
  async function tellDown(monitors: FailingMonitor[], checkedAt: Date) {
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
