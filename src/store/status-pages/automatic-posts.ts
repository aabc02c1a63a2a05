import { sql } from 'kysely'
import type { SubjectKind } from '../../core/maintenance/window.ts'
import { isOver } from '../../core/status-pages/post.ts'
import type { DownComponent } from '../../core/status-pages/posts/automatic-post.ts'
import type { Query } from '../../postgres/database.ts'
import type { PostRecord } from './posts.ts'

/** One condition may follow another without an interruption of the outage, which began with the first. */
const SERVER_DOWN_SINCE = sql`LEAST(i.started_at, CASE WHEN t.status = 'down' THEN t.status_since END)`

/** Published pages about which something is to be written: incidents without a post, and posts whose incidents end. */
export async function listPagesToPost(
  query: Query,
  downSince: Date,
): Promise<{ pageId: number; teamId: number }[]> {
  const { rows } = await sql<{ pageId: number; teamId: number }>`
    SELECT p.id AS "pageId", p.team_id AS "teamId"
    FROM incidents i
    JOIN monitors m ON m.id = i.monitor_id AND m.deleted_at IS NULL
    JOIN status_components c ON c.monitor_id = i.monitor_id
    JOIN status_pages p ON p.id = c.page_id AND p.team_id = i.team_id AND p.is_published
    WHERE i.resolved_at IS NULL AND i.started_at <= ${downSince}
      AND NOT EXISTS (SELECT FROM status_post_incidents l WHERE l.page_id = p.id AND l.incident_id = i.id)
    UNION
    SELECT p.id, p.team_id
    FROM server_incidents i
    JOIN servers v ON v.id = i.server_id AND v.deleted_at IS NULL
    JOIN server_state t ON t.server_id = v.id
    JOIN status_components c ON c.server_id = v.id
    JOIN status_pages p ON p.id = c.page_id AND p.team_id = i.team_id AND p.is_published
    WHERE i.resolved_at IS NULL AND NOT i.warns_only AND ${SERVER_DOWN_SINCE} <= ${downSince}
      AND NOT EXISTS (SELECT FROM status_post_server_incidents l
        WHERE l.page_id = p.id AND l.server_incident_id = i.id)
    UNION
    SELECT s.page_id, s.team_id FROM status_posts s
    WHERE s.is_automatic AND s.resolved_at IS NULL
      AND (EXISTS (SELECT FROM status_post_incidents l JOIN incidents i ON i.id = l.incident_id
          WHERE l.post_id = s.id AND i.resolved_at IS NOT NULL)
        OR EXISTS (SELECT FROM status_post_server_incidents l JOIN server_incidents i ON i.id = l.server_incident_id
          WHERE l.post_id = s.id AND i.resolved_at IS NOT NULL))
    ORDER BY 1`.execute(query)
  return rows
}

/** Conditions that a server comes into while it is down belong to the outage, which has its post already. */
export async function joinServerOutages(query: Query, pageId: number): Promise<void> {
  await sql`INSERT INTO status_post_server_incidents (page_id, server_incident_id, post_id)
    SELECT DISTINCT ON (i.id) l.page_id, i.id, l.post_id
    FROM status_post_server_incidents l
    JOIN server_incidents told ON told.id = l.server_incident_id AND told.resolved_at IS NULL
    JOIN server_incidents i ON i.server_id = told.server_id AND i.resolved_at IS NULL AND NOT i.warns_only
    WHERE l.page_id = ${pageId}
    ORDER BY i.id, told.id
    ON CONFLICT DO NOTHING`.execute(query)
}

/** Components whose monitors or servers are down since then, in the order of their ids. */
export async function listDownComponents(
  query: Query,
  pageId: number,
  downSince: Date,
): Promise<DownComponent[]> {
  const { rows } = await sql<DownComponent>`
    SELECT c.id, c.name, 'monitor' AS kind, json_build_array(i.id) AS "incidentIds", i.started_at AS "startedAt",
      NOT EXISTS (SELECT FROM status_post_incidents l WHERE l.page_id = c.page_id AND l.incident_id = i.id) AS "isNew"
    FROM status_components c
    JOIN monitors m ON m.id = c.monitor_id AND m.deleted_at IS NULL
    JOIN incidents i ON i.monitor_id = m.id AND i.resolved_at IS NULL
    WHERE c.page_id = ${pageId} AND i.started_at <= ${downSince}
    UNION ALL
    SELECT c.id, c.name, 'server', json_agg(i.id ORDER BY i.id), min(${SERVER_DOWN_SINCE}),
      bool_and(l.server_incident_id IS NULL)
    FROM status_components c
    JOIN servers v ON v.id = c.server_id AND v.deleted_at IS NULL
    JOIN server_state t ON t.server_id = v.id
    JOIN server_incidents i ON i.server_id = v.id AND i.resolved_at IS NULL AND NOT i.warns_only
    LEFT JOIN status_post_server_incidents l ON l.page_id = c.page_id AND l.server_incident_id = i.id
    WHERE c.page_id = ${pageId}
    GROUP BY c.id
    HAVING min(${SERVER_DOWN_SINCE}) <= ${downSince}
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
  const idsOf = (kind: SubjectKind) =>
    down.flatMap((component) => (component.kind === kind ? component.incidentIds : []))
  await sql`INSERT INTO status_post_incidents (page_id, incident_id, post_id)
    SELECT ${pageId}::int, id, ${postId}::int FROM unnest(${idsOf('monitor')}::bigint[]) AS id
    ON CONFLICT DO NOTHING`.execute(query)
  await sql`INSERT INTO status_post_server_incidents (page_id, server_incident_id, post_id)
    SELECT ${pageId}::int, id, ${postId}::int FROM unnest(${idsOf('server')}::bigint[]) AS id
    ON CONFLICT DO NOTHING`.execute(query)
}
