import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { AskedState } from '../../core/accounts/asked-address.ts'
import type { Connection, Database, Query } from '../../postgres/database.ts'
import { removeSome } from '../../postgres/remove-some.ts'
import { type changeNotification, NEWS_CHANNEL } from '../news.ts'
import { updateRecord } from '../records.ts'
import { hashSecret, type OwnRow, openSecret, sealSecret } from '../sealing/secret-addresses.ts'
import type { Vault } from '../sealing/vault.ts'

type AskedTable = {
  /** The secret address behind the mailed link. */
  link: Parameters<typeof hashSecret>[0]
  news: Parameters<typeof changeNotification>[1]
}

/** Tables of addresses that get mail once they agree. Each has the columns that this file names. */
const ASKED_TABLES = {
  status_subscribers: { link: 'subscription', news: 'status_pages' },
  report_recipients: { link: 'reportMails', news: 'team' },
} as const satisfies Record<string, AskedTable>

export type AskedTableName = keyof typeof ASKED_TABLES

export const ASKED_STATE = sql<AskedState>`CASE WHEN refused_at IS NOT NULL THEN 'refused'
  WHEN confirmed_at IS NOT NULL THEN 'confirmed' ELSE 'unconfirmed' END`

/** A condition on rows of such a table: they get mail. `prefix` is their alias with a dot. */
export function agreed(prefix = ''): RawBuilder<boolean> {
  return sql.raw(`${prefix}confirmed_at IS NOT NULL AND ${prefix}refused_at IS NULL`)
}

/** Hash of an exact address, ignoring case. A plus tag makes another address, which must agree for itself. */
export function addressHash(address: string): Buffer {
  return createHash('sha256').update(address.toLowerCase()).digest()
}

/** The columns of a new address, and of the token of its link. */
export function askedColumns(
  vault: Vault,
  table: AskedTableName,
  id: number,
  asked: { address: string; addressHash: Buffer; token: string; confirmedAt: Date | null },
) {
  const { link } = ASKED_TABLES[table]
  return {
    id,
    address: vault.seal(asked.address, `${table}.address`, id),
    address_hash: asked.addressHash,
    token: sealSecret(vault, link, id, asked.token),
    token_hash: hashSecret(link, asked.token),
    confirmed_at: asked.confirmedAt,
    refused_at: null,
  }
}

/** The hash of the token in a mailed link. */
export function linkHash(table: AskedTableName, token: string): Buffer {
  return hashSecret(ASKED_TABLES[table].link, token)
}

export function openAskedAddress(
  vault: Vault,
  table: AskedTableName,
  { id, address }: { id: number; address: string },
): string {
  return vault.open(address, `${table}.address`, id)
}

export function openAskedToken(
  vault: Vault,
  table: AskedTableName,
  { id, token }: { id: number; token: string },
): string {
  return openSecret(vault, ASKED_TABLES[table].link, id, token)
}

/** Once more changes nothing. Confirming shows that the address is read, so it no longer counts as refusing. */
export async function confirmAddress(
  query: Query,
  table: AskedTableName,
  { teamId, id }: OwnRow,
  at: Date,
): Promise<void> {
  const confirmed = { confirmed_at: sql<Date>`coalesce(confirmed_at, ${at})`, refused_at: null }
  await updateRecord(query, table, { teamId, id }, confirmed)
}

/** Tells the team that a mail was settled. An address that `refuses` gets nothing more until it confirms again. */
export async function noteSettled(
  client: Pick<Connection, 'query'>,
  table: AskedTableName,
  { teamId, id }: OwnRow,
  refuses: boolean,
): Promise<void> {
  await client.query(
    `UPDATE ${table} SET refused_at = CASE WHEN $3 THEN now() ELSE refused_at END WHERE team_id = $1 AND id = $2
     RETURNING pg_notify('${NEWS_CHANNEL}', json_build_object(
       'team_id', team_id, 'event', '${ASKED_TABLES[table].news}', 'data', json_build_object())::text)`,
    [teamId, id, refuses],
  )
}

/** Forgets addresses that were asked before `since` and have not confirmed; true if there may be more. */
export function removeSomeUnconfirmed(db: Database, table: AskedTableName, since: Date): Promise<boolean> {
  return removeSome(db, {
    ...{ table, key: ['id'], order: 'created_at' },
    where: 'confirmed_at IS NULL AND created_at < $1',
    values: [since],
  })
}
