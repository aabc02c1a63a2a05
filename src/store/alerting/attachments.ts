import { sql } from 'kysely'
import { type Attachment, MAX_ATTACHMENTS } from '../../core/alerting/attachment.ts'
import type { Query } from '../../postgres/database.ts'

/** Monitors, servers and sites that have a contact in their lists, by name; none that is deleted. */
export async function listAttachments(
  query: Query,
  teamId: number,
  contactId: number,
): Promise<Attachment[]> {
  const { rows } = await sql<Attachment>`
    SELECT a.* FROM (
      SELECT 'monitor' AS subject, m.id, m.name FROM monitor_contacts c JOIN monitors m ON m.id = c.monitor_id
      WHERE c.contact_id = ${contactId} AND m.team_id = ${teamId} AND m.deleted_at IS NULL
      UNION ALL
      SELECT 'server', s.id, s.name FROM server_contacts c JOIN servers s ON s.id = c.server_id
      WHERE c.contact_id = ${contactId} AND s.team_id = ${teamId} AND s.deleted_at IS NULL
      UNION ALL
      SELECT 'site', w.id, w.name FROM site_contacts c JOIN sites w ON w.id = c.site_id
      WHERE c.contact_id = ${contactId} AND w.team_id = ${teamId} AND w.deleted_at IS NULL
    ) a ORDER BY lower(a.name) COLLATE "C", a.subject, a.id LIMIT ${MAX_ATTACHMENTS}`.execute(query)
  return rows
}
