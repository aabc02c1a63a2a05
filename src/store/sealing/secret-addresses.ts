import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Query } from '../../postgres/database.ts'
import type { Tables } from '../../postgres/tables.ts'
import { changeNotification } from '../news.ts'
import type { Vault } from './vault.ts'

/** A secret address has a token, which is stored twice: sealed, to be shown again, and as a hash, which finds its row. */
type StoredToken = {
  table: keyof Tables
  /** The column of the sealed token. That of its hash has the same name with `_hash` behind it. */
  column: string
  /** The column of the team. */
  team: 'team_id' | 'id'
  /** Rows that were deleted stay, and have no address. */
  isDeletable?: true
  /** Tokens that people copy by hand are found in any case. */
  ignoresCase?: true
  /** The news that open pages get when the token is replaced. */
  news?: Parameters<typeof changeNotification>[1]
}

const SECRET_ADDRESSES = {
  switch: { table: 'maintenance_windows', column: 'token', team: 'team_id', isDeletable: true },
  windowsCalendar: { table: 'teams', column: 'calendar_token', team: 'id' },
  scheduleCalendar: { table: 'schedules', column: 'token', team: 'team_id', news: 'on_call' },
  pageFeed: { table: 'status_pages', column: 'feed_token', team: 'team_id' },
  server: {
    ...{ table: 'servers', column: 'token', team: 'team_id', isDeletable: true },
    ...{ ignoresCase: true, news: 'servers' },
  },
  subscription: { table: 'status_subscribers', column: 'token', team: 'team_id' },
  reportMails: { table: 'report_recipients', column: 'token', team: 'team_id' },
} as const satisfies Record<string, StoredToken>

export type SecretAddress = keyof typeof SECRET_ADDRESSES

/** A row of a team. The calendar of its windows is in the row of the team itself. */
export type OwnRow = { teamId: number; id: number }

/** A token has 122 random bits or more, so that a plain hash finds it safely. */
export function hashSecret(address: SecretAddress, token: string): Buffer {
  const { ignoresCase }: StoredToken = SECRET_ADDRESSES[address]
  return createHash('sha256')
    .update(ignoresCase ? token.toLowerCase() : token)
    .digest()
}

export function sealSecret(vault: Vault, address: SecretAddress, id: number, token: string): string {
  return vault.seal(token, purposeOf(address), id)
}

export function openSecret(vault: Vault, address: SecretAddress, id: number, sealed: string): string {
  return vault.open(sealed, purposeOf(address), id)
}

function purposeOf(address: SecretAddress): string {
  const { table, column } = SECRET_ADDRESSES[address]
  return `${table}.${column}`
}

/** The token of a secret address; null while there is none. */
export async function readSecret(
  query: Query,
  vault: Vault,
  address: SecretAddress,
  row: OwnRow,
): Promise<string | null> {
  const { table, column } = SECRET_ADDRESSES[address]
  const { rows } = await sql<{ token: string | null }>`SELECT ${sql.ref(column)} AS token
    FROM ${sql.table(table)} WHERE ${isRow(address, row)}`.execute(query)
  const sealed = rows[0]?.token
  return sealed ? openSecret(vault, address, row.id, sealed) : null
}

/** Null takes the address away; a former one stops working. False if there is no such row. */
export async function replaceSecret(
  query: Query,
  vault: Vault,
  address: SecretAddress,
  row: OwnRow,
  token: string | null,
): Promise<boolean> {
  const { table, column, news }: StoredToken = SECRET_ADDRESSES[address]
  const sealed = token && sealSecret(vault, address, row.id, token)
  const hash = token ? hashSecret(address, token) : null
  const notified = news ? sql`, ${changeNotification(row.teamId, news)}` : sql``
  const { rows } = await sql`UPDATE ${sql.table(table)}
    SET ${sql.ref(column)} = ${sealed}, ${sql.ref(`${column}_hash`)} = ${hash}
    WHERE ${isRow(address, row)} RETURNING id${notified}`.execute(query)
  return rows.length > 0
}

/** The row of a secret address; null if there is none. */
export async function findBySecret(
  query: Query,
  address: SecretAddress,
  token: string,
): Promise<OwnRow | null> {
  const { table, column, team, isDeletable }: StoredToken = SECRET_ADDRESSES[address]
  const { rows } = await sql<OwnRow>`SELECT ${sql.ref(team)} AS "teamId", id FROM ${sql.table(table)}
    WHERE ${sql.ref(`${column}_hash`)} = ${hashSecret(address, token)}
      ${isDeletable ? sql`AND deleted_at IS NULL` : sql``}`.execute(query)
  return rows[0] ?? null
}

function isRow(address: SecretAddress, { teamId, id }: OwnRow) {
  const { team, isDeletable }: StoredToken = SECRET_ADDRESSES[address]
  const isThere = isDeletable ? sql` AND deleted_at IS NULL` : sql``
  return sql`${sql.ref(team)} = ${teamId} AND id = ${id}${isThere}`
}
