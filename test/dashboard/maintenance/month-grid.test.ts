import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addMonths, monthDays, monthOf, monthWeeks, onDay } from '../../../dashboard/data/month-grid.ts'
import { instantOf, localTimeOf, sayOffset } from '../../../dashboard/data/zone-time.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'America/Santiago',
]

/** Every 30 minutes around the changes of clocks that there are. */
function localTimesOf(zone: string): string[] {
  const times: string[] = []
  const start = Temporal.ZonedDateTime.from(`2011-01-01T00:00[${zone}]`)
  let at = start.getTimeZoneTransition('next')
  for (let changes = 0; at && changes < 4; changes++, at = at.getTimeZoneTransition('next')) {
    const around = at.toPlainDateTime().round('hour').subtract({ hours: 27 })
    for (let half = 0; half < 108; half++)
      times.push(around.add({ minutes: 30 * half }).toString({ smallestUnit: 'minute' }))
  }
  return times.length > 0 ? times : ['2027-03-01T00:00', '2027-07-01T12:30']
}

describe('a time that clocks of a zone show', () => {
  for (const zone of ZONES) {
    it(`becomes the instant that the service makes of it, in ${zone}`, () => {
      const times = localTimesOf(zone)
      const wanted = (local: string) =>
        Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: 'compatible' })
      assert.deepEqual(
        times.map((local) => instantOf(local, zone)?.getTime()),
        times.map((local) => wanted(local).epochMilliseconds),
      )
      assert.deepEqual(
        times.map((local) => localTimeOf(instantOf(local, zone) as Date, zone)),
        times.map((local) => wanted(local).toPlainDateTime().toString({ smallestUnit: 'minute' })),
      )
    })
  }

  it('is null for what is none', () => {
    for (const local of ['', '2027-13-01T00:00', '2027-01-01', 'soon'])
      assert.equal(instantOf(local, 'UTC'), null)
  })

  it('has an offset', () => {
    const at = new Date('2027-07-01T00:00:00Z')
    assert.deepEqual(
      ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'].map((zone) => sayOffset(at, zone)),
      ['UTC', 'UTC+02:00', 'UTC-02:30', 'UTC+05:45'],
    )
  })
})

const span = (starts_at: string, ends_at: string) => ({ starts_at, ends_at })

describe('the grid of a month', () => {
  const hours = (zone: string, month: string, date: string) => {
    const day = monthDays(month, zone).find((one) => one.date === date)
    return day && (day.to.getTime() - day.from.getTime()) / 3_600_000
  }

  it('has whole weeks from Monday on, and says which days are its own', () => {
    const days = monthDays('2027-03', 'Europe/Berlin')
    assert.equal(days.length, 35)
    assert.equal(days[0]?.date, '2027-03-01')
    assert.equal(days.at(-1)?.date, '2027-04-04')
    assert.equal(days.filter(({ isInMonth }) => isInMonth).length, 31)
    assert.equal(monthDays('2027-02', 'UTC').length, 28)
    assert.equal(monthDays('2027-08', 'UTC').length, 42)
  })

  const lengths: [zone: string, month: string, date: string, hours: number][] = [
    ['Europe/Berlin', '2027-03', '2027-03-28', 23],
    ['Europe/Berlin', '2027-10', '2027-10-31', 25],
    ['Europe/Berlin', '2027-10', '2027-10-30', 24],
    ['Australia/Lord_Howe', '2027-04', '2027-04-04', 24.5],
    // Its day begins at 01:00.
    ['America/Santiago', '2027-09', '2027-09-05', 23],
    ['America/Santiago', '2027-09', '2027-09-04', 24],
  ]
  for (const [zone, month, date, length] of lengths) {
    it(`has a ${date} of ${length} hours in ${zone}`, () => assert.equal(hours(zone, month, date), length))
  }

  it('goes from month to month, over the years', () => {
    assert.deepEqual([addMonths('2026-12', 1), addMonths('2027-01', -1)], ['2027-01', '2026-12'])
    const at = new Date('2027-01-31T23:30:00Z')
    assert.deepEqual([monthOf(at, 'UTC'), monthOf(at, 'Europe/Berlin')], ['2027-01', '2027-02'])
  })

  it('puts bars over the days that they touch, side by side where they meet', () => {
    const long = span('2027-03-05T22:00:00Z', '2027-03-09T02:00:00Z')
    const night = span('2027-03-06T23:30:00Z', '2027-03-07T01:00:00Z')
    // It ends with the day.
    const evening = span('2027-03-10T20:00:00Z', '2027-03-10T23:00:00Z')
    const weeks = monthWeeks(monthDays('2027-03', 'Europe/Berlin'), [evening, night, long])
    const bars = weeks.map((week) =>
      week.bars.map(({ occurrence: _, ...rest }) => Object.values(rest).join(' ')),
    )
    assert.deepEqual(bars.slice(0, 3), [
      ['4 6 0 false true', '6 6 1 false false'],
      ['0 1 0 true false', '2 2 0 false false'],
      [],
    ])
  })

  it('lists what touches a day', () => {
    const [day] = monthDays('2027-03', 'Europe/Berlin')
    const before = span('2027-02-28T20:00:00Z', '2027-02-28T23:00:00Z')
    const over = span('2027-02-28T20:00:00Z', '2027-02-28T23:01:00Z')
    assert.ok(day)
    assert.deepEqual(onDay(day, [before, over]), [over])
  })
})
