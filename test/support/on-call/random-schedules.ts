import fc from 'fast-check'
import { WEEKDAYS } from '../../../src/core/maintenance/recurrence.ts'
import type { Layer } from '../../../src/core/on-call/schedule.ts'
import type { TestSchedule } from './schedules.ts'

const DAY_MS = 86_400_000

/** Clock changes of many kinds: by an hour and by half of one, at midnight and at two, and the day that Apia skipped. */
const CLOCK_CHANGES = [
  ['Europe/Berlin', '2027-03-28T01:00Z'],
  ['Europe/Berlin', '2027-10-31T01:00Z'],
  ['America/New_York', '2027-03-14T07:00Z'],
  ['America/New_York', '2027-11-07T06:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T15:00Z'],
  ['Australia/Lord_Howe', '2027-10-02T15:30Z'],
  ['America/Santiago', '2027-04-04T03:00Z'],
  ['America/Santiago', '2027-09-05T04:00Z'],
  ['Africa/Cairo', '2027-04-29T22:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
] as const

const time = fc.oneof(
  fc.constantFrom('00:00', '00:30', '01:30', '01:45', '02:00', '02:15', '02:30', '03:00', '09:00', '23:30'),
  fc.nat({ max: 1_439 }).map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16)),
)

const randomHours: fc.Arbitrary<NonNullable<Layer['hours']>> = fc.record({
  days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
  from: time,
  until: time,
})

const layerBefore = (atMs: number): fc.Arbitrary<Layer> =>
  fc.record({
    rotation: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
    unit: fc.constantFrom('day' as const, 'week' as const),
    every: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 12 })),
    hand_over_at: time,
    hand_over_day: fc.constantFrom(...WEEKDAYS),
    starts_on: fc
      .integer({ min: -120, max: 2 })
      .map((days) => new Date(atMs + days * DAY_MS).toISOString().slice(0, 10)),
    hours: fc.option(randomHours),
  })

const overrideAround = (atMs: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: -72, max: 72 }), fc.integer({ min: 1, max: 48 }))
    .map(([participant, from, length]) => ({
      participant,
      startsAt: new Date(atMs + from * 3_600_000),
      endsAt: new Date(atMs + (from + length) * 3_600_000),
    }))

/** A schedule in a zone whose clocks change at an instant, and instants around it, to the half-hour or the second. */
export const scheduleAndInstants: fc.Arbitrary<{ schedule: TestSchedule; instants: number[] }> = fc
  .constantFrom(...CLOCK_CHANGES)
  .chain(([time_zone, change]) => {
    const atMs = Date.parse(change)
    const halfHours = fc.integer({ min: -240, max: 240 }).map((count) => atMs + count * 1_800_000)
    const seconds = fc.integer({ min: -400_000, max: 400_000 }).map((count) => atMs + count * 1_000)
    return fc.record({
      schedule: fc.record({
        time_zone: fc.constant(time_zone as string),
        participants: fc.constant([{ key: 1 }, { key: 2 }, { key: 3 }, { key: 4 }]),
        layers: fc.array(layerBefore(atMs), { minLength: 1, maxLength: 4 }),
        overrides: fc.array(overrideAround(atMs), { maxLength: 3 }),
      }),
      instants: fc.array(fc.oneof(halfHours, seconds), { minLength: 4, maxLength: 8 }),
    })
  })

/** Hours in a zone whose clocks change at an instant, and an instant around it. */
export const hoursAndInstant = fc.constantFrom(...CLOCK_CHANGES).chain(([time_zone, change]) =>
  fc.record({
    time_zone: fc.constant(time_zone as string),
    hours: randomHours,
    atMs: fc
      .oneof(
        fc.integer({ min: -240, max: 240 }).map((count) => count * 1_800_000),
        fc.integer({ min: -400_000, max: 400_000 }).map((count) => count * 1_000),
      )
      .map((ms) => Date.parse(change) + ms),
  }),
)
