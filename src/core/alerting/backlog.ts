import type { LiveStatus } from '../monitors/status.ts'

/** How all monitors of all teams are, and what waits to be done: for the operator, not for a team. */
export type Backlog = {
  monitors: Record<LiveStatus, number>
  heartbeatsOverdue: number
  deliveriesPending: number
  deliveriesDue: number
  /** Null while none is due. */
  oldestDueSeconds: number | null
  lettersPending: number
}
