import type { Database } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'

/** Mails that were sent or given up before, with the editions that no mail is of any more. */
export async function removeSomeReportMails(db: Database, cutoff: Date): Promise<boolean> {
  const isMore = await removeSome(db, {
    ...{ table: 'report_editions', key: ['report_id', 'month'] },
    where: 'created_at < $1',
    values: [cutoff],
  })
  const isMoreMail = await removeSome(db, {
    ...{ table: 'report_mails', key: ['id'], order: 'finished_at' },
    where: 'finished_at < $1',
    values: [cutoff],
  })
  return isMore || isMoreMail
}
