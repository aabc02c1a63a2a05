import { sql } from 'kysely'
import { type Attachment, MAX_ATTACHMENTS } from '../../core/alerting/attachment.ts'
import type { SubjectKind, SubjectRef } from '../../core/maintenance/subject-kind.ts'
import type { Query } from '../../postgres/database.ts'

/** Subjects that have a contact in their lists, by name; none that is deleted. */
export async function listAttachments(
  query: Query,
  teamId: number,
  contactId: number,
): Promise<Attachment[]> {
  return query
    .selectFrom('subject_contacts as c')
    .innerJoin('subjects as s', (join) =>
      join.onRef('s.kind', '=', 'c.kind').onRef('s.id', '=', 'c.subject_id'),
    )
    .where('c.contact_id', '=', contactId)
    .where('s.team_id', '=', teamId)
    .where('s.deleted_at', 'is', null)
    .select(['s.kind as subject', 's.id', 's.name'])
    .orderBy(sql`lower(s.name) COLLATE "C"`)
    .orderBy('s.kind')
    .orderBy('s.id')
    .limit(MAX_ATTACHMENTS)
    .execute()
}

/** An expression in a statement: how many subjects of a kind that are not deleted have the contact `c`. */
export function attachedTo(kind: SubjectKind) {
  return sql<number>`(SELECT count(*) FROM subject_contacts a JOIN subjects s ON s.kind = a.kind AND s.id = a.subject_id
    WHERE a.contact_id = c.id AND a.kind = ${kind} AND s.team_id = c.team_id AND s.deleted_at IS NULL)`
}

/** The subjects of a team by kind: all, and those without contacts, which alert every one. */
export type Listed = { kind: SubjectKind; all: number; unlisted: number }

export async function countListed(query: Query, teamId: number): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    SELECT s.kind, count(*) AS all, count(*) FILTER (WHERE NOT EXISTS (
      SELECT FROM subject_contacts c WHERE c.kind = s.kind AND c.subject_id = s.id)) AS unlisted
    FROM subjects s WHERE s.team_id = ${teamId} AND s.deleted_at IS NULL GROUP BY s.kind`.execute(query)
  return rows
}

/** An expression in a statement: the ids of the contacts of a subject `s`, in order. */
export function contactIdsOf(kind: SubjectKind) {
  return sql<number[]>`ARRAY(
    SELECT contact_id FROM subject_contacts WHERE kind = ${kind} AND subject_id = s.id ORDER BY 1)`
}

/** Attaches a contact to every subject that has contacts. The others alert every contact anyway. */
export async function attachToExisting(query: Query, teamId: number, contactId: number): Promise<void> {
  await query
    .insertInto('subject_contacts')
    .columns(['kind', 'subject_id', 'contact_id'])
    .expression((eb) =>
      eb
        .selectFrom('subjects as s')
        .where('s.team_id', '=', teamId)
        .where('s.deleted_at', 'is', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('subject_contacts as c')
              .whereRef('c.kind', '=', 's.kind')
              .whereRef('c.subject_id', '=', 's.id'),
          ),
        )
        .select(['s.kind', 's.id', sql<number>`${contactId}::int`.as('contact_id')]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Replaces the whole set of a subject's contacts. */
export async function replaceContacts(
  query: Query,
  subject: SubjectRef,
  contactIds: readonly number[],
): Promise<void> {
  await query
    .deleteFrom('subject_contacts')
    .where('kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .execute()
  await insertContacts(query, subject, contactIds)
}

/** Attaches contacts to a subject that has none yet. */
export async function insertContacts(
  query: Query,
  { kind, id }: SubjectRef,
  contactIds: readonly number[],
): Promise<void> {
  if (contactIds.length === 0) return
  const rows = [...new Set(contactIds)].map((contact_id) => ({ kind, subject_id: id, contact_id }))
  await query.insertInto('subject_contacts').values(rows).execute()
}

/** Adds a contact to locked subjects of its team; returns how many did not have it. */
export async function attachContact(
  query: Query,
  contactId: number,
  kind: SubjectKind,
  ids: readonly number[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO subject_contacts (kind, subject_id, contact_id)
    SELECT ${kind}, id, ${contactId}::int FROM unnest(${ids}::int[]) AS id ON CONFLICT DO NOTHING`.execute(
    query,
  )
  return Number(numAffectedRows)
}

/** Removes a contact from locked subjects; returns how many had it. */
export async function detachContact(
  query: Query,
  contactId: number,
  kind: SubjectKind,
  ids: readonly number[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM subject_contacts
    WHERE contact_id = ${contactId} AND kind = ${kind} AND subject_id = ANY(${ids}::int[])`.execute(query)
  return Number(numAffectedRows)
}
