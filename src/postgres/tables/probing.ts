import type { Generated } from 'kysely'
import type { CheckResult } from '../../core/monitors/check.ts'
import type { DiagnosisFound } from '../../core/monitors/incidents/diagnosis.ts'

export type ProbingTables = {
  scheduler_pulse: { only_row: Generated<boolean>; alive_at: Date; reached_at: Date | null }
  leases: { name: string; holder: string; expires_at: Date }
  probers: {
    id: Generated<number>
    region: string
    host: string
    pid: number
    joined_at: Generated<Date>
    expires_at: Date
    leaving: Generated<boolean>
    probe_token: number | null
    opens_addresses: Generated<boolean>
  }
  reserved_regions: { region: string; team_ids: number[] }
  probe_tokens: {
    id: Generated<number>
    region: string
    name: string
    token_hash: Buffer
    ending: string
    created_at: Generated<Date>
    last_used_at: Date | null
    expires_at: Date | null
    revoked_at: Date | null
  }
  probe_sessions: {
    id: string
    probe_token: number
    acknowledged: Generated<number>
    seen_at: Generated<Date>
  }
  probe_holdings: { membership: number; since: Date; until: Date; probe_token: number; slots: number[] }
  slots: {
    region: string
    slot: number
    holder: number | null
    wanted_by: number | null
    due_from: Date | null
    cut: Generated<number[]>
  }
  turns: {
    only_row: Generated<boolean>
    number: number
    before: string[]
    regions: string[]
    effective_at: Date
  }
  confirmations: {
    id: Generated<number>
    monitor_id: number
    revision: number
    region: string
    asked_by: number
    claimed_by: number | null
    result: CheckResult | null
    expires_at: Date
  }
  trial_checks: {
    id: Generated<number>
    team_id: number
    user_id: number
    settings: string | null
    claimed_by: number | null
    region: string | null
    result: CheckResult | null
    checked_at: Date | null
    expires_at: Date
  }
  diagnoses: {
    id: Generated<number>
    team_id: number
    monitor_id: number
    kind: Generated<'monitor'>
    team_incident_id: number
    asked_at: Date
    expires_at: Date
    claimed_by: number | null
    began_at: Date | null
    ended_at: Date | null
    found: DiagnosisFound | null
  }
  baselines: {
    monitor_id: number
    team_id: number
    revision: number
    seen_at: Date
    region: string
    address: string | null
    server: string | null
    bytes: number | null
    redirect: string | null
    fingerprint: string | null
  }
  overruns: { monitor_id: number; prober: number; until: Date }
}
