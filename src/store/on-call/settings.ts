import type { OnCallSettings } from '../../core/on-call/policy.ts'
import type { Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'

export async function readOnCallSettings(query: Query, teamId: number): Promise<OnCallSettings> {
  return query
    .selectFrom('teams')
    .select('reminder_minutes')
    .where('id', '=', teamId)
    .executeTakeFirstOrThrow()
}

export async function updateOnCallSettings(
  query: Query,
  teamId: number,
  settings: OnCallSettings,
): Promise<void> {
  await query
    .updateTable('teams')
    .set(settings)
    .where('id', '=', teamId)
    .returning(changeNotification(teamId, 'on_call').as('notified'))
    .execute()
}
