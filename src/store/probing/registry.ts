import type { Database } from '../../postgres/database.ts'
import {
  announceLeaving,
  handOver,
  joinProbers,
  leaveProbers,
  type Renewal,
  renewMembership,
} from './memberships.ts'
import {
  readMonitorChanges,
  readRecentChanges,
  readSchedule,
  readWaiting,
  type ScheduleChange,
  type ScheduledMonitor,
  type Share,
} from './schedule.ts'

const POLL_BACK_SECONDS = 60

/** Keeps the membership of a prober, and tells it what to check. */
export type Registry = {
  join(prober: { region: string; host: string; pid: number }): Promise<number>
  /** Null when the membership has ended. `known`: the slots that it was last known to have. */
  renew(membership: number, known: ReadonlySet<number>): Promise<Renewal | null>
  readSchedule(share: Share): Promise<ScheduledMonitor[]>
  /** Reads these monitors, or those that changed lately or wait for a check. */
  readChanges(share: Share, which: number[] | 'recent' | 'waiting'): Promise<ScheduleChange[]>
  /** See store/probing/memberships.ts. */
  handOver(membership: number, slots: number[], dueFrom: Date | null, cut: number[]): Promise<number[]>
  announceLeaving(membership: number): Promise<void>
  leave(membership: number): Promise<void>
}

/** Processes that reach the database themselves register so. */
export function createRegistry(db: Database, leaseSeconds: number): Registry {
  return {
    join: (prober) => joinProbers(db, prober, leaseSeconds),
    renew: (membership, known) => renewMembership(db, membership, leaseSeconds, known),
    readSchedule: (share) => readSchedule(db, share),
    readChanges(share, which) {
      if (which === 'recent') return readRecentChanges(db, share, POLL_BACK_SECONDS)
      return which === 'waiting' ? readWaiting(db, share) : readMonitorChanges(db, share, which)
    },
    handOver: (membership, slots, dueFrom, cut) => handOver(db, membership, slots, dueFrom, cut),
    announceLeaving: (membership) => announceLeaving(db, membership),
    leave: (membership) => leaveProbers(db, membership),
  }
}
