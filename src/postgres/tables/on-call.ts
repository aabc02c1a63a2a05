import type { ColumnType, Generated } from 'kysely'
import type { Layer } from '../../core/on-call/schedule.ts'

export type OnCallTables = {
  schedules: {
    id: Generated<number>
    team_id: number
    name: string
    time_zone: string
    layers: ColumnType<Layer[], string, string>
    token: string | null
    token_hash: Buffer | null
    created_at: Generated<Date>
  }
  schedule_participants: {
    schedule_id: number
    key: number
    team_id: number
    position: number
    name: string
    user_id: number | null
  }
  schedule_participant_contacts: {
    schedule_id: number
    participant: number
    contact_id: number
    position: number
  }
  schedule_overrides: {
    id: Generated<number>
    schedule_id: number
    team_id: number
    participant: number
    starts_at: Date
    ends_at: Date
    created_at: Generated<Date>
  }
}
