import { sql } from 'kysely'
import type { Impact, PostPhase } from '../../core/status-pages/post.ts'
import type { NoticeCounts } from '../../core/status-pages/shown-post.ts'
import type { Query } from '../../postgres/database.ts'
import { keepRecord } from '../deleted-records.ts'

/** An update of a post, and how far its messages are. */
export type UpdateRecord = {
  id: number
  postId: number
  /** The title of its post, which people know it by. */
  title: string
  phase: PostPhase
  body: string
  impacts: Impact[]
  at: Date
  createdAt: Date
  editedAt: Date | null
}

/** In the order of their times. */
export async function listUpdates(query: Query, postId: number): Promise<UpdateRecord[]> {
  return selectUpdates(query).where('u.post_id', '=', postId).orderBy('u.at').orderBy('u.id').execute()
}

export async function countUpdates(query: Query, postId: number): Promise<number> {
  const { count } = await query
    .selectFrom('status_updates')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('post_id', '=', postId)
    .executeTakeFirstOrThrow()
  return count
}

export async function findUpdate(
  query: Query,
  teamId: number,
  updateId: number,
): Promise<UpdateRecord | null> {
  const update = await selectUpdates(query)
    .where('p.team_id', '=', teamId)
    .where('u.id', '=', updateId)
    .executeTakeFirst()
  return update ?? null
}

export async function insertUpdate(
  query: Query,
  update: Pick<UpdateRecord, 'postId' | 'phase' | 'body' | 'impacts' | 'at'>,
): Promise<number> {
  const { id } = await query
    .insertInto('status_updates')
    .values({
      post_id: update.postId,
      phase: update.phase,
      body: update.body,
      impacts: asJson(update.impacts),
      at: update.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function editUpdate(
  query: Query,
  updateId: number,
  { impacts, ...changes }: Partial<Pick<UpdateRecord, 'phase' | 'body' | 'impacts' | 'at'>>,
): Promise<void> {
  await query
    .updateTable('status_updates')
    .set({ ...changes, ...(impacts && { impacts: asJson(impacts) }), edited_at: sql<Date>`now()` })
    .where('id', '=', updateId)
    .execute()
}

/** Messages about it that are not sent yet go, too. */
export async function deleteUpdate(query: Query, teamId: number, updateId: number): Promise<void> {
  await keepRecord(query, 'StatusUpdate', { teamId, id: updateId })
  await query.deleteFrom('status_updates').where('id', '=', updateId).execute()
}

/** How far the messages of each update of a post are, those of subscribers that are gone included. */
export async function countNotices(query: Query, postId: number): Promise<Map<number, NoticeCounts>> {
  const { rows } = await sql<NoticeCounts & { id: number }>`
    SELECT u.id, count(*) FILTER (WHERE n.state = 'pending') AS pending,
      u.sent_before + count(*) FILTER (WHERE n.state = 'sent') AS sent,
      u.failed_before + count(*) FILTER (WHERE n.state = 'failed') AS failed
    FROM status_updates u LEFT JOIN status_notices n ON n.update_id = u.id
    WHERE u.post_id = ${postId} GROUP BY u.id`.execute(query)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Ids of the components on a page. */
export async function componentIdsOf(query: Query, pageId: number): Promise<number[]> {
  const rows = await query
    .selectFrom('status_components')
    .select('id')
    .where('page_id', '=', pageId)
    .execute()
  return rows.map(({ id }) => id)
}

function selectUpdates(query: Query) {
  return query
    .selectFrom('status_updates as u')
    .innerJoin('status_posts as p', 'p.id', 'u.post_id')
    .select(['u.id', 'u.post_id as postId', 'p.title', 'u.phase', 'u.body', 'u.impacts', 'u.at'])
    .select(['u.created_at as createdAt', 'u.edited_at as editedAt'])
}

function asJson(impacts: Impact[]) {
  return sql<Impact[]>`${JSON.stringify(impacts)}::jsonb`
}
