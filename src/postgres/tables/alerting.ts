import type { ColumnType, Generated } from 'kysely'
import type { Alert, AlertEvent } from '../../core/alerting/alert.ts'
import type { ContactType } from '../../core/alerting/contact.ts'
import type { DeliveryState } from '../../core/alerting/delivery-state.ts'
import type { QuietHours } from '../../core/alerting/quiet-hours.ts'
import type { SubjectKind } from '../../core/maintenance/subject-kind.ts'

export type AlertingTables = {
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
    user_id: number | null
    quiet_hours: ColumnType<QuietHours | null, string | null | undefined, string | null>
    time_zone: string | null
  }
  push_keys: { id: number; public_key: string; private_key: string; created_at: Generated<Date> }
  agreements: {
    team_id: number
    address_hash: Buffer
    link_hash: Buffer
    asked_at: Date
    expires_at: Date
    agreed_at: Date | null
  }
  mailboxes: { mailbox_hash: Buffer; hour_began_at: Date; sent: number; digest_at: Date | null }
  deliveries: {
    id: Generated<number>
    message_id: Generated<string>
    team_id: number
    contact_id: number | null
    contact_name: string
    contact_type: ContactType
    /** Null for a test of a contact, and for a drill. */
    kind: SubjectKind | null
    subject_id: number | null
    team_incident_id: number | null
    event: AlertEvent
    step: Generated<number>
    alert: ColumnType<Alert, string, never>
    state: Generated<DeliveryState>
    attempts: Generated<number>
    next_attempt_at: Generated<Date>
    claimed_by: string | null
    claimed_until: Date | null
    created_at: Generated<Date>
    finished_at: Date | null
    mailbox_hash: Buffer | null
    digest: string | null
    receipt: string | null
    held_until: Date | null
    part: number | null
    parts_sent: number | null
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
}
