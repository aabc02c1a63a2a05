import { type RawBuilder, sql } from 'kysely'
import type { SubjectKind } from '../../core/maintenance/window.ts'
import { keysOf } from '../../core/shape.ts'
import { isOver } from '../../core/status-pages/post.ts'
import type { DownComponent } from '../../core/status-pages/posts/automatic-post.ts'
import type { Query } from '../../postgres/database.ts'
import type { PostRecord } from './posts.ts'

/** Subjects whose outage may have several incidents: one for each condition of a server, or area of a site. */
const MANIFOLD = {
  server: {
    ...namesOf('server'),
    counts: sql`NOT i.warns_only`,
    state: sql`JOIN server_state t ON t.server_id = v.id`,
  },
  site: {
    ...namesOf('site'),
    // An area that is snoozed does not show on pages, either.
    counts: sql`NOT EXISTS (SELECT FROM site_areas a
      WHERE a.site_id = i.site_id AND a.area = i.area AND a.snoozed_until > now())`,
    state: sql`LEFT JOIN LATERAL (SELECT c.status, c.at AS status_since FROM site_status_changes c
      WHERE c.site_id = v.id ORDER BY c.at DESC LIMIT 1) t ON true`,
  },
}
type Manifold = keyof typeof MANIFOLD
const MANIFOLD_KINDS = keysOf(MANIFOLD)

function namesOf(kind: Exclude<SubjectKind, 'monitor'>) {
  return {
    subjects: sql.table(`${kind}s`),
    subjectId: sql.ref(`${kind}_id`),
    incidents: sql.table(`${kind}_incidents`),
    links: sql.table(`status_post_${kind}_incidents`),
    incidentId: sql.ref(`${kind}_incident_id`),
  }
}

/** One incident may follow another without an interruption of the outage, which began with the first. */
const DOWN_SINCE = sql`LEAST(i.started_at, CASE WHEN t.status = 'down' THEN t.status_since END)`

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
    ${eachKind((kind) => sql`UNION ${untoldPages(kind, downSince)}`)}
    UNION
    SELECT s.page_id, s.team_id FROM status_posts s
    WHERE s.is_automatic AND s.resolved_at IS NULL
      AND (EXISTS (SELECT FROM status_post_incidents l JOIN incidents i ON i.id = l.incident_id
          WHERE l.post_id = s.id AND i.resolved_at IS NOT NULL)
        ${eachKind((kind) => sql`OR ${hasResolved(kind)}`)})
    ORDER BY 1`.execute(query)
  return rows
}

function eachKind(make: (kind: Manifold) => RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(MANIFOLD_KINDS.map(make), sql` `)
}

function untoldPages(kind: Manifold, downSince: Date): RawBuilder<unknown> {
  const { subjects, subjectId, incidents, links, incidentId, counts, state } = MANIFOLD[kind]
  return sql`SELECT p.id, p.team_id
    FROM ${incidents} i
    JOIN ${subjects} v ON v.id = i.${subjectId} AND v.deleted_at IS NULL
    ${state}
    JOIN status_components c ON c.${subjectId} = v.id
    JOIN status_pages p ON p.id = c.page_id AND p.team_id = i.team_id AND p.is_published
    WHERE i.resolved_at IS NULL AND ${counts} AND ${DOWN_SINCE} <= ${downSince}
      AND NOT EXISTS (SELECT FROM ${links} l WHERE l.page_id = p.id AND l.${incidentId} = i.id)`
}

function hasResolved(kind: Manifold): RawBuilder<unknown> {
  const { incidents, links, incidentId } = MANIFOLD[kind]
  return sql`EXISTS (SELECT FROM ${links} l JOIN ${incidents} i ON i.id = l.${incidentId}
    WHERE l.post_id = s.id AND i.resolved_at IS NOT NULL)`
}

/** Incidents that a subject has more of while it is down belong to the outage, which has its post already. */
export async function joinOutages(query: Query, pageId: number): Promise<void> {
  for (const kind of MANIFOLD_KINDS) {
    const { subjectId, incidents, links, incidentId, counts } = MANIFOLD[kind]
    await sql`INSERT INTO ${links} (page_id, ${incidentId}, post_id)
      SELECT DISTINCT ON (i.id) l.page_id, i.id, l.post_id
      FROM ${links} l
      JOIN ${incidents} told ON told.id = l.${incidentId} AND told.resolved_at IS NULL
      JOIN ${incidents} i ON i.${subjectId} = told.${subjectId} AND i.resolved_at IS NULL AND ${counts}
      WHERE l.page_id = ${pageId}
      ORDER BY i.id, told.id
      ON CONFLICT DO NOTHING`.execute(query)
  }
}

/** Components whose subjects are down since then, in the order of their ids. */
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
    ${eachKind((kind) => sql`UNION ALL ${downOf(kind, pageId, downSince)}`)}
    ORDER BY 1`.execute(query)
  return rows
}

function downOf(kind: Manifold, pageId: number, downSince: Date): RawBuilder<unknown> {
  const { subjects, subjectId, incidents, links, incidentId, counts, state } = MANIFOLD[kind]
  return sql`SELECT c.id, c.name, ${sql.lit(kind)}, json_agg(i.id ORDER BY i.id), min(${DOWN_SINCE}),
      bool_and(l.${incidentId} IS NULL)
    FROM status_components c
    JOIN ${subjects} v ON v.id = c.${subjectId} AND v.deleted_at IS NULL
    ${state}
    JOIN ${incidents} i ON i.${subjectId} = v.id AND i.resolved_at IS NULL AND ${counts}
    LEFT JOIN ${links} l ON l.page_id = c.page_id AND l.${incidentId} = i.id
    WHERE c.page_id = ${pageId}
    GROUP BY c.id
    HAVING min(${DOWN_SINCE}) <= ${downSince}`
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
  for (const kind of MANIFOLD_KINDS) {
    const { links, incidentId } = MANIFOLD[kind]
    await sql`INSERT INTO ${links} (page_id, ${incidentId}, post_id)
      SELECT ${pageId}::int, id, ${postId}::int FROM unnest(${idsOf(kind)}::bigint[]) AS id
      ON CONFLICT DO NOTHING`.execute(query)
  }
}
