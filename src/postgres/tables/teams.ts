import type { Generated } from 'kysely'
import type { KeptKind } from '../../core/history/kept-record.ts'
import type { Language } from '../../core/language/language.ts'
import type { Role } from '../../core/teams/access.ts'
import type { Door } from '../../core/teams/audit.ts'
import type { PlanName } from '../../core/teams/plan.ts'

export type TeamsTables = {
  teams: {
    id: Generated<number>
    name: string
    plan: PlanName
    signing_secret: string
    created_at: Generated<Date>
    confirmations: Generated<number>
    recovery_checks: Generated<number>
    language: Generated<Language>
    time_zone: string | null
    reminder_minutes: Generated<number | null>
    flap_changes: Generated<number | null>
    flap_minutes: Generated<number | null>
    maintenance_revision: Generated<number>
    calendar_token: string | null
    calendar_token_hash: Buffer | null
  }
  members: {
    team_id: number
    user_id: number
    role: Role
    created_at: Generated<Date>
    first_steps_hidden_at: Generated<Date | null>
  }
  invitations: {
    id: Generated<number>
    team_id: number
    email: string
    role: Role
    link_hash: Buffer
    letter_hash: Buffer
    invited_by: number | null
    created_at: Date
    expires_at: Date
  }
  deleted_records: {
    id: Generated<number>
    team_id: number
    kind: KeptKind
    record_id: number
    deleted_at: Date
    content: unknown
  }
  audit_entries: {
    id: Generated<number>
    team_id: number
    at: Date
    user_id: number | null
    actor_name: string | null
    door: Door
    action: string
    subject: string | null
    subject_id: number | null
    fields: string[]
    changes: unknown
  }
}
