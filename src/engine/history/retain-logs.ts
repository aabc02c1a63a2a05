import { lapsedSince } from '../../core/accounts/asked-address.ts'
import { DAY_MS, logCutoff } from '../../core/history/history-span.ts'
import { keptSince } from '../../core/history/kept-record.ts'
import type { Database } from '../../postgres/database.ts'
import { removeSomeAccountEvents } from '../../store/accounts/account-log.ts'
import { removeSomeUnconfirmed } from '../../store/accounts/asked-addresses.ts'
import { removeSomeDeliveries } from '../../store/alerting/delivery-log.ts'
import { removeSomeMailboxes } from '../../store/alerting/mailboxes.ts'
import { removeSomeKept } from '../../store/deleted-records.ts'
import { removeSomeReportMails } from '../../store/reports/report-upkeep.ts'
import { removeSomeNotices } from '../../store/status-pages/subscriber-upkeep.ts'
import { removeSomeAudit } from '../../store/teams/audit.ts'

/**
 * Removes entries past their retention from the audit log, account logs and the logs of messages, deleted records that can no
 * longer be taken back, and subscribers and recipients of reports that never confirmed, in short steps.
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
  while (await removeSomeKept(db, keptSince(now()))) yield
  const idleSince = new Date(now().getTime() - DAY_MS)
  while (await removeSomeMailboxes(db, idleSince)) yield
  for (const table of ['status_subscribers', 'report_recipients'] as const) {
    while (await removeSomeUnconfirmed(db, table, lapsedSince(now()))) yield
  }
}
