import type { Query } from '../../postgres/database.ts'

/** The user that an identity belongs to; null if none does. */
export async function findIdentity(query: Query, issuer: string, subject: string): Promise<number | null> {
  const row = await query
    .selectFrom('identities')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** Assigns an identity to a user. Returns its user, which may be another one that was assigned at the same time. */
export async function insertIdentity(
  query: Query,
  identity: { issuer: string; subject: string; userId: number; createdAt: Date },
): Promise<number> {
  const row = await query
    .insertInto('identities')
    .values({
      issuer: identity.issuer,
      subject: identity.subject,
      user_id: identity.userId,
      created_at: identity.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id ?? ((await findIdentity(query, identity.issuer, identity.subject)) as number)
}
