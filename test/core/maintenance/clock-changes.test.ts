import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { occurrencesBetween } from '../../../src/core/maintenance/occurrence.ts'
import { shownIn } from '../../../src/core/maintenance/preview.ts'
import { instantOf } from '../../../src/core/maintenance/wall-clock.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * Every gap and overlap of ten zones in a year, and Apia's of the year in which it skipped a day: the time in the middle
 * of it, when a daily window of that time begins, and what clocks show then. Written down from another implementation
 * (Python's zoneinfo).
 */
const CHANGES: [
  zone: string,
  kind: 'gap' | 'overlap',
  minutes: number,
  wall: string,
  start: string,
  shown: string,
][] = [
  ['Europe/Berlin', 'gap', 60, '2026-03-29T02:30', '2026-03-29T01:30Z', '03:30'],
  ['Europe/Berlin', 'overlap', 60, '2026-10-25T02:30', '2026-10-25T00:30Z', '02:30'],
  ['Europe/London', 'gap', 60, '2026-03-29T01:30', '2026-03-29T01:30Z', '02:30'],
  ['Europe/London', 'overlap', 60, '2026-10-25T01:30', '2026-10-25T00:30Z', '01:30'],
  ['America/New_York', 'gap', 60, '2026-03-08T02:30', '2026-03-08T07:30Z', '03:30'],
  ['America/New_York', 'overlap', 60, '2026-11-01T01:30', '2026-11-01T05:30Z', '01:30'],
  ['Australia/Lord_Howe', 'overlap', 30, '2026-04-05T01:45', '2026-04-04T14:45Z', '01:45'],
  ['Australia/Lord_Howe', 'gap', 30, '2026-10-04T02:15', '2026-10-03T15:45Z', '02:45'],
  ['Pacific/Apia', 'overlap', 60, '2011-04-02T03:30', '2011-04-02T13:30Z', '03:30'],
  ['Pacific/Apia', 'gap', 60, '2011-09-24T03:30', '2011-09-24T14:30Z', '04:30'],
  ['Pacific/Apia', 'gap', 1440, '2011-12-30T12:00', '2011-12-30T22:00Z', '12:00'],
  ['Pacific/Apia', 'overlap', 60, '2012-04-01T03:30', '2012-03-31T13:30Z', '03:30'],
  ['Pacific/Apia', 'gap', 60, '2012-09-30T03:30', '2012-09-29T14:30Z', '04:30'],
  ['Asia/Gaza', 'gap', 60, '2026-03-28T02:30', '2026-03-28T00:30Z', '03:30'],
  ['Asia/Gaza', 'overlap', 60, '2026-10-24T01:30', '2026-10-23T22:30Z', '01:30'],
  ['Africa/Casablanca', 'overlap', 60, '2026-02-15T02:30', '2026-02-15T01:30Z', '02:30'],
  ['Africa/Casablanca', 'gap', 60, '2026-03-22T02:30', '2026-03-22T02:30Z', '03:30'],
  ['America/Havana', 'gap', 60, '2026-03-08T00:30', '2026-03-08T05:30Z', '01:30'],
  ['America/Havana', 'overlap', 60, '2026-11-01T00:30', '2026-11-01T04:30Z', '00:30'],
  ['America/Santiago', 'overlap', 60, '2026-04-04T23:30', '2026-04-05T02:30Z', '23:30'],
  ['America/Santiago', 'gap', 60, '2026-09-06T00:30', '2026-09-06T04:30Z', '01:30'],
  ['Australia/Sydney', 'overlap', 60, '2026-04-05T02:30', '2026-04-04T15:30Z', '02:30'],
  ['Australia/Sydney', 'gap', 60, '2026-10-04T02:30', '2026-10-03T16:30Z', '03:30'],
]

describe('a daily window of a time that clocks skip or show twice', () => {
  for (const [time_zone, kind, minutes, wall, start, shown] of CHANGES) {
    it(`begins once, at ${start}, for ${wall} in a ${kind} of ${minutes} min in ${time_zone}`, () => {
      const day = Date.parse(`${wall}Z`)
      const window = {
        kind: 'recurring' as const,
        local_start: new Date(day - 10 * DAY_MS).toISOString().slice(0, 16),
        time_zone,
        duration_minutes: 90,
        rule: 'FREQ=DAILY',
        exceptions: [],
      }
      const around = occurrencesBetween(window, new Date(day - 4 * DAY_MS), new Date(day + 4 * DAY_MS))
      const found = around.filter(({ startsAt }) => startsAt.toISOString() === start.replace('Z', ':00.000Z'))
      assert.equal(found.length, 1, around.map(({ startsAt }) => startsAt.toISOString()).join())
      for (const { startsAt, endsAt } of around) {
        assert.equal(endsAt.getTime() - startsAt.getTime(), 90 * MINUTE_MS)
      }
      const [occurrence] = found.map((one) => shownIn(one, time_zone))
      assert.equal(occurrence?.localStart.slice(11, 16), shown)
      const change = occurrence?.clockChange
      assert.ok(change, 'the day is marked')
      assert.equal(
        offsetMinutes(change.after) - offsetMinutes(change.before),
        kind === 'gap' ? minutes : -minutes,
      )
      // One on every day of the calendar: those that a zone skips come with the day after.
      const dates = new Set(around.map((one) => shownIn(one, time_zone).localStart.slice(0, 10)))
      assert.equal(dates.size, around.length)
    })
  }
})

it('an instant is the same, whatever was asked for before', () => {
  const walls = [
    '2026-03-28T02:30',
    '2026-10-25T02:30',
    '2026-07-01T12:00',
    '2026-03-29T02:30',
    '2026-10-26T02:30',
  ]
  const starts = [
    '2026-03-28T01:30',
    '2026-10-25T00:30',
    '2026-07-01T10:00',
    '2026-03-29T01:30',
    '2026-10-26T01:30',
  ].map((start) => Date.parse(`${start}Z`))
  for (let first = 0; first < walls.length; first++) {
    for (let step = 1; step < walls.length; step++) {
      const order = walls.map((_, index) => (first + index * step) % walls.length)
      const found = order.map((index) => instantOf(Date.parse(`${walls[index]}Z`), 'Europe/Berlin'))
      assert.deepEqual(
        found,
        order.map((index) => starts[index]),
      )
    }
  }
})

function offsetMinutes(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (60 * hours + minutes)
}
