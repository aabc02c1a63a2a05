import type { ColumnType, Generated } from 'kysely'
import type { AccountEventKind } from '../core/accounts/account-log.ts'
import type { Alert, AlertEvent } from '../core/alerting/alert.ts'
import type { ContactType } from '../core/alerting/contact.ts'
import type { CheckResult, CheckStatus } from '../core/monitors/check.ts'
import type { HttpMethod, IntervalMinutes, MonitorType } from '../core/monitors/monitor.ts'
import type { GrantAccess, Resource } from '../core/sign-in/oauth.ts'
import type { Role } from '../core/teams/access.ts'
import type { Door } from '../core/teams/audit.ts'
import type { PlanName } from '../core/teams/plan.ts'

/** The schema after all migrations, for the query builder. Encrypted columns hold sealed text. */
export type Tables = {
  users: {
    id: Generated<number>
    email: string
    name: string
    password_hash: string | null
    email_verified_at: Date | null
    signed_up_at: Date | null
    is_operator: Generated<boolean>
    disabled_at: Date | null
    created_at: Generated<Date>
  }
  password_links: { token_hash: Buffer; user_id: number; expires_at: Date; is_mailed: Generated<boolean> }
  email_links: {
    token_hash: Buffer
    user_id: number
    email: string
    expires_at: Date
    is_change: Generated<boolean>
  }
  account_events: {
    id: Generated<number>
    user_id: number
    at: Date
    kind: AccountEventKind
    detail: string | null
    address: string | null
    user_agent: string | null
  }
  authenticators: {
    id: Generated<number>
    user_id: number
    secret: string
    confirmed_at: Date | null
    last_step: number | null
  }
  recovery_codes: { user_id: number; code_hash: Buffer }
  passkeys: {
    id: Generated<number>
    user_id: number
    name: string
    credential_id: string
    public_key: Buffer
    counter: number
    transports: string[]
    created_at: Date
    last_used_at: Date | null
  }
  passkey_challenges: { challenge_hash: Buffer; user_id: number | null; expires_at: Date }
  identities: { issuer: string; subject: string; user_id: number; created_at: Date }
  sign_ups: { token_hash: Buffer; email: string; name: string; password_hash: string; expires_at: Date }
  sealing: { binds_from: Date }
  letters: {
    id: Generated<number>
    message_id: Generated<string>
    content: string
    attempts: Generated<number>
    next_attempt_at: Generated<Date>
    claimed_by: string | null
    claimed_until: Date | null
    created_at: Generated<Date>
    expires_at: Date
    mailbox_hash: Buffer | null
  }
  setup_links: { token_hash: Buffer; expires_at: Date }
  sessions: {
    id: Generated<number>
    user_id: number
    team_id: number | null
    token_hash: Buffer
    address: string
    user_agent: string
    created_at: Date
    last_used_at: Date
    expires_at: Date
  }
  teams: {
    id: Generated<number>
    name: string
    plan: PlanName
    signing_secret: string
    created_at: Generated<Date>
    confirmations: Generated<number>
    recovery_checks: Generated<number>
  }
  members: { team_id: number; user_id: number; role: Role; created_at: Generated<Date> }
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
  }
  tokens: {
    id: Generated<number>
    team_id: number | null
    user_id: number
    name: string
    token_hash: Buffer
    ending: string
    created_at: Generated<Date>
    last_used_at: Date | null
    expires_at: Date | null
    revoked_at: Date | null
    client_id: string | null
    resource: Resource | null
    access: GrantAccess | null
    access_expires_at: Date | null
  }
  oauth_clients: {
    id: string
    name: string
    redirect_uris: string[]
    created_at: Date
    described_at: Date | null
    last_used_at: Date | null
  }
  oauth_codes: {
    code_hash: Buffer
    client_id: string
    user_id: number
    team_id: number
    redirect_uri: string
    challenge: string
    resource: Resource
    access: GrantAccess
    expires_at: Date
    token_id: number | null
  }
  oauth_refresh_tokens: { token_hash: Buffer; token_id: number; expires_at: Date; used_at: Date | null }
  contacts: {
    id: Generated<number>
    team_id: number
    name: string
    type: ContactType
    config: string
    notify_on_down: boolean
    notify_on_recovery: boolean
    created_at: Generated<Date>
    unagreed_hash: Buffer | null
  }
  agreements: {
    team_id: number
    address_hash: Buffer
    link_hash: Buffer
    asked_at: Date
    expires_at: Date
    agreed_at: Date | null
  }
  mailboxes: { mailbox_hash: Buffer; hour_began_at: Date; sent: number; digest_at: Date | null }
  monitors: {
    id: Generated<number>
    team_id: number
    name: string
    type: MonitorType
    url: string | null
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
  }
  monitor_pauses: { monitor_id: number; paused_at: Date; resumed_at: Date | null }
  monitor_contacts: { monitor_id: number; contact_id: number }
  monitor_state: {
    monitor_id: number
    revision: number | null
    status: Generated<CheckStatus>
    status_since: Generated<Date>
    last_checked_at: Date | null
    ssl_expires_at: Date | null
    warned_certificate: string | null
    open_incident_id: number | null
    heartbeat_due_at: Date | null
    passing: Generated<number>
  }
  checks: {
    checked_at: Date
    monitor_id: number
    response_time_ms: number | null
    http_status_code: number | null
    status: CheckStatus
    region: string | null
    phases: Buffer | null
    error_message: string | null
  }
  check_chunks: {
    day: Date
    monitor_id: number
    generation: number
    segment: number
    checks: number
    content: Buffer
  }
  compacted_days: { day: Date; generations: number }
  check_hours: { hour: Date } & RollUpColumns
  check_days: { day: Date } & RollUpColumns
  history_progress: {
    only_row: Generated<boolean>
    hours_until: Date
    compacting_day: Date | null
    compacted_monitor_id: number | null
    timed_until: Date | null
    converted_monitor_id: Generated<number | null>
  }
  incidents: {
    id: Generated<number>
    team_id: number
    monitor_id: number
    started_at: Date
    resolved_at: Date | null
    cause: string | null
  }
  pings: {
    received_at: Date
    monitor_id: number
    kind: string
    exit_status: number | null
    run_id: string | null
    body: Buffer | null
  }
  deliveries: {
    id: Generated<number>
    message_id: Generated<string>
    team_id: number
    contact_id: number | null
    contact_name: string
    contact_type: ContactType
    monitor_id: number | null
    incident_id: number | null
    event: AlertEvent
    alert: ColumnType<Alert, string, never>
    state: Generated<'pending' | 'sent' | 'failed'>
    attempts: Generated<number>
    next_attempt_at: Generated<Date>
    claimed_by: string | null
    claimed_until: Date | null
    created_at: Generated<Date>
    finished_at: Date | null
    mailbox_hash: Buffer | null
    digest: string | null
  }
  delivery_attempts: {
    delivery_id: number
    attempt: number
    attempted_at: Date
    duration_ms: number
    outcome: 'sent' | 'retry' | 'rejected'
    status_code: number | null
    detail: string
  }
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
  overruns: { monitor_id: number; prober: number; until: Date }
}

type RollUpColumns = {
  monitor_id: number
  region: Generated<string>
  up: Generated<number>
  degraded: Generated<number>
  down: Generated<number>
  pending: Generated<number>
  response_time_sum_ms: Generated<number>
  histogram: Generated<Buffer>
  up_ms: number | null
  degraded_ms: number | null
  down_ms: number | null
  maintenance_ms: number | null
}
