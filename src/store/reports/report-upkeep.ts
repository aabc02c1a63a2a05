import type { Database } from '../../postgres/database.ts'
import { ROWS_PER_STEP, removeSome } from '../../postgres/remove-some.ts'

/** Recipients that have not confirmed since; true if there may be more. */
export function removeSomeUnconfirmedRecipients(db: Database, since: Date): Promise<boolean> {
  return removeSome(db, {
    text: `DELETE FROM report_recipients WHERE id IN (
      SELECT id FROM report_recipients WHERE confirmed_at IS NULL AND created_at < $1
      ORDER BY created_at LIMIT ${ROWS_PER_STEP})`,
    values: [since],
  })
}

/** Mails that were sent or given up before, with the editions that no mail is of any more. */
export function removeSomeReportMails(db: Database, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    text: `WITH editions AS (DELETE FROM report_editions WHERE created_at < $1)
      DELETE FROM report_mails WHERE id IN (
        SELECT id FROM report_mails WHERE finished_at < $1 ORDER BY finished_at LIMIT ${ROWS_PER_STEP})`,
    values: [cutoff],
  })
}
