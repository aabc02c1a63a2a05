import type * as z from 'zod'
import { MAX_PARTICIPANT_KEY, Schedule, scheduleFaults } from '../../../src/core/on-call/schedule.ts'
import type { ScheduleDetail } from '../../../src/core/on-call/shown-schedule.ts'
import { type Parsed, parseFields } from '../../../src/core/validation.ts'
import { localDateOf, readerZone } from '../../data/zone-time.ts'
import type { Controls } from '../controls.ts'
import type { Draft } from '../draft.ts'

export type ScheduleBody = z.input<typeof Schedule>
export type DraftParticipant = { key: number; name: string; user_id: number | null; contact_ids: number[] }
/** A layer as it is being typed. `id` is of the form alone: layers are moved. */
export type DraftLayer = Omit<z.output<typeof Schedule>['layers'][number], 'every'> & {
  id: number
  every: string
}

/** Participants and layers are held as JSON, each as one value. */
export const SCHEDULE_CONTROLS: Controls = Object.fromEntries(
  ['name', 'time_zone', 'participants', 'layers'].map((name) => [
    name,
    { kind: 'text', nullable: false, initial: '' },
  ]),
)
export const SCHEDULE_NAMES = Object.keys(SCHEDULE_CONTROLS)

export function participantsIn({ participants }: Draft): DraftParticipant[] {
  return JSON.parse(String(participants))
}

export function layersIn({ layers }: Draft): DraftLayer[] {
  return JSON.parse(String(layers))
}

/** A schedule of one person, by the week from today on. */
export function newScheduleDraft(now: Date): Draft {
  const participant: DraftParticipant = { key: 1, name: '', user_id: null, contact_ids: [] }
  return {
    name: '',
    time_zone: readerZone(),
    participants: JSON.stringify([participant]),
    layers: JSON.stringify([newLayer([], now, [1])]),
  }
}

export function scheduleDraft({ name, time_zone, participants, layers }: ScheduleDetail): Draft {
  const drafted = layers.map((layer, id) => ({ ...layer, id, every: String(layer.every) }))
  return { name, time_zone, participants: JSON.stringify(participants), layers: JSON.stringify(drafted) }
}

export function newLayer(layers: readonly DraftLayer[], now: Date, rotation: number[]): DraftLayer {
  return {
    id: Math.max(-1, ...layers.map(({ id }) => id)) + 1,
    rotation,
    unit: 'week',
    every: '1',
    hand_over_at: '09:00',
    hand_over_day: 'MO',
    starts_on: localDateOf(now, readerZone()),
    hours: null,
  }
}

/** A key that no participant has; null if there are too many. */
export function freeKey(participants: readonly DraftParticipant[]): number | null {
  const taken = new Set(participants.map(({ key }) => key))
  const highest = Math.max(0, ...taken)
  if (highest < MAX_PARTICIPANT_KEY) return highest + 1
  const keys = Array.from({ length: MAX_PARTICIPANT_KEY }, (_, index) => index + 1)
  return keys.find((key) => !taken.has(key)) ?? null
}

export function bodyOf(draft: Draft): ScheduleBody {
  return {
    name: String(draft.name),
    time_zone: String(draft.time_zone),
    participants: participantsIn(draft),
    layers: layersIn(draft).map(({ id, every, ...layer }) => ({
      ...layer,
      every: (/^\d{1,9}$/.test(every.trim()) ? Number(every) : every) as number,
    })),
  }
}

export function judgeSchedule(draft: Draft): Parsed<ScheduleBody> {
  const body = bodyOf(draft)
  const parsed = parseFields(Schedule, body, scheduleFaults)
  return parsed.ok ? { ok: true, value: body } : parsed
}
