import { sql } from 'kysely'
import type { PostTemplate } from '../../core/status-pages/post.ts'
import type { Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'
import { updateRecord } from '../records.ts'

export type TemplateRecord = PostTemplate & { id: number }

/** Templates by name. */
export async function listTemplates(query: Query, teamId: number): Promise<TemplateRecord[]> {
  return selectTemplates(query, teamId).orderBy(sql`lower(name) COLLATE "C"`).orderBy('id').execute()
}

export async function findTemplate(query: Query, teamId: number, id: number): Promise<TemplateRecord | null> {
  return (await selectTemplates(query, teamId).where('id', '=', id).executeTakeFirst()) ?? null
}

export async function countTemplates(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('status_templates')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertTemplate(query: Query, teamId: number, template: PostTemplate): Promise<number> {
  const { id } = await query
    .insertInto('status_templates')
    .values({ ...template, team_id: teamId })
    .returning(['id', changeNotification(teamId, 'status_pages').as('notified')])
    .executeTakeFirstOrThrow()
  return id
}

export async function updateTemplate(
  query: Query,
  teamId: number,
  id: number,
  { name, title, phase, body }: Partial<PostTemplate>,
): Promise<void> {
  await updateRecord(query, 'status_templates', { teamId, id }, { name, title, phase, body })
}

function selectTemplates(query: Query, teamId: number) {
  return query
    .selectFrom('status_templates')
    .select(['id', 'name', 'title', 'phase', 'body'])
    .where('team_id', '=', teamId)
}
