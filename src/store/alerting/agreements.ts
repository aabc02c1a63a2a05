import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'

/** Whether the address is the confirmed address of a member of the team. */
export async function isMembersAddress(query: Query, teamId: number, address: string): Promise<boolean> {
  const row = await query
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.id')
    .where('m.team_id', '=', teamId)
    .where(sql<string>`lower(u.email)`, '=', address.toLowerCase())
    .where('u.email_verified_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

export type AgreementRow = { askedAt: Date; expiresAt: Date; agreedAt: Date | null }

export async function findAgreement(
  query: Query,
  teamId: number,
  hash: Buffer,
): Promise<AgreementRow | undefined> {
  return query
    .selectFrom('agreements')
    .select(['asked_at as askedAt', 'expires_at as expiresAt', 'agreed_at as agreedAt'])
    .where('team_id', '=', teamId)
    .where('address_hash', '=', hash)
    .executeTakeFirst()
}

/** Records a request to an address; false if it was asked before and its link still works. */
export async function insertAgreement(
  query: Query,
  asked: { teamId: number; addressHash: Buffer; linkHash: Buffer; askedAt: Date; expiresAt: Date },
): Promise<boolean> {
  const values = { link_hash: asked.linkHash, asked_at: asked.askedAt, expires_at: asked.expiresAt }
  const row = await query
    .insertInto('agreements')
    .values({ team_id: asked.teamId, address_hash: asked.addressHash, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'address_hash'])
        .doUpdateSet(values)
        .where('agreements.agreed_at', 'is', null)
        .where('agreements.expires_at', '<=', asked.askedAt),
    )
    .returning('team_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function findAgreementLink(
  query: Query,
  linkHash: Buffer,
  now: Date,
): Promise<{ teamName: string; hasAgreed: boolean } | null> {
  const row = await query
    .selectFrom('agreements as a')
    .innerJoin('teams as t', 't.id', 'a.team_id')
    .select(['t.name as teamName', 'a.agreed_at as agreedAt'])
    .where('a.link_hash', '=', linkHash)
    .where('a.expires_at', '>', now)
    .executeTakeFirst()
  return row ? { teamName: row.teamName, hasAgreed: row.agreedAt !== null } : null
}

/** Records the agreement and releases the team's contacts that waited for it; false if the link is invalid. */
export async function agreeByLink(query: Query, linkHash: Buffer, now: Date): Promise<boolean> {
  const row = await query
    .updateTable('agreements')
    .set({ agreed_at: sql<Date>`coalesce(agreed_at, ${now})` })
    .where('link_hash', '=', linkHash)
    .where('expires_at', '>', now)
    .returning(['team_id as teamId', 'address_hash as hash'])
    .executeTakeFirst()
  if (!row) return false
  await releaseContacts(query, row.teamId, row.hash)
  return true
}

/** Lets the team's contacts with this address receive alerts. */
export async function releaseContacts(query: Query, teamId: number, hash: Buffer): Promise<void> {
  await sql`
    WITH held AS (
      SELECT id FROM contacts WHERE team_id = ${teamId} AND unagreed_hash = ${hash} ORDER BY id FOR NO KEY UPDATE)
    UPDATE contacts c SET unagreed_hash = NULL FROM held WHERE c.id = held.id`.execute(query)
}
