import type { Query } from '../postgres/database.ts'
import { changeNotification } from './news.ts'

/** Tables of a team's records that people delete, with the news that open pages get of it. */
const NEWS_OF = {
  schedules: 'on_call',
  schedule_overrides: 'on_call',
  escalation_policies: 'on_call',
  status_templates: 'status_pages',
  reports: 'team',
  report_recipients: 'team',
} as const

export type DeletedTable = keyof typeof NEWS_OF

/** Deletes a record of a team, with all that refers to it by ON DELETE CASCADE. */
export async function deleteRecord(
  query: Query,
  table: DeletedTable,
  teamId: number,
  id: number,
): Promise<void> {
  await query
    .deleteFrom(table)
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning(changeNotification(teamId, NEWS_OF[table]).as('notified'))
    .execute()
}
