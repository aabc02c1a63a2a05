import type { ColumnType, Generated } from 'kysely'
import type { Alert } from '../../core/alerting/alert.ts'
import type { Nobody, PlannedKind } from '../../core/on-call/escalation.ts'
import type { PolicyStep } from '../../core/on-call/policy.ts'

type Steps = ColumnType<PolicyStep[], string, string>
/** One of these is set. */
type OfIncident = {
  incident_id: number | null
  server_incident_id: number | null
  site_incident_id: number | null
}

export type EscalationTables = {
  escalation_policies: {
    id: Generated<number>
    team_id: number
    name: string
    steps: Steps
    repeats: number
    repeat_every_minutes: number
    tags: string[]
    created_at: Generated<Date>
  }
  drills: {
    id: Generated<number>
    team_id: number
    policy_id: number
    started_at: Date
    resolved_at: Date
  }
  escalations: OfIncident & {
    id: Generated<number>
    team_id: number
    drill_id: number | null
    policy_name: string | null
    steps: Steps
    repeats: number
    repeat_every_minutes: number
    alert: ColumnType<Alert, string, never>
    runs_from: Date
  }
  escalation_steps: {
    id: Generated<number>
    escalation_id: number
    kind: PlannedKind
    number: number
    round: number
    due_at: Date
    look_at: Date
    state: Generated<'waiting' | 'done' | 'ended'>
    done_at: Date | null
    schedule_name: string | null
    nobody: Nobody | null
  }
  acknowledgements: OfIncident & {
    id: Generated<number>
    team_id: number
    drill_id: number | null
    via: 'dashboard' | 'link'
    user_id: number | null
    contact_id: number | null
    note: string | null
    acknowledged_at: Date
    withdrawn_at: Date | null
    withdrawn_by: number | null
  }
  incident_notes: OfIncident & {
    id: Generated<number>
    team_id: number
    user_id: number | null
    text: string
    written_at: Date
  }
}
