import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'

/** Any constant that no other lock of ours has. */
const LOCK = 7_365_005

/** Whether somebody runs the service, with an account that works. */
export async function isOperator(query: Query, userId: number): Promise<boolean> {
  const row = await query
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('is_operator', '=', true)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Nobody else makes, ends or disables an operator until the transaction ends. */
export async function lockOperators(query: Query): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(query)
}

/** Whether there is an operator besides this account, whose own account works. */
export async function hasOtherOperator(query: Query, userId: number): Promise<boolean> {
  const row = await query
    .selectFrom('users')
    .select('id')
    .where('id', '<>', userId)
    .where('is_operator', '=', true)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function setOperator(query: Query, userId: number, isOperator: boolean): Promise<void> {
  await query.updateTable('users').set({ is_operator: isOperator }).where('id', '=', userId).execute()
}
