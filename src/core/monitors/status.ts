import * as z from 'zod'
import { Instant } from '../instant.ts'
import { phrase } from '../language/phrase.ts'
import { CheckStatus } from './check.ts'
import { MonitorType } from './monitor-types.ts'

/**
 * A status to filter by. A paused monitor is only `paused`, whatever its last status was. In order: first what somebody
 * should look at, worst first, then failures that are planned, then what needs nobody.
 */
export const LiveStatus = z.enum(['down', 'degraded', 'pending', 'maintenance', 'up', 'paused'])
export type LiveStatus = z.infer<typeof LiveStatus>

export const LIVE_STATUS_WORDS = {
  down: phrase('Down'),
  degraded: phrase('Degraded'),
  pending: phrase('Pending'),
  maintenance: phrase('Maintenance'),
  up: phrase('Up'),
  paused: phrase('Paused'),
} as const satisfies Record<LiveStatus, string>

export const StatusCounts = z.object({
  down: z.int(),
  degraded: z.int(),
  pending: z.int(),
  maintenance: z.int(),
  up: z.int(),
  paused: z.int(),
})
export type StatusCounts = z.infer<typeof StatusCounts>

/** A monitor as a line in a list. */
export const MonitorBrief = z.object({
  id: z.int(),
  name: z.string(),
  type: MonitorType,
  /** The target, with its port if the type has one; null for a heartbeat. */
  target: z.string().nullable(),
  status: CheckStatus,
  is_active: z.boolean(),
  status_since: Instant,
})
export type MonitorBrief = z.infer<typeof MonitorBrief>

export function liveStatus(monitor: Pick<MonitorBrief, 'status' | 'is_active'>): LiveStatus {
  return monitor.is_active ? monitor.status : 'paused'
}
