import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'

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
  maintenance_window_subjects: { window_id: number; kind: SubjectKind; subject_id: number }
}
