import { sql } from 'kysely'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { IncidentPage } from '../../core/status-pages/shown-post.ts'
import type { Query } from '../../postgres/database.ts'
import type { IncidentRef } from '../incidents/incident-ref.ts'

/** The pages of a team that show the subject of an incident, by name, with the post that tells of it. */
export async function listIncidentPages(
  query: Query,
  teamId: number,
  { kind, id }: IncidentRef,
): Promise<IncidentPage[]> {
  return query
    .selectFrom('team_incidents as i')
    .innerJoin('status_pages as p', 'p.team_id', 'i.team_id')
    .leftJoin('incident_posts as l', (join) =>
      join
        .onRef('l.page_id', '=', 'p.id')
        .onRef('l.kind', '=', 'i.kind')
        .onRef('l.team_incident_id', '=', 'i.id'),
    )
    .select(['p.id', 'p.name', 'l.post_id'])
    .where('i.team_id', '=', teamId)
    .where('i.kind', '=', kind)
    .where('i.id', '=', id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('status_components as c')
          .select('c.id')
          .whereRef('c.page_id', '=', 'p.id')
          .whereRef('c.kind', '=', 'i.kind')
          .whereRef('c.subject_id', '=', 'i.subject_id'),
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
