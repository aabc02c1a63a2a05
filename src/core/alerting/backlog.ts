import type { LiveStatus } from '../monitors/status.ts'

/** State of all monitors, servers and sites of all teams and the work that is queued: for the operator, not for a team. */
export type Backlog = {
  monitors: Record<LiveStatus, number>
  servers: Record<LiveStatus, number>
  sites: Record<LiveStatus, number>
  heartbeatsOverdue: number
  deliveriesPending: number
  deliveriesDue: number
  /** Null if none is due. */
  oldestDueSeconds: number | null
  lettersPending: number
  /** To subscribers of status pages. */
  noticesPending: number
}
