import { type RawBuilder, sql } from 'kysely'
import { SUBJECT_KINDS, type SubjectKind } from '../../core/maintenance/subject-kind.ts'
import { isOver } from '../../core/status-pages/post.ts'
import type { DownComponent } from '../../core/status-pages/posts/automatic-post.ts'
import type { Query } from '../../postgres/database.ts'
import { INCIDENT_COLUMNS, INCIDENT_TABLES } from '../incidents/incident-ref.ts'
import type { PostRecord } from './posts.ts'

/**
 * Incidents of a kind `i` of a subject `v` that count as outages, and when the outage began. One of a server or a site may have
 * several, for its conditions or areas, and one may follow another without an interruption: it began with the first, as the
 * state `t` says.
 */
const OUTAGES = {
  monitor: { counts: sql`true`, state: sql``, since: sql`i.started_at` },
  server: {
    counts: sql`NOT i.warns_only`,
    state: sql`JOIN server_state t ON t.server_id = v.id`,
    since: sinceDown(),
  },
  site: {
    // An area that is snoozed does not show on pages, either.
    counts: sql`NOT EXISTS (SELECT FROM site_areas a
      WHERE a.site_id = i.site_id AND a.area = i.area AND a.snoozed_until > now())`,
    state: sql`LEFT JOIN LATERAL (SELECT c.status, c.at AS status_since FROM site_status_changes c
      WHERE c.site_id = v.id ORDER BY c.at DESC LIMIT 1) t ON true`,
    since: sinceDown(),
  },
} satisfies Record<SubjectKind, Record<'counts' | 'state' | 'since', RawBuilder<unknown>>>

function sinceDown(): RawBuilder<unknown> {
  return sql`LEAST(i.started_at, CASE WHEN t.status = 'down' THEN t.status_since END)`
}

function namesOf(kind: SubjectKind) {
  return {
    subjects: sql.table(`${kind}s`),
    subjectId: sql.ref(`${kind}_id`),
    incidents: sql.table(INCIDENT_TABLES[kind]),
    links: sql.table(`status_post_${INCIDENT_TABLES[kind]}`),
    incidentId: sql.ref(INCIDENT_COLUMNS[kind]),
    ...OUTAGES[kind],
  }
}

/** Published pages about which something is to be written: incidents without a post, and posts whose incidents end. */
export async function listPagesToPost(
  query: Query,
  downSince: Date,
): Promise<{ pageId: number; teamId: number }[]> {
  const { rows } = await sql<{ pageId: number; teamId: number }>`
    ${eachKind((kind) => untoldPages(kind, downSince), sql` UNION `)}
    UNION
    SELECT s.page_id, s.team_id FROM status_posts s
    WHERE s.is_automatic AND s.resolved_at IS NULL
      AND (${eachKind(hasResolved, sql` OR `)})
    ORDER BY 1`.execute(query)
  return rows
}

function eachKind(make: (kind: SubjectKind) => RawBuilder<unknown>, between: RawBuilder<unknown>) {
  return sql.join(SUBJECT_KINDS.map(make), between)
}

function untoldPages(kind: SubjectKind, downSince: Date): RawBuilder<unknown> {
  const { subjects, subjectId, incidents, links, incidentId, counts, state, since } = namesOf(kind)
  return sql`SELECT p.id AS "pageId", p.team_id AS "teamId"
    FROM ${incidents} i
    JOIN ${subjects} v ON v.id = i.${subjectId} AND v.deleted_at IS NULL
    ${state}
    JOIN status_components c ON c.${subjectId} = v.id
    JOIN status_pages p ON p.id = c.page_id AND p.team_id = i.team_id AND p.is_published
    WHERE i.resolved_at IS NULL AND ${counts} AND ${since} <= ${downSince}
      AND NOT EXISTS (SELECT FROM ${links} l WHERE l.page_id = p.id AND l.${incidentId} = i.id)`
}

function hasResolved(kind: SubjectKind): RawBuilder<unknown> {
  const { incidents, links, incidentId } = namesOf(kind)
  return sql`EXISTS (SELECT FROM ${links} l JOIN ${incidents} i ON i.id = l.${incidentId}
    WHERE l.post_id = s.id AND i.resolved_at IS NOT NULL)`
}

/** Incidents that a subject has more of while it is down belong to the outage, which has its post already. */
export async function joinOutages(query: Query, pageId: number): Promise<void> {
  for (const kind of SUBJECT_KINDS) {
    const { subjectId, incidents, links, incidentId, counts } = namesOf(kind)
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
    ${eachKind((kind) => downOf(kind, pageId, downSince), sql` UNION ALL `)}
    ORDER BY 1`.execute(query)
  return rows
}

function downOf(kind: SubjectKind, pageId: number, downSince: Date): RawBuilder<unknown> {
  const { subjects, subjectId, incidents, links, incidentId, counts, state, since } = namesOf(kind)
  return sql`SELECT c.id, c.name, ${sql.lit(kind)} AS kind, json_agg(i.id ORDER BY i.id) AS "incidentIds",
      min(${since}) AS "startedAt", bool_and(l.${incidentId} IS NULL) AS "isNew"
    FROM status_components c
    JOIN ${subjects} v ON v.id = c.${subjectId} AND v.deleted_at IS NULL
    ${state}
    JOIN ${incidents} i ON i.${subjectId} = v.id AND i.resolved_at IS NULL AND ${counts}
    LEFT JOIN ${links} l ON l.page_id = c.page_id AND l.${incidentId} = i.id
    WHERE c.page_id = ${pageId}
    GROUP BY c.id
    HAVING min(${since}) <= ${downSince}`
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
  for (const kind of SUBJECT_KINDS) {
    const { links, incidentId } = namesOf(kind)
    await sql`INSERT INTO ${links} (page_id, ${incidentId}, post_id)
      SELECT ${pageId}::int, id, ${postId}::int FROM unnest(${idsOf(kind)}::bigint[]) AS id
      ON CONFLICT DO NOTHING`.execute(query)
  }
}
