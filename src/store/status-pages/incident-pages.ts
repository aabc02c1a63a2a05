import { sql } from 'kysely'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { IncidentPage } from '../../core/status-pages/shown-post.ts'
import type { Query } from '../../postgres/database.ts'

/** The pages of a team that show the monitor of an incident, by name, with the post that tells of it. */
export async function listIncidentPages(
  query: Query,
  teamId: number,
  incident: { id: number; monitorId: number },
): Promise<IncidentPage[]> {
  return query
    .selectFrom('status_pages as p')
    .leftJoin('incident_posts as l', (join) =>
      join
        .onRef('l.page_id', '=', 'p.id')
        .on('l.kind', '=', 'monitor')
        .on('l.team_incident_id', '=', incident.id),
    )
    .select(['p.id', 'p.name', 'l.post_id'])
    .where('p.team_id', '=', teamId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('status_components as c')
          .select('c.id')
          .whereRef('c.page_id', '=', 'p.id')
          .where('c.kind', '=', 'monitor')
          .where('c.subject_id', '=', incident.monitorId),
      ),
    )
    .orderBy(sql`lower(p.name) COLLATE "C"`)
    .orderBy('p.id')
    .execute()
}

/** The names of the published pages of a team that show a subject. */
export async function listPagesShowing(
  query: Query,
  teamId: number,
  { kind, id }: SubjectRef,
): Promise<string[]> {
  const pages = await query
    .selectFrom('status_pages as p')
    .select('p.name')
    .where('p.team_id', '=', teamId)
    .where('p.is_published', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('status_components as c')
          .select('c.id')
          .whereRef('c.page_id', '=', 'p.id')
          .where('c.kind', '=', kind)
          .where('c.subject_id', '=', id),
      ),
    )
    .orderBy(sql`lower(p.name) COLLATE "C"`)
    .orderBy('p.id')
    .execute()
  return pages.map(({ name }) => name)
}
