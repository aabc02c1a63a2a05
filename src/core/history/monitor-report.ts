import * as z from 'zod'
import { FLAPS } from '../alerting/flapping.ts'
import { Instant } from '../instant.ts'
import { Check } from '../monitors/check.ts'
import { Incident } from '../monitors/incident.ts'
import { ReportRange } from './report-range.ts'

/** How many days each range covers, and the unit that its points are summed up from. */
export const REPORT_RANGES = {
  '24h': { days: 1, unit: 'quarter', stepSeconds: 900 },
  '7d': { days: 7, unit: 'hour', stepSeconds: 3_600 },
  '30d': { days: 30, unit: 'hour', stepSeconds: 3 * 3_600 },
  '90d': { days: 90, unit: 'day', stepSeconds: 24 * 3_600 },
} as const satisfies Record<ReportRange, { days: number; unit: string; stepSeconds: number }>

const Share = z.number().nullable()
const Milliseconds = z.int().nullable()

/** Percentiles of the checks that passed; null if none did. */
export const Percentiles = z.object({ p50_ms: Milliseconds, p95_ms: Milliseconds, p99_ms: Milliseconds })
export type Percentiles = z.infer<typeof Percentiles>

/** Sums of the checks in one step. Steps without checks are omitted. */
export const ReportPoint = z.object({
  /** Start of the step. */
  at: Instant,
  up: z.int(),
  degraded: z.int(),
  down: z.int(),
  pending: z.int(),
  ...Percentiles.shape,
})
export type ReportPoint = z.infer<typeof ReportPoint>

/** The medians of one region, by step. */
export const RegionLine = z.object({
  region: z.string(),
  points: z.array(z.object({ at: Instant, p50_ms: Milliseconds })),
})
export type RegionLine = z.infer<typeof RegionLine>

/** Time of an uptime figure that does not count, since the monitor was created. */
export const UncountedTime = z.object({ maintenance_seconds: z.int(), unknown_seconds: z.int() })
export type UncountedTime = z.infer<typeof UncountedTime>

export const Pause = z.object({ from: Instant, to: Instant.nullable() })
export type Pause = z.infer<typeof Pause>

/** An occurrence of a maintenance window under the name that the window has now; `to` is null while it lasts. */
export const PlannedSpan = z.object({ from: Instant, to: Instant.nullable(), name: z.string() })
export type PlannedSpan = z.infer<typeof PlannedSpan>

/** The bars of a monitor's page are days of UTC. */
export const DAYS_OF_REPORT = 90

/** The data of a monitor's page: its history in a range, and its uptime in the usual windows (core/history/uptime.ts). Shares are 0 to 1. */
export const MonitorReport = z.object({
  status_since: Instant,
  ...FLAPS,
  /** While it is down, or warns of an assertion: consecutive checks that passed, and how many must. Null if one is enough. */
  recovery: z.object({ passing: z.int(), needed: z.int() }).nullable(),
  /** Base address of its public badges. */
  badge_url: z.string(),
  uptime: z.object({ '24h': Share, '7d': Share, '30d': Share, '90d': Share }),
  uptime_times: z.object({
    '24h': UncountedTime,
    '7d': UncountedTime,
    '30d': UncountedTime,
    '90d': UncountedTime,
  }),
  /** Uptime of each of the last 90 days, oldest first, today last. */
  days: z.array(Share).length(DAYS_OF_REPORT),
  /** Seconds of each of these days that were maintenance. */
  maintenance_days: z.array(z.int().min(0)).length(DAYS_OF_REPORT),
  /** The one asked for; without meaning where a stretch was asked for by its ends. */
  range: ReportRange,
  from: Instant,
  to: Instant,
  step_seconds: z.int(),
  /** Regions that checked the monitor within the range. */
  regions: z.array(z.string()),
  points: z.array(ReportPoint),
  /** The whole range's; percentiles of its steps cannot be combined into it. */
  latency: Percentiles.extend({ mean_ms: z.number().nullable() }),
  /** Those of the regions that checked, if they are asked for. */
  region_lines: z.array(RegionLine),
  /** Those that overlap the range, newest first. */
  incidents: z.array(Incident),
  pauses: z.array(Pause),
  maintenance: z.array(PlannedSpan),
})
export type MonitorReport = z.infer<typeof MonitorReport>

/** A check with the duration of each phase; null for a phase that was not reached. */
export const CheckDetail = Check.extend({
  /** How a failure was confirmed or refuted, if the team has failures confirmed. */
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
