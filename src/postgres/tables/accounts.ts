import type { Generated } from 'kysely'
import type { AccountEventKind } from '../../core/accounts/account-log.ts'
import type { Language } from '../../core/language/language.ts'

export type AccountsTables = {
  users: {
    id: Generated<number>
    email: string
    name: string
    password_hash: string | null
    email_verified_at: Date | null
    signed_up_at: Date | null
    is_operator: Generated<boolean>
    disabled_at: Date | null
    language: Language | null
    phone: string | null
    sealed_phone: string | null
    created_at: Generated<Date>
  }
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
  sealing: { binds_from: Date; hides_from: Generated<Date> }
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
    team_id: Generated<number>
  }
  service_settings: {
    id: number
    site_url: string | null
    smtp_url: string | null
    mail_from: string | null
    changed_at: Generated<Date>
  }
  mail_tests: {
    id: Generated<number>
    user_id: number
    settings: string | null
    is_claimed: Generated<boolean>
    result: unknown
    expires_at: Date
  }
  setup_links: { token_hash: Buffer; expires_at: Date }
}
