import { sql } from 'kysely'
import type { LogoType } from '../../core/status-pages/logo/logo.ts'
import type { Query } from '../../postgres/database.ts'
import { updateRecord } from '../records.ts'
import type { OwnRow } from '../sealing/secret-addresses.ts'

/** Null takes the password away. Either way, what was entered before ends. */
export async function replacePagePassword(
  query: Query,
  teamId: number,
  pageId: number,
  hash: string | null,
): Promise<void> {
  const password_revision = sql<number>`password_revision + 1`
  await updateRecord(
    query,
    'status_pages',
    { teamId, id: pageId },
    { password_hash: hash, password_revision },
  )
}

/** The hash of a page's password, to compare one with that somebody enters. */
export async function readPagePassword(
  query: Query,
  { teamId, id }: OwnRow,
): Promise<{ hash: string; revision: number } | null> {
  const row = await query
    .selectFrom('status_pages')
    .select(['password_hash', 'password_revision'])
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.password_hash ? { hash: row.password_hash, revision: row.password_revision } : null
}

/** Null takes the logo away. */
export async function replaceLogo(
  query: Query,
  teamId: number,
  pageId: number,
  logo: { image: Buffer; type: LogoType } | null,
): Promise<void> {
  const columns = { logo: logo?.image ?? null, logo_type: logo?.type ?? null }
  await updateRecord(query, 'status_pages', { teamId, id: pageId }, columns)
}

/** The logo of a page, to be served, and the team that it is of. */
export async function readLogo(
  query: Query,
  pageId: number,
): Promise<{ image: Buffer; type: LogoType; teamId: number } | null> {
  const row = await query
    .selectFrom('status_pages')
    .select(['logo', 'logo_type', 'team_id'])
    .where('id', '=', pageId)
    .executeTakeFirst()
  if (!row?.logo || !row.logo_type) return null
  return { image: row.logo, type: row.logo_type as LogoType, teamId: row.team_id }
}
