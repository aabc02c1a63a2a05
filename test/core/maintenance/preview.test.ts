import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { WindowTimes } from '../../../src/core/maintenance/occurrence.ts'
import { hiddenShareOfWeek, MAX_QUIET_SHARE, shownNext } from '../../../src/core/maintenance/preview.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'

const at = (text: string) => new Date(text)

test('the next occurrences are shown as clocks of any zone show them, with a mark on days of a change', () => {
  const window = recurring({
    rule: 'FREQ=WEEKLY;BYDAY=SU',
    local_start: '2027-01-03T02:30',
    duration_minutes: 60,
  })
  const lines = (zone: string) =>
    shownNext(window, at('2027-03-15T00:00Z'), zone).map(
      ({ localStart, localEnd, clockChange: change }) =>
        `${localStart} ${localEnd}${change ? ` ${change.before} ${change.after} at ${change.at.toISOString()}` : ''}`,
    )
  assert.deepEqual(lines('Europe/Berlin'), [
    '2027-03-21T02:30+01:00 2027-03-21T03:30+01:00',
    '2027-03-28T03:30+02:00 2027-03-28T04:30+02:00 +01:00 +02:00 at 2027-03-28T01:00:00.000Z',
    '2027-04-04T02:30+02:00 2027-04-04T03:30+02:00',
    '2027-04-11T02:30+02:00 2027-04-11T03:30+02:00',
    '2027-04-18T02:30+02:00 2027-04-18T03:30+02:00',
  ])
  assert.deepEqual(lines('Asia/Kolkata').slice(0, 2), [
    '2027-03-21T07:00+05:30 2027-03-21T08:00+05:30',
    '2027-03-28T07:00+05:30 2027-03-28T08:00+05:30',
  ])
})

describe('a day is marked when its clocks change at any time of it', () => {
  const table: [what: string, starts: string, ends: string, isMarked: boolean][] = [
    ['the day before', '2027-03-27T22:00Z', '2027-03-27T23:00Z', false],
    ['into that day', '2027-03-27T22:00Z', '2027-03-27T23:01Z', true],
    ['after the change', '2027-03-28T20:00Z', '2027-03-28T21:00Z', true],
    ['the day after', '2027-03-28T22:00Z', '2027-03-28T23:00Z', false],
    ['over many days', '2027-03-20T22:00Z', '2027-04-05T23:00Z', true],
  ]
  for (const [what, starts, ends, isMarked] of table) {
    it(what, () => {
      const [shown] = shownNext(oneOff(starts, ends), at('2027-01-01T00:00Z'), 'Europe/Berlin')
      assert.equal(shown?.clockChange !== null, isMarked)
    })
  }
})

describe('the share of a week that a window hides is that of its fullest week', () => {
  const share = (minutes: number) => minutes / 10_080
  const table: [what: string, window: WindowTimes, share: number][] = [
    ['two hours a month', recurring(), share(120)],
    [
      'an hour a day',
      recurring({ rule: 'FREQ=DAILY', duration_minutes: 60, local_start: '2027-01-01T04:00' }),
      share(7 * 60),
    ],
    [
      'two days together once a year',
      recurring({ rule: 'FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=1,2', duration_minutes: 600 }),
      share(1_200),
    ],
    ['all of every day', recurring({ rule: 'FREQ=DAILY', duration_minutes: 1_440, time_zone: 'UTC' }), 1],
    ['ten days', oneOff('2027-02-01T00:00Z', '2027-02-11T00:00Z'), 1],
    [
      'an hour in some years',
      recurring({ rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', duration_minutes: 60 }),
      share(60),
    ],
    [
      'a part of what begins before the week is over',
      recurring({ rule: 'FREQ=DAILY;INTERVAL=6', duration_minutes: 2_880, time_zone: 'UTC' }),
      share(2 * 1_440 + 1_440),
    ],
    ['a switch', switchWindow(), 0],
    ['what is over', oneOff('2026-02-01T00:00Z', '2026-02-11T00:00Z'), 0],
  ]
  for (const [what, window, expected] of table) {
    it(what, () => assert.ok(Math.abs(hiddenShareOfWeek(window, at('2027-01-01T00:00Z')) - expected) < 1e-9))
  }

  it('is too much from a tenth on', () => {
    const minutes = Math.ceil(10_080 * MAX_QUIET_SHARE)
    const weekly = (duration_minutes: number) =>
      hiddenShareOfWeek(recurring({ rule: 'FREQ=WEEKLY', duration_minutes }), at('2027-01-01T00:00Z'))
    assert.ok(weekly(minutes) >= MAX_QUIET_SHARE)
    assert.ok(weekly(minutes - 1) < MAX_QUIET_SHARE)
  })
})
