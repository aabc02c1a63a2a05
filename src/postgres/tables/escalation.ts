import type { ColumnType, Generated } from 'kysely'
import type { Alert } from '../../core/alerting/alert.ts'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'
import type { Nobody, PlannedKind } from '../../core/on-call/escalation.ts'
import type { PolicyStep } from '../../core/on-call/policy.ts'
import type { TopProcess } from '../../core/servers/machine-report.ts'

type Steps = ColumnType<PolicyStep[], string, string>
type IncidentKind = SubjectKind | 'drill'
type OfIncident = { kind: IncidentKind; team_incident_id: number }

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
  team_incidents: {
    kind: IncidentKind
    id: Generated<number>
    team_id: number
    /** Null for a drill, which has a policy instead. */
    subject_id: number | null
    policy_id: number | null
    about: string | null
    warns_only: Generated<boolean>
    started_at: Date
    resolved_at: Date | null
    cause: string | null
    held_by: number | null
    untold: Generated<boolean>
    while_flapping: Generated<boolean>
    processes: ColumnType<TopProcess[] | null, string | null | undefined, string | null>
  }
  flaps: {
    id: Generated<number>
    kind: SubjectKind
    subject_id: number
    about: string
    team_id: number
    since: Date
    ended_at: Date | null
    changes: number
    team_incident_id: number
    left_open: number | null
    alert: ColumnType<Alert, string, string>
    look_at: Date
  }
  escalations: OfIncident & {
    id: Generated<number>
    team_id: number
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
