import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'

/** Arbitrary, but different from our other advisory locks. */
const LOCK = 7_365_005

/** Whether the user is an operator with an enabled account. */
export async function isOperator(query: Query, userId: number): Promise<boolean> {
  const row = await operators(query).where('id', '=', userId).executeTakeFirst()
  return row !== undefined
}

/** Serializes changes to operators until the transaction ends. */
export async function lockOperators(query: Query): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(query)
}

/** Whether there is another operator with an enabled account. */
export async function hasOtherOperator(query: Query, userId: number): Promise<boolean> {
  const row = await operators(query).where('id', '<>', userId).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Those with an enabled account. */
function operators(query: Query) {
  return query
    .selectFrom('users')
    .select('id')
    .where('is_operator', '=', true)
    .where('disabled_at', 'is', null)
}

export async function setOperator(query: Query, userId: number, isOperator: boolean): Promise<void> {
  await query.updateTable('users').set({ is_operator: isOperator }).where('id', '=', userId).execute()
}
