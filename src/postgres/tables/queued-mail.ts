import type { Generated } from 'kysely'

/** The columns of a queue of mails, whose rows are claimed, sent and settled by one mechanism. */
export type MailColumns = {
  id: Generated<number>
  message_id: Generated<string>
  state: Generated<'pending' | 'sent' | 'failed'>
  attempts: Generated<number>
  next_attempt_at: Generated<Date>
  claimed_by: string | null
  claimed_until: Date | null
  detail: string | null
  created_at: Generated<Date>
  finished_at: Date | null
  team_id: Generated<number>
}
