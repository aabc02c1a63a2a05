import type { AccountEventKind } from '../../core/accounts/account-log.ts'
import type { Database, Query } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'

export type AccountEventRecord = {
  userId: number
  at: Date
  kind: AccountEventKind
  detail: string | null
  address: string | null
  userAgent: string | null
}

export async function insertAccountEvent(query: Query, event: AccountEventRecord): Promise<void> {
  await query
    .insertInto('account_events')
    .values({
      user_id: event.userId,
      at: event.at,
      kind: event.kind,
      detail: event.detail,
      address: event.address,
      user_agent: event.userAgent,
    })
    .execute()
}

export async function countAccountEvents(query: Query, userId: number, since: Date): Promise<number> {
  const { count } = await query
    .selectFrom('account_events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/** Newest first. */
export async function listAccountEvents(query: Query, userId: number, limit: number) {
  return query
    .selectFrom('account_events')
    .select(['id', 'at', 'kind', 'detail', 'address', 'user_agent'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes some of the entries from before `cutoff`, oldest first; true if there may be more. */
export async function removeSomeAccountEvents(db: Database, cutoff: Date): Promise<boolean> {
  return removeSome(db, {
    ...{ table: 'account_events', key: ['id'], oldestOnly: true },
    where: 'at < $1',
    values: [cutoff],
  })
}
