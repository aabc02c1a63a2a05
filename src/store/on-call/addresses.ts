import type { Query } from '../../postgres/database.ts'
import { hashAddressToken } from '../maintenance/addresses.ts'
import { changeNotification } from '../news.ts'
import type { Vault } from '../sealing/vault.ts'

const SCHEDULE_TOKEN = 'schedules.token'

/** The token of the secret address of a schedule's calendar; null while it has none. */
export async function readScheduleToken(
  query: Query,
  vault: Vault,
  teamId: number,
  id: number,
): Promise<string | null> {
  const row = await query
    .selectFrom('schedules')
    .select('token')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.token ? vault.open(row.token, SCHEDULE_TOKEN, id) : null
}

/** Null takes the address away. */
export async function replaceScheduleToken(
  query: Query,
  vault: Vault,
  schedule: { teamId: number; id: number },
  token: string | null,
): Promise<void> {
  await query
    .updateTable('schedules')
    .set({
      token: token && vault.seal(token, SCHEDULE_TOKEN, schedule.id),
      token_hash: token ? hashAddressToken(token) : null,
    })
    .where('team_id', '=', schedule.teamId)
    .where('id', '=', schedule.id)
    .returning(changeNotification(schedule.teamId, 'on_call').as('notified'))
    .execute()
}

/** The schedule of a calendar's address; null if there is none. */
export async function findScheduleByToken(
  query: Query,
  token: string,
): Promise<{ teamId: number; id: number } | null> {
  const row = await query
    .selectFrom('schedules')
    .select(['team_id as teamId', 'id'])
    .where('token_hash', '=', hashAddressToken(token))
    .executeTakeFirst()
  return row ?? null
}
