import type { Generated } from 'kysely'
import type { MaintenanceWindow } from '../../core/maintenance/window.ts'
import type { EndedBy } from '../../core/maintenance/window-record.ts'

export type MaintenanceTables = {
  maintenance_windows: {
    id: Generated<number>
    team_id: number
    kind: MaintenanceWindow['kind']
    name: string
    note: string
    all_subjects: boolean
    tags: Generated<string[]>
    shows_on_pages: Generated<boolean>
    public_name: Generated<string>
    starts_at: Date | null
    ends_at: Date | null
    local_start: string | null
    time_zone: string | null
    duration_minutes: number | null
    rule: string | null
    exceptions: string[] | null
    max_minutes: number | null
    ends_when_passing: boolean | null
    token: string | null
    token_hash: Buffer | null
    since: Date
    created_at: Generated<Date>
    deleted_at: Date | null
  }
  maintenance_occurrences: {
    window_id: number
    team_id: number
    starts_at: Date
    ends_at: Date
    ended_by: EndedBy | null
    all_subjects: boolean
    monitor_ids: number[]
    server_ids: Generated<number[]>
    site_ids: Generated<number[]>
  }
}
