import { setTimeout as delay } from 'node:timers/promises'
import type { Plans } from '../core/plan.ts'
import type { Database } from '../store/database.ts'
import { holdLease, releaseLease } from '../store/leases.ts'
import {
  beatPulse,
  forgiveDowntime,
  readMonitorChanges,
  readRecentChanges,
  readSchedule,
} from '../store/scheduling.ts'
import type { Checking } from './checking-threads.ts'
import { createTender, type Tender } from './tend.ts'

const LEASE = 'scheduler'
const LEASE_SECONDS = 3
const BEAT_MS = 1_000
/** How often the lease of another process is tried: its checks go on within seconds of its end. */
const WAIT_MS = 250
/** A pulse that is missing for longer is downtime. */
const TOLERABLE_GAP_SECONDS = 3
const POLL_EVERY_BEATS = 10
const POLL_BACK_SECONDS = 60

export type Leader = {
  /** Reads these monitors again (null: whatever changed lately). */
  changed(ids: number[] | null): void
  /** Hands the whole schedule over anew; resolves when that is done, or did not work. */
  reload(): Promise<void>
  readonly leading: boolean
  close(): Promise<void>
}

/**
 * Lets one process at a time schedule: holds the lease, keeps the pulse, feeds the scheduler with the schedule
 * and its changes, and has the history tended.
 */
export function createLeader(deps: {
  db: Database
  plans: Plans
  holder: string
  now: () => Date
  /** Made when the lease is won, closed when it is lost. */
  startChecking: () => Checking
  onTrouble: (error: unknown) => void
  note: (message: string) => void
}): Leader {
  const { db, holder, now } = deps
  const stop = new AbortController()
  let checking: Checking | null = null
  let tender: Tender | null = null
  let lastBeatMs = 0
  let reading: Promise<void> = Promise.resolve()

  async function leadUntilStopped() {
    for (let beats = 0; !stop.signal.aborted; beats++) {
      await beat(beats).catch(deps.onTrouble)
      await delay(checking ? BEAT_MS : WAIT_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  }

  async function beat(beats: number) {
    const leading = await holdLease(db, LEASE, holder, LEASE_SECONDS)
    if (!leading) return resign()
    const gapSeconds = (now().getTime() - lastBeatMs) / 1_000
    if (!checking || gapSeconds > TOLERABLE_GAP_SECONDS) await takeOver()
    await beatPulse(db, now())
    lastBeatMs = now().getTime()
    checking?.pulse(lastBeatMs)
    if (beats % POLL_EVERY_BEATS === 0) changed(null)
  }

  /** At the start, and after any time in which the service did not work. */
  async function takeOver() {
    const seconds = await forgiveDowntime(db, now())
    if (seconds > TOLERABLE_GAP_SECONDS)
      deps.note(`no checks ran for ${Math.round(seconds)} s: deadlines of heartbeats moved by as much`)
    const monitors = await readSchedule(db)
    checking ??= deps.startChecking()
    tender ??= createTender(deps)
    checking.load(monitors)
  }

  async function resign() {
    const formerly = [checking, tender]
    checking = null
    tender = null
    await Promise.all(formerly.map((former) => former?.close()))
  }

  function changed(ids: number[] | null) {
    reading = reading
      .then(async () => {
        if (!checking) return
        const changes = ids
          ? await readMonitorChanges(db, ids)
          : await readRecentChanges(db, POLL_BACK_SECONDS)
        checking?.apply(changes)
      })
      .catch(deps.onTrouble)
  }

  const running = leadUntilStopped()
  function reload(): Promise<void> {
    reading = reading.then(async () => checking?.load(await readSchedule(db))).catch(deps.onTrouble)
    return reading
  }

  return {
    changed,
    reload,
    get leading() {
      return checking !== null
    },
    async close() {
      stop.abort()
      await running
      await reading
      await resign()
      await releaseLease(db, LEASE, holder).catch(deps.onTrouble)
    },
  }
}
