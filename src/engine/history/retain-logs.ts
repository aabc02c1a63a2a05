import { DAY_MS, logCutoff } from '../../core/history/history-span.ts'
import type { Database } from '../../postgres/database.ts'
import { removeSomeAccountEvents } from '../../store/accounts/account-log.ts'
import { removeSomeDeliveries } from '../../store/alerting/delivery-log.ts'
import { removeSomeMailboxes } from '../../store/alerting/mailboxes.ts'
import { removeSomeAudit } from '../../store/teams/audit.ts'

/** Removes entries past their retention from the audit log, account logs and the delivery log, in short steps. */
export async function* retainLogs({ db, now }: { db: Database; now: () => Date }): AsyncGenerator<void> {
  const cutoff = logCutoff(now())
  for (const removeSome of [removeSomeAudit, removeSomeAccountEvents, removeSomeDeliveries]) {
    while (await removeSome(db, cutoff)) yield
    yield
  }
  const idleSince = new Date(now().getTime() - DAY_MS)
  while (await removeSomeMailboxes(db, idleSince)) yield
}
