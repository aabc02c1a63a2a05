import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { english } from '../../../../src/core/language/said.ts'
import { jobScheduleOf, scheduleFault } from '../../../../src/core/monitors/heartbeats/job-schedule.ts'
import { AT_LENGTH } from '../../../support/at-length.ts'

const RUNS = AT_LENGTH ? 250 : 12
const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

/** Zones and days at which their clocks do something: an hour, half of one, at midnight, a whole day, or nothing. */
const WINDOWS: [zone: string, day: string][] = [
  ['Europe/Berlin', '2027-03-27'],
  ['Europe/Berlin', '2027-10-30'],
  ['America/New_York', '2027-03-13'],
  ['America/New_York', '2027-11-06'],
  ['Australia/Lord_Howe', '2027-04-03'],
  ['Australia/Lord_Howe', '2027-10-02'],
  ['America/Sao_Paulo', '2018-11-03'],
  ['America/Sao_Paulo', '2018-02-17'],
  ['Africa/Casablanca', '2027-02-06'],
  ['Pacific/Apia', '2011-12-29'],
  ['Asia/Kathmandu', '2027-05-01'],
  ['UTC', '2028-02-28'],
]

/** A minute of a window: when it is, what clocks show, and whether they showed that before. */
type Minute = { ms: number; day: number; weekday: number; hour: number; minute: number; isRepeated: boolean }

function minutesOf([timeZone, day]: [zone: string, day: string]): Minute[] {
  const fromMs = Date.parse(`${day}T00:00:00Z`) - DAY_MINUTES * MINUTE_MS
  const seen = new Set<string>()
  return Array.from({ length: 4 * DAY_MINUTES }, (_, index) => {
    const ms = fromMs + index * MINUTE_MS
    const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
    const wall = local.toPlainDateTime().toString()
    const isRepeated = seen.has(wall)
    seen.add(wall)
    const { day, dayOfWeek: weekday, hour, minute } = local
    return { ms, day, weekday, hour, minute, isRepeated }
  })
}

/** Values of a field; null for each. `step` is how it is written as a repetition. */
type Values = { values: number[] | null; step?: number }
type Fields = { minute: Values; hour: Values; day: Values; weekday: Values }

const fieldOf = (min: number, max: number): fc.Arbitrary<Values> =>
  fc.oneof(
    fc.constant({ values: null }),
    fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map((values) => ({ values })),
    fc.integer({ min: 2, max: 20 }).map((step) => ({
      values: Array.from({ length: max + 1 }, (_, n) => n).filter((n) => n >= min && (n - min) % step === 0),
      step,
    })),
  )
const days = (min: number, max: number): fc.Arbitrary<Values> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ values: null }) },
    fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map((values) => ({ values })),
  )
const FIELDS: fc.Arbitrary<Fields> = fc.record({
  minute: fieldOf(0, 59),
  hour: fieldOf(0, 23),
  day: days(1, 31),
  weekday: days(1, 7),
})
const WINDOW = fc.constantFrom(...WINDOWS.map((window) => ({ zone: window[0], minutes: minutesOf(window) })))

function cronOf({ minute, hour, day, weekday }: Fields): string {
  const written = ({ values, step }: Values) => (values === null ? '*' : step ? `*/${step}` : values.join())
  return [written(minute), written(hour), written(day), '*', written(weekday)].join(' ')
}

const NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

function eventOf({ minute, hour, day, weekday }: Fields): string {
  const written = ({ values, step }: Values) =>
    values === null ? '*' : step ? `${values[0]}/${step}` : values.join()
  const names = weekday.values?.map((number) => NAMES[number - 1]).join() ?? ''
  return `${names} *-*-${written(day)} ${written(hour)}:${written(minute)}`.trim()
}

const has = ({ values }: Values, value: number) => values === null || values.includes(value)

/** The times of cron by trying each minute: a fixed one that clocks skip comes at the end of the gap, and one that they repeat once. */
function cronTimes(fields: Fields, minutes: Minute[]): number[] {
  const { minute, hour, day, weekday } = fields
  const isFixed = [minute, hour].every(({ values, step }) => values !== null && step === undefined)
  const isDay = (one: Minute) =>
    day.values !== null && weekday.values !== null
      ? has(day, one.day) || has(weekday, one.weekday)
      : has(day, one.day) && has(weekday, one.weekday)
  const isTime = (one: { hour: number; minute: number }) => has(hour, one.hour) && has(minute, one.minute)
  return minutes.flatMap((one, index) => {
    if (isDay(one) && isTime(one) && !(isFixed && one.isRepeated)) return [one.ms]
    const before = minutes[index - 1]
    return isFixed &&
      before &&
      skipped(before, one).some((time) => isTime(time) && isDay({ ...one, ...time }))
      ? [one.ms]
      : []
  })
}

/** The times that clocks never showed between two minutes of a day. */
function skipped(before: Minute, one: Minute): { hour: number; minute: number }[] {
  const inDay = ({ hour, minute }: Minute) => hour * 60 + minute
  const fromMinute = before.day === one.day ? inDay(before) + 1 : 0
  if (before.day !== one.day && before.weekday % 7 !== (one.weekday + 6) % 7) return []
  return Array.from({ length: Math.max(0, inDay(one) - fromMinute) }, (_, index) => {
    const at = fromMinute + index
    return { hour: Math.floor(at / 60), minute: at % 60 }
  })
}

/** The times of an event by trying each minute: none at what clocks skip, and one at what they repeat. */
function eventTimes({ minute, hour, day, weekday }: Fields, minutes: Minute[]): number[] {
  return minutes
    .filter((one) => !one.isRepeated && has(day, one.day) && has(weekday, one.weekday))
    .filter((one) => has(hour, one.hour) && has(minute, one.minute))
    .map(({ ms }) => ms)
}

/** Asks for all times in the minutes, forward, and for the last one at some of them. */
function assertTimes(schedule: string, zone: string, minutes: Minute[], expected: number[]): void {
  const { next, last } = jobScheduleOf(schedule, zone)
  const [fromMs, toMs] = [minutes[DAY_MINUTES]?.ms ?? 0, minutes.at(-1)?.ms ?? 0]
  const found: number[] = []
  for (let at = next(new Date(fromMs - 1)); at && at.getTime() <= toMs; at = next(at))
    found.push(at.getTime())
  assert.deepEqual(
    found,
    expected.filter((ms) => ms >= fromMs),
    `${schedule} in ${zone}`,
  )
  for (const untilMs of [fromMs, (fromMs + toMs) / 2, toMs]) {
    const before = expected.findLast((ms) => ms <= untilMs)
    if (before !== undefined)
      assert.equal(last(new Date(untilMs))?.getTime(), before, `${schedule} in ${zone}`)
  }
}

describe('the times of a schedule', () => {
  it('are those of cron in zones whose clocks change', () => {
    fc.assert(
      fc.property(FIELDS, WINDOW, (fields, { zone, minutes }) =>
        assertTimes(cronOf(fields), zone, minutes, cronTimes(fields, minutes)),
      ),
      { numRuns: RUNS },
    )
  })

  it('are those of systemd in zones whose clocks change', () => {
    fc.assert(
      fc.property(FIELDS, WINDOW, (fields, { zone, minutes }) =>
        assertTimes(eventOf(fields), zone, minutes, eventTimes(fields, minutes)),
      ),
      { numRuns: RUNS },
    )
  })
})

const NOW = new Date('2026-11-29T19:00:00Z')

describe('a schedule that is read', () => {
  const table: [schedule: string, next: string, last: string | null][] = [
    ['0 9 * * 1-5', '2026-11-30 09:00:00', '2026-11-27 09:00:00'],
    ['*/15 * * * *', '2026-11-29 19:15:00', '2026-11-29 19:00:00'],
    ['0 0 13 * FRI', '2026-12-04 00:00:00', '2026-11-27 00:00:00'],
    ['0 0 */2 * FRI', '2026-12-11 00:00:00', '2026-11-27 00:00:00'],
    ['0 0 1-7 * */7', '2026-12-06 00:00:00', '2026-11-01 00:00:00'],
    ['@daily', '2026-11-30 00:00:00', '2026-11-29 00:00:00'],
    ['0 0 L * *', '2026-11-30 00:00:00', '2026-10-31 00:00:00'],
    ['minutely', '2026-11-29 19:01:00', '2026-11-29 19:00:00'],
    ['Hourly', '2026-11-29 20:00:00', '2026-11-29 19:00:00'],
    ['daily', '2026-11-30 00:00:00', '2026-11-29 00:00:00'],
    ['weekly UTC', '2026-11-30 00:00:00', '2026-11-23 00:00:00'],
    ['monthly', '2026-12-01 00:00:00', '2026-11-01 00:00:00'],
    ['quarterly', '2027-01-01 00:00:00', '2026-10-01 00:00:00'],
    ['semi-annually', '2027-01-01 00:00:00', '2026-07-01 00:00:00'],
    ['yearly', '2027-01-01 00:00:00', '2026-01-01 00:00:00'],
    ['Mon', '2026-11-30 00:00:00', '2026-11-23 00:00:00'],
    ['Mon..Fri 09:00', '2026-11-30 09:00:00', '2026-11-27 09:00:00'],
    ['Monday,wed *-*-* 10:00:30', '2026-11-30 10:00:30', '2026-11-25 10:00:30'],
    ['Sat-Sun 12..14:0', '2026-12-05 12:00:00', '2026-11-29 14:00:00'],
    ['*:0/20', '2026-11-29 19:20:00', '2026-11-29 19:00:00'],
    ['0/2:30', '2026-11-29 20:30:00', '2026-11-29 18:30:00'],
    ['00:00:00', '2026-11-30 00:00:00', '2026-11-29 00:00:00'],
    ['12-24 18:00', '2026-12-24 18:00:00', '2025-12-24 18:00:00'],
    ['*-*~01', '2026-11-30 00:00:00', '2026-10-31 00:00:00'],
    ['Fri *-*-13 06:00', '2027-08-13 06:00:00', '2026-11-13 06:00:00'],
    ['2027-02-03 04:05', '2027-02-03 04:05:00', null],
    ['27-1..3/2-01', '2027-01-01 00:00:00', null],
    ['*-*-* 03:00 Europe/Berlin', '2026-11-30 02:00:00', '2026-11-29 02:00:00'],
  ]
  for (const [schedule, next, last] of table) {
    it(`comes next at ${next} as ${schedule}`, () => {
      const instant = (at: Date | null) => at?.toISOString().slice(0, 19).replace('T', ' ') ?? null
      assert.equal(scheduleFault(schedule, undefined, NOW), null)
      assert.equal(instant(jobScheduleOf(schedule).next(NOW)), next)
      assert.equal(instant(jobScheduleOf(schedule).last(NOW)), last)
    })
  }
})

describe('a schedule that is refused', () => {
  const table: [schedule: string, why: RegExp][] = [
    ['0 0 31 2 *', /^must match a time in the future, got "0 0 31 2 \*"$/],
    ['*-02-30', /^must match a time in the future/],
    ['Sun *-03-25..31 02:30 Europe/Berlin', /^must match a time in the future/],
    ['2020-01-01', /^must match a time in the future/],
    [
      '61 * * * *',
      /^must be a cron expression of five fields or an OnCalendar expression \(.*Invalid value for minute/,
    ],
    ['1 2 3 4 5 6', /has 6 parts/],
    ['@reboot', /not supported/],
    ['*-*-* *:*:*', /more than once a minute/],
    ['03:00:00.5', /a part of a second/],
    ['foo', /these are no weekdays: foo/],
    ['Mon..', /these are no weekdays: Mon\.\./],
    ['Fri..Mon', /these are no weekdays: Fri\.\.Mon/],
    ['*-13-01', /it is not within 1 to 12: 13/],
    ['25:00', /it is not within 0 to 23: 25/],
    ['*-*-0/0', /it is not within 1 to 31: 0\/0/],
    ['*-*~07/1 00:00', /it takes the last one, ~01/],
    ['1:2:3:4', /it is not a time of day/],
    ['*-*-* 03:00 Moon/Sea', /there is no time zone Moon\/Sea/],
    ['*-*-* 03:00 04:00', /it is more than a weekday, a date and a time/],
    ['@1700000000', /./],
  ]
  for (const [schedule, why] of table) {
    it(`says why, as ${schedule}`, () => {
      const fault = scheduleFault(schedule, 'UTC', NOW)
      assert.match(fault ? english(fault) : 'none', why)
    })
  }
})
