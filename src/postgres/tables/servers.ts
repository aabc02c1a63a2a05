import type { ColumnType, Generated } from 'kysely'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { Condition, ThresholdChanges } from '../../core/servers/condition.ts'
import type { Trends } from '../../core/servers/disk-trend.ts'
import type { Hosted } from '../../core/servers/hosted.ts'
import type { Machine, OtherMachine } from '../../core/servers/machine-report.ts'
import type { NotUnderstood } from '../../core/servers/not-understood.ts'
import type { Sample } from '../../core/servers/series.ts'

type Json<T> = ColumnType<T, string, string>

export type ServersTables = {
  servers: {
    id: Generated<number>
    team_id: number
    name: string
    is_active: Generated<boolean>
    thresholds: Json<ThresholdChanges>
    tags: Generated<string[]>
    token: string
    token_hash: Buffer
    created_at: Generated<Date>
    deleted_at: Date | null
  }
  server_state: {
    server_id: number
    status: Generated<CheckStatus>
    status_since: Generated<Date>
    last_report_at: Date | null
    silent_at: Date | null
    machine: Json<Machine> | null
    counters: Buffer | null
    latest: Json<Sample> | null
    conditions: ColumnType<Condition[], string | undefined, string>
    trends: Json<Trends> | null
    other_machine: Json<OtherMachine> | null
    not_understood: Json<NotUnderstood> | null
    hosted: Json<Hosted> | null
    hosted_conditions: ColumnType<Condition[], string | undefined, string>
  }
  server_samples: { at: Date; server_id: number; content: Buffer }
  server_chunks: { day: Date; server_id: number; generation: number; samples: number; content: Buffer }
  compacted_server_days: { day: Date; generations: number }
  server_hours: {
    hour: Date
    server_id: number
    content: Buffer
    up_ms: number
    degraded_ms: number
    down_ms: number
    maintenance_ms: number
  }
}
