import type { Layer } from '../../../src/core/on-call/schedule.ts'
import type { ScheduleTimes } from '../../../src/core/on-call/who.ts'

export type TestSchedule = ScheduleTimes<{ key: number }>

/** Participant 1 and then 2, a week each, from Monday 2027-01-04 at 09:00. */
export function layer(changes: Partial<Layer> = {}): Layer {
  return {
    rotation: [1, 2],
    unit: 'week',
    every: 1,
    hand_over_at: '09:00',
    hand_over_day: 'MO',
    starts_on: '2027-01-04',
    hours: null,
    ...changes,
  }
}

/** One layer of three participants, in Berlin. */
export function schedule(changes: Partial<TestSchedule> = {}): TestSchedule {
  return {
    time_zone: 'Europe/Berlin',
    participants: [{ key: 1 }, { key: 2 }, { key: 3 }],
    layers: [layer()],
    overrides: [],
    ...changes,
  }
}
