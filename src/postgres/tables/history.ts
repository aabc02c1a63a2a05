import type { Generated } from 'kysely'
import type { CheckStatus } from '../../core/monitors/check.ts'

export type HistoryTables = {
  checks: {
    checked_at: Date
    monitor_id: number
    response_time_ms: number | null
    http_status_code: number | null
    status: CheckStatus
    region: string | null
    phases: Buffer | null
    error_message: string | null
  }
  check_chunks: {
    day: Date
    monitor_id: number
    generation: number
    segment: number
    checks: number
    content: Buffer
  }
  compacted_days: { day: Date; generations: number }
  check_hours: { hour: Date } & RollUpColumns
  check_days: { day: Date } & RollUpColumns
  history_progress: {
    only_row: Generated<boolean>
    hours_until: Date
    compacting_day: Date | null
    compacted_monitor_id: number | null
    timed_until: Date | null
    converted_monitor_id: Generated<number | null>
    server_hours_until: Date | null
    compacting_server_day: Date | null
    compacted_server_id: number | null
    site_days_until: Date | null
  }
  history_stretches: { work: string; from_at: Date; to_at: Date; after_id: number; until_id: number }
}

type RollUpColumns = {
  monitor_id: number
  region: Generated<string>
  up: Generated<number>
  degraded: Generated<number>
  down: Generated<number>
  pending: Generated<number>
  response_time_sum_ms: Generated<number>
  histogram: Generated<Buffer>
  up_ms: number | null
  degraded_ms: number | null
  down_ms: number | null
  maintenance_ms: number | null
  min_ms: number | null
  max_ms: number | null
}
