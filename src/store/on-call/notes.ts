import { sql } from 'kysely'
import type { IncidentKind } from '../../core/monitors/incidents/incident-kind.ts'
import type { Query } from '../../postgres/database.ts'

/** Adds a note to an incident of the team; the caller has seen that it is the team's. */
export async function insertNote(
  query: Query,
  teamId: number,
  { kind, id }: { kind: IncidentKind; id: number },
  note: { userId: number; text: string },
): Promise<void> {
  await sql`
    INSERT INTO incident_notes (team_id, kind, team_incident_id, user_id, text, written_at)
    VALUES (${teamId}, ${kind}, ${id}, ${note.userId}, ${note.text}, now())`.execute(query)
}

export async function countNotes(
  query: Query,
  teamId: number,
  { kind, id }: { kind: IncidentKind; id: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM incident_notes
    WHERE team_id = ${teamId} AND kind = ${kind} AND team_incident_id = ${id}`.execute(query)
  return rows[0]?.count ?? 0
}
