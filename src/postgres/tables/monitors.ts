import type { Generated } from 'kysely'
import type { WarnedCertificate } from '../../core/monitors/certificate.ts'
import type { CheckStatus } from '../../core/monitors/check.ts'
import type { IntervalMinutes, MonitorType } from '../../core/monitors/monitor.ts'
import type { MonitorOptions } from '../../core/monitors/options/monitor-options.ts'
import type { HttpMethod } from '../../core/monitors/options/request.ts'
import type { FailingAnswer } from '../../core/probing/failing-answer.ts'

export type MonitorsTables = {
  monitors: {
    id: Generated<number>
    team_id: number
    name: string
    type: MonitorType
    url: string | null
    sealed_url: string | null
    is_active: boolean
    check_interval_minutes: IntervalMinutes
    check_interval_seconds: number | null
    http_method: HttpMethod
    expected_status_codes: number[]
    expected_keyword: string | null
    port: number | null
    request_timeout_seconds: number
    request_headers: string | null
    username: string | null
    password: string | null
    ssl_expiry_warning_days: number
    heartbeat_token: string | null
    heartbeat_token_hash: Buffer | null
    slot: number
    revision: Generated<number>
    changed_at: Generated<Date>
    created_at: Generated<Date>
    deleted_at: Date | null
    check_requested_at: Date | null
    badge_id: Generated<string>
    tags: Generated<string[]>
    options: MonitorOptions | null
    sealed_options: string | null
  }
  group_requests: { id: Generated<number>; group_id: number }
  monitor_notes: { monitor_id: number; runbook_url: string | null; notes: string | null }
  monitor_pauses: { monitor_id: number; paused_at: Date; resumed_at: Date | null }
  monitor_state: {
    monitor_id: number
    revision: number | null
    status: Generated<CheckStatus>
    status_since: Generated<Date>
    last_checked_at: Date | null
    ssl_expires_at: Date | null
    warned_certificate: string | null
    warned_certificates: WarnedCertificate[] | null
    open_incident_id: number | null
    heartbeat_due_at: Date | null
    passing: Generated<number>
    failed_attempts: Generated<number>
    unwell_attempts: Generated<number>
    next_attempt_at: Date | null
    response_times: number[] | null
    unmet: Generated<boolean>
    held_since: Date | null
    failing_until: Date | null
  }
  failing_answers: {
    id: Generated<number>
    monitor_id: number
    incident_id: number | null
    checked_at: Date
    http_status_code: number | null
    skeleton: Buffer
    answer: FailingAnswer
  }
  pings: {
    received_at: Date
    monitor_id: number
    kind: string
    exit_status: number | null
    run_id: string | null
    body: Buffer | null
  }
}
