import { sql } from 'kysely'
import { isOver } from '../../core/status-pages/post.ts'
import type { DownComponent } from '../../core/status-pages/posts/automatic-post.ts'
import type { Query } from '../../postgres/database.ts'
import type { PostRecord } from './posts.ts'

/** Whether an incident `i` counts as an outage: what only warns does not, nor an area that is snoozed, which pages do not show. */
const COUNTS = sql`NOT i.warns_only AND NOT EXISTS (SELECT FROM site_areas a
  WHERE i.kind = 'site' AND a.site_id = i.subject_id AND a.area = i.about AND a.snoozed_until > now())`
/**
 * When the outage of a subject `v` with an incident `i` began. A subject may have several, for its conditions or areas, and one
 * may follow another without an interruption: it began with the first, as its last change of status `t` says. A monitor has
 * none, and one incident at a time.
 */
const SINCE = sql`LEAST(i.started_at, CASE WHEN t.status = 'down' THEN t.at END)`
const LAST_CHANGE = sql`LEFT JOIN LATERAL (SELECT s.status, s.at FROM subject_status_changes s
  WHERE s.kind = v.kind AND s.subject_id = v.id ORDER BY s.at DESC LIMIT 1) t ON true`

/** The post `l` of a page that tells of an incident `i`. */
const TELLS_OF = sql`l.kind = i.kind AND l.team_incident_id = i.id`

/** Published pages about which something is to be written: incidents without a post, and posts whose incidents end. */
export async function listPagesToPost(
  query: Query,
  downSince: Date,
): Promise<{ pageId: number; teamId: number }[]> {
  const { rows } = await sql<{ pageId: number; teamId: number }>`
    SELECT p.id AS "pageId", p.team_id AS "teamId"
    FROM team_incidents i
    JOIN subjects v ON v.kind = i.kind AND v.id = i.subject_id AND v.deleted_at IS NULL
    ${LAST_CHANGE}
    JOIN status_components c ON c.kind = v.kind AND c.subject_id = v.id
    JOIN status_pages p ON p.id = c.page_id AND p.team_id = i.team_id AND p.is_published
    WHERE i.resolved_at IS NULL AND ${COUNTS} AND ${SINCE} <= ${downSince}
      AND NOT EXISTS (SELECT FROM incident_posts l WHERE l.page_id = p.id AND ${TELLS_OF})
    UNION
    SELECT s.page_id, s.team_id FROM status_posts s
    WHERE s.is_automatic AND s.resolved_at IS NULL
      AND EXISTS (SELECT FROM incident_posts l JOIN team_incidents i ON ${TELLS_OF}
        WHERE l.post_id = s.id AND i.resolved_at IS NOT NULL)
    ORDER BY 1`.execute(query)
  return rows
}

/** Incidents that a subject has more of while it is down belong to the outage, which has its post already. */
export async function joinOutages(query: Query, pageId: number): Promise<void> {
  await sql`INSERT INTO incident_posts (page_id, kind, team_incident_id, post_id)
    SELECT DISTINCT ON (i.kind, i.id) l.page_id, i.kind, i.id, l.post_id
    FROM incident_posts l
    JOIN team_incidents told ON told.kind = l.kind AND told.id = l.team_incident_id AND told.resolved_at IS NULL
    JOIN team_incidents i ON i.kind = told.kind AND i.subject_id = told.subject_id AND i.resolved_at IS NULL AND ${COUNTS}
    WHERE l.page_id = ${pageId}
    ORDER BY i.kind, i.id, told.id
    ON CONFLICT DO NOTHING`.execute(query)
}

/** Components whose subjects are down since then, in the order of their ids. */
export async function listDownComponents(
  query: Query,
  pageId: number,
  downSince: Date,
): Promise<DownComponent[]> {
  const { rows } = await sql<DownComponent>`
    SELECT c.id, c.name, c.kind, json_agg(i.id ORDER BY i.id) AS "incidentIds",
      min(${SINCE}) AS "startedAt", bool_and(l.team_incident_id IS NULL) AS "isNew"
    FROM status_components c
    JOIN subjects v ON v.kind = c.kind AND v.id = c.subject_id AND v.deleted_at IS NULL
    ${LAST_CHANGE}
    JOIN team_incidents i ON i.kind = v.kind AND i.subject_id = v.id AND i.resolved_at IS NULL AND ${COUNTS}
    LEFT JOIN incident_posts l ON l.page_id = c.page_id AND ${TELLS_OF}
    WHERE c.page_id = ${pageId}
    GROUP BY c.id
    HAVING min(${SINCE}) <= ${downSince}
    ORDER BY 1`.execute(query)
  return rows
}

/** The post that the service goes on with; null where there is none that is open. */
export async function findAutomaticPost(
  query: Query,
  pageId: number,
): Promise<Pick<PostRecord, 'id' | 'pageId' | 'kind' | 'scheduledFor' | 'publishedAt'> | null> {
  const post = await query
    .selectFrom('status_posts')
    .select(['id', 'page_id as pageId', 'kind', 'scheduled_for as scheduledFor'])
    .select('published_at as publishedAt')
    .where('page_id', '=', pageId)
    .where('is_automatic', '=', true)
    .where('resolved_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return post ?? null
}

/** Open posts of people, and the components that their latest updates name. */
export async function listOwnPosts(
  query: Query,
  pageId: number,
): Promise<{ postId: number; componentIds: number[] }[]> {
  const rows = await query
    .selectFrom('status_posts as p')
    .innerJoin('status_updates as u', 'u.post_id', 'p.id')
    .distinctOn('p.id')
    .select(['p.id as postId', 'p.phase', 'u.impacts'])
    .where('p.page_id', '=', pageId)
    .where('p.is_automatic', '=', false)
    .where('p.kind', '=', 'incident')
    .where('p.resolved_at', 'is', null)
    .orderBy('p.id')
    .orderBy('u.at', 'desc')
    .orderBy('u.id', 'desc')
    .execute()
  return rows
    .filter(({ phase }) => !isOver(phase))
    .map(({ postId, impacts }) => ({ postId, componentIds: impacts.map(({ component_id }) => component_id) }))
}

/** Remembers that a post tells of outages, whatever becomes of the post. */
export async function linkIncidents(
  query: Query,
  { pageId, postId }: { pageId: number; postId: number },
  down: readonly DownComponent[],
): Promise<void> {
  const incidents = down.flatMap(({ kind, incidentIds }) => incidentIds.map((id) => ({ kind, id })))
  await sql`INSERT INTO incident_posts (page_id, kind, team_incident_id, post_id)
    SELECT ${pageId}::int, kind, id, ${postId}::int
    FROM unnest(${incidents.map(({ kind }) => kind)}::text[], ${incidents.map(({ id }) => id)}::bigint[]) AS i (kind, id)
    ON CONFLICT DO NOTHING`.execute(query)
}
