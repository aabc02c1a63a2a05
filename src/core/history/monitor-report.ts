import * as z from 'zod'
import { Instant } from '../instant.ts'
import { Check } from '../monitors/check.ts'
import { Incident } from '../monitors/incident.ts'

export const ReportRange = z.enum(['24h', '7d', '30d', '90d'])
export type ReportRange = z.infer<typeof ReportRange>

/** How far each goes back, and what its points are made of: quarters of an hour, hours or days. */
export const REPORT_RANGES = {
  '24h': { days: 1, unit: 'quarter', stepSeconds: 900 },
  '7d': { days: 7, unit: 'hour', stepSeconds: 3_600 },
  '30d': { days: 30, unit: 'hour', stepSeconds: 3 * 3_600 },
  '90d': { days: 90, unit: 'day', stepSeconds: 24 * 3_600 },
} as const satisfies Record<ReportRange, { days: number; unit: string; stepSeconds: number }>

const Share = z.number().nullable()
const Milliseconds = z.int().nullable()

/** Of the checks that passed; null where none did. */
export const Percentiles = z.object({ p50_ms: Milliseconds, p95_ms: Milliseconds, p99_ms: Milliseconds })
export type Percentiles = z.infer<typeof Percentiles>

/** What the checks of one step came to; steps without a check are left out. */
export const ReportPoint = z.object({
  /** Where the step begins. */
  at: Instant,
  up: z.int(),
  degraded: z.int(),
  down: z.int(),
  pending: z.int(),
  ...Percentiles.shape,
})
export type ReportPoint = z.infer<typeof ReportPoint>

export const Pause = z.object({ from: Instant, to: Instant.nullable() })
export type Pause = z.infer<typeof Pause>

/** A monitor's page: how it did in a range, and in the usual windows. Shares are 0 to 1. */
export const MonitorReport = z.object({
  status_since: Instant,
  /** While it is down: how many checks in a row have passed, of how many that must. Null where one is enough. */
  recovery: z.object({ passing: z.int(), needed: z.int() }).nullable(),
  /** Where its badges are, for everybody who knows it. */
  badge_url: z.string(),
  uptime: z.object({ '24h': Share, '7d': Share, '30d': Share, '90d': Share }),
  range: ReportRange,
  from: Instant,
  to: Instant,
  step_seconds: z.int(),
  /** Regions that checked it within the range. */
  regions: z.array(z.string()),
  points: z.array(ReportPoint),
  /** Of the whole range: it cannot be told from those of its steps. */
  latency: Percentiles,
  /** Incidents and pauses that touch the range, newest first. */
  incidents: z.array(Incident),
  pauses: z.array(Pause),
})
export type MonitorReport = z.infer<typeof MonitorReport>

/** A check with where its time went; null for a phase that was not reached. */
export const CheckDetail = Check.extend({
  /** How a check came to pass that failed at first, where its team wants failures confirmed. */
  note: z.string().nullable(),
  phases: z
    .object({
      dns_ms: Milliseconds,
      connect_ms: Milliseconds,
      tls_ms: Milliseconds,
      first_byte_ms: Milliseconds,
      transfer_ms: Milliseconds,
    })
    .nullable(),
})
export type CheckDetail = z.infer<typeof CheckDetail>

export const DeletedMonitor = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  target: z.string().nullable(),
  deleted_at: Instant,
})
export type DeletedMonitor = z.infer<typeof DeletedMonitor>
