import type { Override } from '../../core/on-call/schedule.ts'
import { anyOf } from '../../postgres/built-statements.ts'
import type { Query } from '../../postgres/database.ts'
import { changeNotification } from '../news.ts'

export type OverrideRecord = {
  id: number
  scheduleId: number
  participant: number
  startsAt: Date
  endsAt: Date
}

/** Those of schedules, oldest first, so that the last of two that overlap is the one that was added last. */
export async function listOverrides(
  query: Query,
  scheduleIds: number[],
  endingAfter: Date | null,
): Promise<OverrideRecord[]> {
  return query
    .selectFrom('schedule_overrides')
    .select(['id', 'schedule_id as scheduleId', 'participant', 'starts_at as startsAt', 'ends_at as endsAt'])
    .where('schedule_id', '=', anyOf(scheduleIds))
    .$if(endingAfter !== null, (rows) => rows.where('ends_at', '>', endingAfter as Date))
    .orderBy('id')
    .execute()
}

/** The override with the name of its schedule, which an audit line is about. */
export type NamedOverride = { id: number; name: string }

export async function findOverride(query: Query, teamId: number, id: number): Promise<NamedOverride | null> {
  const found = await query
    .selectFrom('schedule_overrides as o')
    .innerJoin('schedules as s', 's.id', 'o.schedule_id')
    .select(['o.id', 's.name'])
    .where('o.team_id', '=', teamId)
    .where('o.id', '=', id)
    .executeTakeFirst()
  return found ?? null
}

/** Adds an override to a locked schedule. */
export async function insertOverride(
  query: Query,
  teamId: number,
  scheduleId: number,
  { participant, starts_at, ends_at }: Override,
): Promise<void> {
  await query
    .insertInto('schedule_overrides')
    .values({ team_id: teamId, schedule_id: scheduleId, participant, starts_at, ends_at })
    .returning(changeNotification(teamId, 'on_call').as('notified'))
    .execute()
}

/** Forgets the overrides of a locked schedule that ended before an instant. */
export async function removeOverridesBefore(
  query: Query,
  teamId: number,
  scheduleId: number,
  before: Date,
): Promise<void> {
  await query
    .deleteFrom('schedule_overrides')
    .where('team_id', '=', teamId)
    .where('schedule_id', '=', scheduleId)
    .where('ends_at', '<', before)
    .execute()
}
