import * as z from 'zod'
import { Instant } from '../instant.ts'
import { CheckStatus } from './check.ts'
import { MonitorType } from './monitor-types.ts'

/** What a person filters by: a paused monitor is in no other state, whatever it was last. */
export const LiveStatus = z.enum(['down', 'degraded', 'pending', 'up', 'paused'])
export type LiveStatus = z.infer<typeof LiveStatus>

export const StatusCounts = z.object({
  down: z.int(),
  degraded: z.int(),
  pending: z.int(),
  up: z.int(),
  paused: z.int(),
})
export type StatusCounts = z.infer<typeof StatusCounts>

/** As much of a monitor as a line in a list shows. */
export const MonitorBrief = z.object({
  id: z.int(),
  name: z.string(),
  type: MonitorType,
  /** What is checked, with its port where there is one; null for a heartbeat. */
  target: z.string().nullable(),
  status: CheckStatus,
  is_active: z.boolean(),
  /** Since when it has had its status. */
  status_since: Instant,
})
export type MonitorBrief = z.infer<typeof MonitorBrief>

export function liveStatus(monitor: Pick<MonitorBrief, 'status' | 'is_active'>): LiveStatus {
  return monitor.is_active ? monitor.status : 'paused'
}
