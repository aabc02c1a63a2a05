import { sql } from 'kysely'
import type { FollowedWindow } from '../../core/maintenance/followed-occurrence.ts'
import type { Query } from '../../postgres/database.ts'
import { listKept } from '../maintenance/occurrences.ts'
import { findWindow } from '../maintenance/windows.ts'
import { updateRecord } from '../records.ts'

const POSTS_PER_ROUND = 500

/** Posts about planned maintenance whose time has come, or whose windows may have changed since they were last followed. */
export async function listPostsToFollow(
  query: Query,
  now: Date,
): Promise<{ id: number; pageId: number; teamId: number }[]> {
  const { rows } = await sql<{ id: number; pageId: number; teamId: number }>`
    SELECT s.id, s.page_id AS "pageId", s.team_id AS "teamId"
    FROM status_posts s JOIN teams t ON t.id = s.team_id
    WHERE s.kind = 'maintenance' AND s.resolved_at IS NULL AND s.phase IN ('scheduled', 'in_progress') AND (
      s.follows_window AND s.window_revision IS DISTINCT FROM t.maintenance_revision
      OR s.published_at IS NOT NULL AND (
        s.phase = 'scheduled' AND s.scheduled_for <= ${now}
        -- A person said after its end that it goes on.
        OR s.phase = 'in_progress' AND s.scheduled_until <= ${now} AND NOT EXISTS (
          SELECT FROM status_updates u WHERE u.post_id = s.id AND u.at >= s.scheduled_until)))
    ORDER BY s.id LIMIT ${POSTS_PER_ROUND}`.execute(query)
  return rows
}

/** How often windows of a team have changed. To be read before the windows, so that a later change is noticed. */
export async function readWindowRevision(query: Query, teamId: number): Promise<number> {
  const { maintenance_revision } = await query
    .selectFrom('teams')
    .select('maintenance_revision')
    .where('id', '=', teamId)
    .executeTakeFirstOrThrow()
  return maintenance_revision
}

/** A window, and what was kept of it for the time of an occurrence. */
export async function readFollowedWindow(
  query: Query,
  teamId: number,
  { windowId, occurrenceAt }: { windowId: number; occurrenceAt: Date },
): Promise<FollowedWindow> {
  const window = await findWindow(query, teamId, windowId)
  return { window, kept: await listKept(query, teamId, occurrenceAt, [windowId]) }
}

/** Remembers what a post was last brought in line with. Nobody sees it, so the post does not count as changed. */
export async function noteFollowed(
  query: Query,
  teamId: number,
  postId: number,
  revision: number,
): Promise<void> {
  await updateRecord(query, 'status_posts', { teamId, id: postId }, { window_revision: revision })
}

/** The post of a page about an occurrence; null if there is none. */
export async function findPostOfOccurrence(
  query: Query,
  pageId: number,
  { windowId, occurrenceAt }: { windowId: number; occurrenceAt: Date },
): Promise<number | null> {
  const row = await query
    .selectFrom('status_posts')
    .select('id')
    .where('page_id', '=', pageId)
    .where('window_id', '=', windowId)
    .where('occurrence_at', '=', occurrenceAt)
    .executeTakeFirst()
  return row?.id ?? null
}
