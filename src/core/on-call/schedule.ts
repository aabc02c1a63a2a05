import * as z from 'zod'
import { said } from '../language/said.ts'
import { LocalDate, LocalTimeOfDay, TimeZone } from '../maintenance/local-time.ts'
import { WEEKDAYS } from '../maintenance/recurrence.ts'
import { RecordId } from '../record-id.ts'
import { label, MAX_NAME_LENGTH } from '../text.ts'
import type { FieldError } from '../validation.ts'

export const MAX_SCHEDULES = 50
export const MAX_PARTICIPANTS = 50
export const MAX_PARTICIPANT_KEY = 1_000
export const MAX_PARTICIPANT_CONTACTS = 5
export const MAX_LAYERS = 10
/** Turns of a rotation: a participant may have several, and so more of the time. */
export const MAX_TURNS = 50
/** Days or weeks of one turn. */
export const MAX_TURN_UNITS = 12
export const MAX_OVERRIDES = 500
export const MAX_OVERRIDE_DAYS = 60

export const ROTATION_UNITS = ['day', 'week'] as const

const ParticipantKey = z
  .int()
  .min(1)
  .max(MAX_PARTICIPANT_KEY)
  .describe('Number that the layers and overrides of this schedule name the participant by.')

export const Participant = z.object({
  key: ParticipantKey,
  name: label(MAX_NAME_LENGTH).describe('Name of the participant.'),
  user_id: RecordId.nullable().describe('ID of the member that the participant is, if any.').default(null),
  contact_ids: z
    .array(RecordId)
    .min(1)
    .max(MAX_PARTICIPANT_CONTACTS)
    .describe('IDs of the contacts that are alerted while the participant is on call.'),
})
export type Participant = z.infer<typeof Participant>

/** The hours in which a layer counts. An end at or before the start is one of the next day. */
export const LayerHours = z.object({
  days: z.array(z.enum(WEEKDAYS)).min(1).max(WEEKDAYS.length).describe('Weekdays on which the hours begin.'),
  from: LocalTimeOfDay.describe('Time of day at which they begin: `09:00`.'),
  until: LocalTimeOfDay.describe(
    'Time of day at which they end: `17:00`. At or before the start, it is that of the next day.',
  ),
})
export type LayerHours = z.infer<typeof LayerHours>

export const Layer = z.object({
  rotation: z
    .array(ParticipantKey)
    .min(1)
    .max(MAX_TURNS)
    .describe('Keys of participants in the order of their turns.'),
  unit: z.enum(ROTATION_UNITS).describe('What a turn is counted in.'),
  every: z.int().min(1).max(MAX_TURN_UNITS).describe('Days or weeks of one turn.').default(1),
  hand_over_at: LocalTimeOfDay.describe('Time of day at which a turn ends and the next begins: `09:00`.'),
  hand_over_day: z
    .enum(WEEKDAYS)
    .describe('Weekday of the hand-over, if turns are counted in weeks.')
    .default('MO'),
  starts_on: LocalDate.describe(
    'First day of the rotation; with weeks, the first turn begins on the first hand-over day from it on.',
  ),
  hours: LayerHours.nullable().describe('Hours in which the layer counts; always if null.').default(null),
})
export type Layer = z.infer<typeof Layer>

/** An on-call schedule, as a form sends it. Rules that look at several fields are `scheduleFaults`. */
export const Schedule = z.object({
  name: label(MAX_NAME_LENGTH).describe('Name of the schedule.'),
  time_zone: TimeZone.describe('Time zone of the IANA database whose clocks the hand-overs follow.'),
  participants: z.array(Participant).min(1).max(MAX_PARTICIPANTS).describe('People and groups on call.'),
  layers: z
    .array(Layer)
    .min(1)
    .max(MAX_LAYERS)
    .describe('Rotations. Where several have somebody on call, the last of them wins.'),
})
export type Schedule = z.infer<typeof Schedule>

const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value))

/** A change of who is on call for some time. Rules that look at several fields are `overrideFaults`. */
export const Override = z.object({
  participant: ParticipantKey,
  starts_at: time.describe('Start: a time with its offset or Z.'),
  ends_at: time.describe(`End, exclusive: at most ${MAX_OVERRIDE_DAYS} days after the start.`),
})
export type Override = z.infer<typeof Override>

/** Faults between fields that are valid on their own. */
export function scheduleFaults({ participants, layers }: Partial<Schedule>): FieldError[] {
  if (!participants) return []
  const keys = new Set(participants.map(({ key }) => key))
  const faults: FieldError[] = []
  for (const [at, { key }] of participants.entries()) {
    if (participants.findIndex((one) => one.key === key) < at)
      faults.push({
        field: `participants.${at}.key`,
        message: said('must be of one participant only, got {got} again', { got: key }),
      })
  }
  for (const [at, { rotation }] of (layers ?? []).entries()) {
    const unknown = rotation.find((key) => !keys.has(key))
    if (unknown !== undefined)
      faults.push({
        field: `layers.${at}.rotation`,
        message: said('must name participants by their keys, got {got}', { got: unknown }),
      })
  }
  return faults
}

export function overrideFaults(
  { participant, starts_at, ends_at }: Partial<Override>,
  participants: readonly Pick<Participant, 'key'>[],
  now: Date,
): FieldError[] {
  const faults: FieldError[] = []
  if (participant !== undefined && !participants.some(({ key }) => key === participant))
    faults.push({
      field: 'participant',
      message: said('must be the key of a participant of the schedule, got {got}', { got: participant }),
    })
  if (starts_at && ends_at) {
    const days = (ends_at.getTime() - starts_at.getTime()) / 86_400_000
    if (days <= 0)
      faults.push({
        field: 'ends_at',
        message: said('must be after {start}, got {got}', { start: 'starts_at', got: ends_at.toISOString() }),
      })
    else if (ends_at <= now)
      faults.push({
        field: 'ends_at',
        message: said('must be in the future, got {got}', { got: ends_at.toISOString() }),
      })
    if (days > MAX_OVERRIDE_DAYS)
      faults.push({
        field: 'ends_at',
        message: said('must be at most {days} days after {start}, got {got}', {
          days: MAX_OVERRIDE_DAYS,
          start: 'starts_at',
          got: `${Math.ceil(days)} days`,
        }),
      })
  }
  return faults
}
