import { DAY_MS, logCutoff } from '../../core/history/history-span.ts'
import { CONFIRM_WITHIN_MS } from '../../core/status-pages/subscribers/subscriber.ts'
import type { Database } from '../../postgres/database.ts'
import { removeSomeAccountEvents } from '../../store/accounts/account-log.ts'
import { removeSomeDeliveries } from '../../store/alerting/delivery-log.ts'
import { removeSomeMailboxes } from '../../store/alerting/mailboxes.ts'
import { removeSomeReportMails, removeSomeUnconfirmedRecipients } from '../../store/reports/report-upkeep.ts'
import { removeSomeNotices, removeSomeUnconfirmed } from '../../store/status-pages/subscriber-upkeep.ts'
import { removeSomeAudit } from '../../store/teams/audit.ts'

/**
 * Removes entries past their retention from the audit log, account logs and the logs of messages, and subscribers and
 * recipients of reports that never confirmed, in short steps.
 */
export async function* retainLogs({ db, now }: { db: Database; now: () => Date }): AsyncGenerator<void> {
  const cutoff = logCutoff(now())
  const logs = [
    removeSomeAudit,
    removeSomeAccountEvents,
    removeSomeDeliveries,
    removeSomeNotices,
    removeSomeReportMails,
  ]
  for (const removeSome of logs) {
    while (await removeSome(db, cutoff)) yield
    yield
  }
  const idleSince = new Date(now().getTime() - DAY_MS)
  while (await removeSomeMailboxes(db, idleSince)) yield
  const unconfirmedSince = new Date(now().getTime() - CONFIRM_WITHIN_MS)
  while (await removeSomeUnconfirmed(db, unconfirmedSince)) yield
  while (await removeSomeUnconfirmedRecipients(db, unconfirmedSince)) yield
}
