import * as z from 'zod'
import { Instant } from '../instant.ts'
import { said } from '../language/said.ts'
import { RecordId } from '../record-id.ts'
import type { FieldError } from '../validation.ts'
import {
  Layer,
  MAX_LAYERS,
  MAX_OVERRIDES,
  MAX_PARTICIPANT_CONTACTS,
  MAX_PARTICIPANTS,
  MAX_SCHEDULES,
  Participant,
  Schedule,
  scheduleFaults,
} from './schedule.ts'

/** The longest time whose shifts are shown at once: a month with the weeks around it, and the next. */
export const MAX_SHOWN_DAYS = 100
/** More than ten layers with hours, and every override, can have in that time. */
export const MAX_SHIFTS = 5_000

/** A participant in an answer; one whose contacts were deleted has none, and is alerted by nobody. */
export const ShownParticipant = Participant.extend({
  contact_ids: z.array(RecordId).max(MAX_PARTICIPANT_CONTACTS),
})
export type ShownParticipant = z.infer<typeof ShownParticipant>

export const OnCallParticipant = z.object({
  key: z.int(),
  name: z.string(),
  user_id: RecordId.nullable(),
  contact_count: z.int(),
})
export type OnCallParticipant = z.infer<typeof OnCallParticipant>

/** Null where nobody is on call, where nothing changes for a month, and where nobody comes within it. */
export const OnCallNow = z.object({
  participant: OnCallParticipant.nullable(),
  /** The number of the participant's account, for those who want to call. */
  phone: z.string().nullable(),
  until: Instant.nullable(),
  next: z.object({ participant: OnCallParticipant, starts_at: Instant }).nullable(),
})
export type OnCallNow = z.infer<typeof OnCallNow>

export const ScheduleRow = z.object({
  id: RecordId,
  name: z.string(),
  time_zone: z.string(),
  on_call: OnCallNow,
})
export type ScheduleRow = z.infer<typeof ScheduleRow>
export const SCHEDULE_ROWS = z.array(ScheduleRow).max(MAX_SCHEDULES)

export const ShownOverride = z.object({
  id: RecordId,
  participant: z.int(),
  starts_at: Instant,
  ends_at: Instant,
})
export type ShownOverride = z.infer<typeof ShownOverride>

export const ScheduleDetail = ScheduleRow.extend({
  participants: z.array(ShownParticipant).max(MAX_PARTICIPANTS),
  layers: z.array(Layer).max(MAX_LAYERS),
  overrides: z.array(ShownOverride).max(MAX_OVERRIDES),
  created_at: Instant,
})
export type ScheduleDetail = z.infer<typeof ScheduleDetail>

/** Null is a gap: nobody is on call. */
export const ShownShift = z.object({
  participant: OnCallParticipant.nullable(),
  starts_at: Instant,
  ends_at: Instant,
})
export type ShownShift = z.infer<typeof ShownShift>
export const SHOWN_SHIFTS = z.array(ShownShift).max(MAX_SHIFTS)

const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value))

/** A schedule that is being written, and the time whose shifts are wanted. */
export const SchedulePreviewRequest = Schedule.extend({ from: time, until: time })
export type SchedulePreviewRequest = z.infer<typeof SchedulePreviewRequest>

export function previewFaults(asked: Partial<SchedulePreviewRequest>): FieldError[] {
  return [...scheduleFaults(asked), ...rangeFaults(asked)]
}

/** Faults of the range of time whose shifts are asked for. */
export function rangeFaults({ from, until }: { from?: Date; until?: Date }): FieldError[] {
  if (!from || !until) return []
  const days = (until.getTime() - from.getTime()) / 86_400_000
  if (days > 0 && days <= MAX_SHOWN_DAYS) return []
  const message = said('must be after from, by at most {days} days, got {got}', {
    days: MAX_SHOWN_DAYS,
    got: until.toISOString(),
  })
  return [{ field: 'until', message }]
}
