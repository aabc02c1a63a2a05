import type { SubjectKind, TimedKind } from '../../core/maintenance/subject-kind.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'

/** The subjects, which triggers of monitors, servers and sites keep, and what refers to any of them. */
export type SubjectsTables = {
  subjects: {
    kind: SubjectKind
    id: number
    team_id: number
    name: string
    created_at: Date
    deleted_at: Date | null
  }
  subject_contacts: { kind: SubjectKind; subject_id: number; contact_id: number }
  subject_policies: { kind: SubjectKind; subject_id: number; policy_id: number }
  subject_status_changes: { kind: TimedKind; subject_id: number; at: Date; status: CheckStatus }
  maintenance_window_subjects: { window_id: number; kind: SubjectKind; subject_id: number }
}
