import type { FieldOfEach } from '../maintenance/subject-kind.ts'
import type { LiveStatus } from '../monitors/status.ts'

/** State of all subjects of all teams and the work that is queued: for the operator, not for a team. */
export type Backlog = FieldOfEach<'s', Record<LiveStatus, number>> & {
  heartbeatsOverdue: number
  deliveriesPending: number
  deliveriesDue: number
  /** Null if none is due. */
  oldestDueSeconds: number | null
  lettersPending: number
  /** To subscribers of status pages. */
  noticesPending: number
}
