import { Refusal } from '../../core/errors.ts'
import { formatInstant, formatInstantOrNull } from '../../core/instant.ts'
import type {
  OnCallNow,
  OnCallParticipant,
  ScheduleDetail,
  ScheduleRow,
  ShownParticipant,
  ShownShift,
} from '../../core/on-call/shown-schedule.ts'
import { onCallAt, type ScheduleTimes, type Shift } from '../../core/on-call/who.ts'
import { type MemberWithPhone, membersWithPhone } from '../../store/on-call/phones.ts'
import { findSchedule, type ScheduleRecord } from '../../store/on-call/schedules.ts'
import type { Services } from '../services.ts'

/** Members who can be called. */
type Members = Map<number, MemberWithPhone>

/** A schedule as it is now. */
export async function readDetail(
  { db, vault, databaseNow }: Services,
  teamId: number,
  id: number,
): Promise<ScheduleDetail> {
  const [schedule, members] = await Promise.all([
    findSchedule(db.query, teamId, id),
    membersWithPhone(db.query, vault, teamId),
  ])
  if (!schedule) throw new Refusal('notFound')
  return presentDetail(schedule, members, databaseNow())
}

export function presentRow(schedule: ScheduleRecord, members: Members, now: Date): ScheduleRow {
  const { id, name, time_zone } = schedule
  return { id, name, time_zone, on_call: presentOnCall(schedule, members, now) }
}

export function presentDetail(schedule: ScheduleRecord, members: Members, now: Date): ScheduleDetail {
  const { participants, layers, overrides, createdAt } = schedule
  return {
    ...presentRow(schedule, members, now),
    participants,
    layers,
    overrides: overrides.map(({ id, participant, startsAt, endsAt }) => ({
      id,
      participant,
      starts_at: formatInstant(startsAt),
      ends_at: formatInstant(endsAt),
    })),
    created_at: formatInstant(createdAt),
  }
}

function presentOnCall(schedule: ScheduleTimes<ShownParticipant>, members: Members, now: Date): OnCallNow {
  const { participant, until, next } = onCallAt(schedule, now)
  return {
    participant: participant && presentParticipant(participant),
    phone: members.get(participant?.user_id ?? 0)?.phone ?? null,
    until: formatInstantOrNull(until),
    next: next && {
      participant: presentParticipant(next.participant),
      starts_at: formatInstant(next.startsAt),
    },
  }
}

export function presentShift({ participant, startsAt, endsAt }: Shift<ShownParticipant>): ShownShift {
  return {
    participant: participant && presentParticipant(participant),
    starts_at: formatInstant(startsAt),
    ends_at: formatInstant(endsAt),
  }
}

function presentParticipant({ key, name, user_id, contact_ids }: ShownParticipant): OnCallParticipant {
  return { key, name, user_id, contact_count: contact_ids.length }
}
