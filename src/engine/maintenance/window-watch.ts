import type { Database } from '../../postgres/database.ts'
import { type LoopReports, startLoop } from '../../postgres/loop.ts'
import { readAllRevisions } from '../../store/maintenance/judged-windows.ts'
import { createHeldFollowing } from '../alerting/follow-held.ts'
import { endPassingTurns } from './end-passing-turns.ts'
import { createEndFollowing } from './follow-ends.ts'
import { createSiteEndFollowing } from './follow-site-ends.ts'
import { type FollowUpDeps, SETTLED_MS } from './follow-up.ts'
import { createKnownWindows } from './known-windows.ts'

/** Subjects begin to fail at any time, under windows whose end nobody looked at yet. */
const MAX_SLEEP_MS = 1_000
/** When many fail, looking at them takes no more than this share of the time. */
const MAX_SHARE = 0.05
const POLL_MS = 10_000

export type WindowWatch = {
  /** Windows of a team have changed; null: of any. */
  changed(teamId: number | null): void
  close(): Promise<void>
}

/** Work of the leading process alone, which watches heartbeats. */
export type LeadingPart = {
  leads: () => boolean
  /** Deadlines of these teams' heartbeats may have moved. */
  rearm: (teamIds: number[]) => void
}

/**
 * Follows the ends of windows, and of what alerts wait for. All that it goes by is in the database, and doing it twice changes nothing: each
 * process does it, so that no end waits until the lease of one that stopped is over.
 */
export function startWindowWatch(
  deps: FollowUpDeps & LeadingPart & { now: () => Date } & LoopReports,
): WindowWatch {
  const { db, now, leads, rearm } = deps
  const windows = createKnownWindows()
  const followEnds = createEndFollowing(deps, windows)
  const followSiteEnds = createSiteEndFollowing(db, windows)
  const followHeld = createHeldFollowing(deps)
  const readChanges = createRevisionReading(db)
  let polledMs = Number.NEGATIVE_INFINITY

  async function work(): Promise<number> {
    const began = performance.now()
    const ends = [await followEnds(now()), await followSiteEnds(now())]
    await followHeld(now())
    const leastMs = (performance.now() - began) / MAX_SHARE
    if (leads() && Math.abs(began - polledMs) >= POLL_MS) {
      polledMs = began
      const changed = await readChanges()
      if (changed.length > 0) rearm(changed)
      await endPassingTurns(db, now())
    }
    const untils = ends.flatMap(({ until }) => until?.getTime() ?? [])
    const untilEndMs = untils.length > 0 ? Math.min(...untils) + SETTLED_MS - now().getTime() : MAX_SLEEP_MS
    return Math.min(untilEndMs, Math.max(MAX_SLEEP_MS, leastMs))
  }

  const loop = startLoop({ ...deps, work, troubleMs: MAX_SLEEP_MS })
  return {
    changed(teamId) {
      if (teamId !== null && leads()) rearm([teamId])
      else polledMs = Number.NEGATIVE_INFINITY
      loop.wake()
    },
    close: loop.close,
  }
}

/** The teams whose windows have changed since the last call; at first all that ever had one. */
function createRevisionReading({ pool }: Database) {
  let known = new Map<number, number>()
  return async (): Promise<number[]> => {
    const revisions = await readAllRevisions(pool)
    const changed = [...revisions].filter(([teamId, revision]) => known.get(teamId) !== revision)
    known = revisions
    return changed.map(([teamId]) => teamId)
  }
}
