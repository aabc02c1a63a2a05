import { type Insertable, sql } from 'kysely'
import { keysOf, pick } from '../../core/shape.ts'
import { StatusPage } from '../../core/status-pages/status-page.ts'
import type { Query } from '../../postgres/database.ts'
import type { Tables } from '../../postgres/tables.ts'
import { changeNotification } from '../news.ts'
import { updateRecord } from '../records.ts'

/** Wakes processes that keep rendered pages; the payload is the id of a page that changed, or is gone. */
export const STATUS_PAGES_CHANNEL = 'upbeat_status_pages'

/** A page without its secrets and without the bytes of its logo. */
export type PageRecord = StatusPage & {
  id: number
  teamId: number
  isPublished: boolean
  hasPassword: boolean
  /** Goes up when what was entered with an earlier password ends. */
  passwordRevision: number
  hasFeedToken: boolean
  logoType: string | null
  /** Changes with the logo; null without one. */
  logoTag: string | null
  revision: number
  createdAt: Date
  updatedAt: Date
}

const SETTINGS = keysOf(StatusPage.shape)
const UNIQUE_VIOLATION = '23505'

export function selectPages(query: Query) {
  return query
    .selectFrom('status_pages as p')
    .select(SETTINGS.map((column) => `p.${column}` as const))
    .select(['p.id', 'p.team_id as teamId', 'p.is_published as isPublished', 'p.revision'])
    .select(['p.password_revision as passwordRevision', 'p.logo_type as logoType'])
    .select(['p.created_at as createdAt', 'p.updated_at as updatedAt'])
    .select(sql<boolean>`p.password_hash IS NOT NULL`.as('hasPassword'))
    .select(sql<boolean>`p.feed_token IS NOT NULL`.as('hasFeedToken'))
    .select(sql<string | null>`left(encode(sha256(p.logo), 'hex'), 16)`.as('logoTag'))
}

/** Status pages by name. */
export async function listPages(query: Query, teamId: number): Promise<PageRecord[]> {
  return selectPages(query)
    .where('p.team_id', '=', teamId)
    .orderBy(sql`lower(p.name) COLLATE "C"`)
    .orderBy('p.id')
    .execute()
}

export async function findPage(query: Query, teamId: number, pageId: number): Promise<PageRecord | null> {
  const page = await selectPages(query)
    .where('p.team_id', '=', teamId)
    .where('p.id', '=', pageId)
    .executeTakeFirst()
  return page ?? null
}

/** The page of any team, to be shown to visitors. */
export async function readPage(query: Query, pageId: number): Promise<PageRecord | null> {
  return (await selectPages(query).where('p.id', '=', pageId).executeTakeFirst()) ?? null
}

/** The page of a team, locked until the transaction ends, so that its changes come one after another. */
export async function lockPage(query: Query, teamId: number, pageId: number): Promise<PageRecord | null> {
  const page = await selectPages(query)
    .where('p.team_id', '=', teamId)
    .where('p.id', '=', pageId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return page ?? null
}

export async function countPages(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('status_pages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return count
}

/** The caller says that it changed (`pageChanged`). Null if another page of the service has the slug. */
export async function insertPage(query: Query, teamId: number, page: StatusPage): Promise<number | null> {
  const row = await query
    .insertInto('status_pages')
    .values({ ...page, team_id: teamId } satisfies Insertable<Tables['status_pages']>)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Writes settings of a locked page. False if another page of the service has the slug: the transaction is void then. */
export async function updatePage(
  query: Query,
  teamId: number,
  pageId: number,
  settings: Partial<StatusPage>,
): Promise<boolean> {
  const columns = pick(settings, SETTINGS)
  if (Object.keys(columns).length === 0) return true
  try {
    await updateRecord(query, 'status_pages', { teamId, id: pageId }, columns)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return false
    throw error
  }
}

export async function publishPage(
  query: Query,
  teamId: number,
  pageId: number,
  isPublished: boolean,
): Promise<void> {
  await updateRecord(query, 'status_pages', { teamId, id: pageId }, { is_published: isPublished })
}

/** The page goes, with everything of it. */
export async function deletePage(query: Query, teamId: number, pageId: number): Promise<void> {
  await query
    .deleteFrom('status_pages')
    .where('team_id', '=', teamId)
    .where('id', '=', pageId)
    .returning(notifications(teamId, pageId))
    .execute()
}

/** Tells every process, when the transaction commits, that what a page shows changed. */
export async function pageChanged(query: Query, teamId: number, pageId: number): Promise<void> {
  await query
    .updateTable('status_pages')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1), updated_at: sql<Date>`now()` }))
    .where('team_id', '=', teamId)
    .where('id', '=', pageId)
    .returning(notifications(teamId, pageId))
    .execute()
}

function notifications(teamId: number, pageId: number) {
  return [
    changeNotification(teamId, 'status_pages').as('notified'),
    sql`pg_notify(${STATUS_PAGES_CHANNEL}, ${String(pageId)})`.as('woken'),
  ]
}
