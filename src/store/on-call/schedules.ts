import { sql } from 'kysely'
import type { Participant, Schedule } from '../../core/on-call/schedule.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { insertRecord, updateRecord } from '../records.ts'
import { listOverrides, type OverrideRecord } from './overrides.ts'

/** A schedule with what `who` (core/on-call) asks for. A participant whose contacts were deleted has none. */
export type ScheduleRecord = Schedule & { id: number; overrides: OverrideRecord[]; createdAt: Date }

/** The schedules of a team by name, with the overrides that end after an instant. */
export async function listSchedules(
  query: Query,
  teamId: number,
  overridesAfter: Date,
): Promise<ScheduleRecord[]> {
  const rows = await selectSchedules(query, teamId)
    .orderBy(sql`lower(name) COLLATE "C"`)
    .orderBy('id')
    .execute()
  return withParts(query, rows, overridesAfter)
}

/** The schedule comes with all of its overrides. */
export async function findSchedule(query: Query, teamId: number, id: number): Promise<ScheduleRecord | null> {
  const rows = await selectSchedules(query, teamId).where('id', '=', id).execute()
  return (await withParts(query, rows, null))[0] ?? null
}

/** Locks a schedule until the transaction ends, so that its changes come one after another; null if it is gone. */
export async function lockSchedule(query: Query, teamId: number, id: number): Promise<ScheduleRecord | null> {
  const locked = await selectSchedules(query, teamId).where('id', '=', id).forNoKeyUpdate().execute()
  return (await withParts(query, locked, null))[0] ?? null
}

export async function countSchedules(query: Query, teamId: number): Promise<number> {
  const { count } = await query
    .selectFrom('schedules')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertSchedule(query: Query, teamId: number, schedule: Schedule): Promise<number> {
  const { name, time_zone, layers, participants } = schedule
  const columns = { name, time_zone, layers: JSON.stringify(layers) }
  const id = await insertRecord(query, 'schedules', teamId, () => columns)
  await writeParticipants(query, teamId, id, participants)
  return id
}

/** Writes all fields of a locked schedule. Participants that are missing go, with their overrides. */
export async function updateSchedule(
  query: Query,
  teamId: number,
  id: number,
  { name, time_zone, layers, participants }: Schedule,
): Promise<void> {
  const columns = { name, time_zone, layers: JSON.stringify(layers) }
  await updateRecord(query, 'schedules', { teamId, id }, columns)
  const keys = participants.map(({ key }) => key)
  await sql`DELETE FROM schedule_participants
    WHERE team_id = ${teamId} AND schedule_id = ${id} AND key <> ALL(${keys}::int[])`.execute(query)
  await query.deleteFrom('schedule_participant_contacts').where('schedule_id', '=', id).execute()
  await writeParticipants(query, teamId, id, participants)
}

/** Contacts and members of the team only: others are left out. */
async function writeParticipants(
  query: Query,
  teamId: number,
  scheduleId: number,
  participants: readonly Participant[],
): Promise<void> {
  const written = JSON.stringify(participants)
  await sql`INSERT INTO schedule_participants (schedule_id, key, team_id, position, name, user_id)
    SELECT ${scheduleId}::int, (p ->> 'key')::int, ${teamId}::int, place, p ->> 'name',
      (SELECT m.user_id FROM members m WHERE m.team_id = ${teamId} AND m.user_id = (p ->> 'user_id')::int)
    FROM jsonb_array_elements(${written}::jsonb) WITH ORDINALITY AS given (p, place)
    ON CONFLICT (schedule_id, key) DO UPDATE
    SET position = excluded.position, name = excluded.name, user_id = excluded.user_id`.execute(query)
  await sql`INSERT INTO schedule_participant_contacts (schedule_id, participant, contact_id, position)
    SELECT ${scheduleId}::int, (p ->> 'key')::int, c.id, min(place)
    FROM jsonb_array_elements(${written}::jsonb) AS p,
      jsonb_array_elements_text(p -> 'contact_ids') WITH ORDINALITY AS named (id, place)
      JOIN contacts c ON c.team_id = ${teamId} AND c.id = named.id::int
    GROUP BY p ->> 'key', c.id`.execute(query)
}

function selectSchedules(query: Query, teamId: number) {
  return query
    .selectFrom('schedules')
    .select(['id', 'name', 'time_zone', 'layers', 'created_at as createdAt'])
    .where('team_id', '=', teamId)
}

type ScheduleRow = Omit<ScheduleRecord, 'participants' | 'overrides'>

/** The participants and overrides of rows that were read by their team. */
async function withParts(
  query: Query,
  rows: ScheduleRow[],
  overridesAfter: Date | null,
): Promise<ScheduleRecord[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const { rows: participants } = await sql<Participant & { schedule_id: number }>`
    SELECT p.schedule_id, p.key, p.name, p.user_id,
      ARRAY(SELECT c.contact_id FROM schedule_participant_contacts c
            WHERE c.schedule_id = p.schedule_id AND c.participant = p.key ORDER BY c.position, c.contact_id) AS contact_ids
    FROM schedule_participants p WHERE p.schedule_id = ${anyOf(ids)} ORDER BY p.position, p.key`.execute(
    query,
  )
  const bySchedule = Map.groupBy(participants, ({ schedule_id }) => schedule_id)
  const overrides = Map.groupBy(
    await listOverrides(query, ids, overridesAfter),
    ({ scheduleId }) => scheduleId,
  )
  return rows.map((row) => ({
    ...row,
    participants: (bySchedule.get(row.id) ?? []).map(({ schedule_id, ...participant }) => participant),
    overrides: overrides.get(row.id) ?? [],
  }))
}
