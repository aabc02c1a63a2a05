import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  nextOccurrences,
  type Occurrence,
  occurrencesBetween,
  type WindowTimes,
  windowAround,
  windowAt,
} from '../../../src/core/maintenance/occurrence.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'

const at = (text: string) => new Date(text)
const occurrence = (starts: string, ends: string): Occurrence => ({ startsAt: at(starts), endsAt: at(ends) })
const say = (found: readonly Occurrence[]) =>
  found.map(({ startsAt, endsAt }) => `${short(startsAt)} ${short(endsAt)}`)
const short = (date: Date) => date.toISOString().slice(0, 16)

const NIGHTLY = recurring({
  local_start: '2027-01-01T23:00',
  rule: 'FREQ=DAILY',
  duration_minutes: 120,
  time_zone: 'UTC',
})

describe('an occurrence holds from its start to before its end', () => {
  const windows: [what: string, window: WindowTimes][] = [
    ['a one-off', oneOff('2027-01-03T23:00Z', '2027-01-04T01:00Z')],
    ['one of a series', NIGHTLY],
    [
      'a turn of a switch',
      { ...switchWindow(), kept: [occurrence('2027-01-03T23:00Z', '2027-01-04T01:00Z')] },
    ],
  ]
  for (const [what, window] of windows) {
    it(what, () => {
      assert.equal(windowAt(window, at('2027-01-03T22:59:59.999Z')), null)
      for (const inside of ['2027-01-03T23:00Z', '2027-01-04T00:30Z', '2027-01-04T00:59:59.999Z']) {
        assert.deepEqual(windowAt(window, at(inside)), occurrence('2027-01-03T23:00Z', '2027-01-04T01:00Z'))
      }
      assert.equal(windowAt(window, at('2027-01-04T01:00Z')), null)
    })
  }
})

test('what is between two instants touches them, and is whole', () => {
  const between = (from: string, to: string) => say(occurrencesBetween(NIGHTLY, at(from), at(to)))
  assert.deepEqual(between('2027-01-04T00:59Z', '2027-01-04T23:00Z'), ['2027-01-03T23:00 2027-01-04T01:00'])
  assert.deepEqual(between('2027-01-04T01:00Z', '2027-01-04T23:00Z'), [])
  assert.deepEqual(between('2027-01-04T01:00Z', '2027-01-04T23:01Z'), ['2027-01-04T23:00 2027-01-05T01:00'])
  assert.deepEqual(between('2026-01-01T00:00Z', '2027-01-02T00:00Z'), ['2027-01-01T23:00 2027-01-02T01:00'])
})

test('what runs and what is next are found in one look', () => {
  const around = (window: WindowTimes, instant: string) => {
    const { current, next } = windowAround(window, at(instant))
    return [current, next].map((one) => one && short(one.startsAt))
  }
  const once = oneOff('2027-01-03T23:00Z', '2027-01-04T01:00Z')
  assert.deepEqual(around(NIGHTLY, '2027-01-03T23:00Z'), ['2027-01-03T23:00', '2027-01-04T23:00'])
  assert.deepEqual(around(NIGHTLY, '2027-01-04T01:00Z'), [null, '2027-01-04T23:00'])
  assert.deepEqual(around({ ...NIGHTLY, rule: 'FREQ=YEARLY' }, '2027-01-02T00:00Z'), [
    '2027-01-01T23:00',
    '2028-01-01T23:00',
  ])
  assert.deepEqual(around(once, '2023-01-01T00:00Z'), [null, '2027-01-03T23:00'])
  assert.deepEqual(around(once, '2027-01-04T00:00Z'), ['2027-01-03T23:00', null])
  assert.deepEqual(around(once, '2027-01-04T01:00Z'), [null, null])
  assert.deepEqual(around(switchWindow(), '2027-01-04T01:00Z'), [null, null])
})

test('only what begins later is next', () => {
  const next = (after: string, n: number) => say(nextOccurrences(NIGHTLY, at(after), n))
  assert.deepEqual(next('2027-01-03T23:00Z', 1), ['2027-01-04T23:00 2027-01-05T01:00'])
  assert.deepEqual(next('2027-01-03T22:59Z', 2), [
    '2027-01-03T23:00 2027-01-04T01:00',
    '2027-01-04T23:00 2027-01-05T01:00',
  ])
  assert.equal(next('2027-01-01T00:00Z', 600).length, 600)
  assert.deepEqual(say(nextOccurrences(switchWindow(), at('2027-01-01T00:00Z'), 5)), [])
  const leapDays = recurring({ rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', time_zone: 'UTC' })
  assert.deepEqual(say(nextOccurrences(leapDays, at('2027-01-01T00:00Z'), 5)), [
    '2028-02-29T02:00 2028-02-29T04:00',
  ])
})

describe('a series ends where it says', () => {
  const last = (changes: Parameters<typeof recurring>[0]) => {
    const window = recurring({ local_start: '2027-03-01T02:30', rule: 'FREQ=DAILY', ...changes })
    const found = occurrencesBetween(window, at('2027-01-01T00:00Z'), at('2028-01-01T00:00Z'))
    return short((found.at(-1) as Occurrence).startsAt)
  }
  const table: [changes: Parameters<typeof recurring>[0], last: string][] = [
    [{ rule: 'FREQ=DAILY;COUNT=1' }, '2027-03-01T01:30'],
    [{ rule: 'FREQ=DAILY;COUNT=10' }, '2027-03-10T01:30'],
    // RFC 5545: COUNT counts what an exception takes away.
    [{ rule: 'FREQ=DAILY;COUNT=10', exceptions: ['2027-03-10', '2027-03-05'] }, '2027-03-09T01:30'],
    [{ rule: 'FREQ=DAILY;UNTIL=20270310' }, '2027-03-10T01:30'],
    [{ rule: 'FREQ=DAILY;UNTIL=20270310T023000' }, '2027-03-10T01:30'],
    [{ rule: 'FREQ=DAILY;UNTIL=20270310T022959' }, '2027-03-09T01:30'],
    [{ rule: 'FREQ=DAILY;UNTIL=20270310T013000Z' }, '2027-03-10T01:30'],
    [{ rule: 'FREQ=DAILY;UNTIL=20270310T012959Z' }, '2027-03-09T01:30'],
    // The time that is skipped is moved on, past an UNTIL in UTC.
    [{ rule: 'FREQ=DAILY;UNTIL=20270328T010000Z' }, '2027-03-27T01:30'],
    [{ rule: 'FREQ=DAILY;UNTIL=20270328T013000Z' }, '2027-03-28T01:30'],
  ]
  for (const [changes, end] of table) {
    it(`${changes?.rule} without ${changes?.exceptions ?? 'nothing'}`, () => assert.equal(last(changes), end))
  }
})

test('a start that the rule does not name is no occurrence', () => {
  const window = recurring({
    local_start: '2027-01-01T02:00',
    rule: 'FREQ=WEEKLY;BYDAY=MO',
    time_zone: 'UTC',
  })
  assert.deepEqual(say(nextOccurrences(window, at('2026-12-01T00:00Z'), 1)), [
    '2027-01-04T02:00 2027-01-04T04:00',
  ])
})

test('an exception on a day that a zone moves on is that of the day that was meant', () => {
  const window = recurring({ local_start: '2011-12-28T02:00', rule: 'FREQ=DAILY', time_zone: 'Pacific/Apia' })
  const days = (exceptions: string[]) =>
    say(occurrencesBetween({ ...window, exceptions }, at('2011-12-27T00:00Z'), at('2012-01-01T00:00Z')))
  // There was no 30 December: its occurrence came with that of the 31st.
  const expected = ['2011-12-28T12:00', '2011-12-29T12:00', '2011-12-30T12:00', '2011-12-31T12:00']
  assert.deepEqual(
    days([]).map((line) => line.slice(0, 16)),
    expected,
  )
  assert.deepEqual(days(['2011-12-30']), days([]))
  assert.deepEqual(days(['2011-12-31']), days([]))
  assert.deepEqual(days(['2011-12-30', '2011-12-31']).length, 3)
})

describe('what was kept stands in the place of what was planned', () => {
  const between = (window: WindowTimes) =>
    say(occurrencesBetween(window, at('2027-01-03T12:00Z'), at('2027-01-05T12:00Z')))
  const table: [what: string, kept: Occurrence[], found: string[]][] = [
    ['nothing', [], ['2027-01-03T23:00 2027-01-04T01:00', '2027-01-04T23:00 2027-01-05T01:00']],
    [
      'one that was ended early',
      [occurrence('2027-01-03T23:00Z', '2027-01-03T23:20Z')],
      ['2027-01-03T23:00 2027-01-03T23:20', '2027-01-04T23:00 2027-01-05T01:00'],
    ],
    [
      'one that was prolonged',
      [occurrence('2027-01-03T23:00Z', '2027-01-04T01:30Z')],
      ['2027-01-03T23:00 2027-01-04T01:30', '2027-01-04T23:00 2027-01-05T01:00'],
    ],
    [
      'one that was prolonged into the next',
      [occurrence('2027-01-03T23:00Z', '2027-01-05T02:00Z')],
      ['2027-01-03T23:00 2027-01-04T23:00', '2027-01-04T23:00 2027-01-05T02:00'],
    ],
    [
      'one that was called off',
      [occurrence('2027-01-03T23:00Z', '2027-01-03T23:00Z')],
      ['2027-01-04T23:00 2027-01-05T01:00'],
    ],
    [
      'one that no rule names any more',
      [occurrence('2027-01-04T10:00Z', '2027-01-04T11:00Z')],
      [
        '2027-01-03T23:00 2027-01-04T01:00',
        '2027-01-04T10:00 2027-01-04T11:00',
        '2027-01-04T23:00 2027-01-05T01:00',
      ],
    ],
  ]
  for (const [what, kept, found] of table)
    it(what, () => assert.deepEqual(between({ ...NIGHTLY, kept }), found))
})

test('a plan does not count for the time before it was made', () => {
  const since = at('2027-01-04T00:15Z')
  const found = occurrencesBetween({ ...NIGHTLY, since }, at('2027-01-01T00:00Z'), at('2027-01-05T12:00Z'))
  assert.deepEqual(say(found), ['2027-01-04T00:15 2027-01-04T01:00', '2027-01-04T23:00 2027-01-05T01:00'])
})

test('whatever part is asked for, the answer is the same', () => {
  // All of every day: in March the day of 23 hours ends where the next begins.
  const window = recurring({ rule: 'FREQ=DAILY', duration_minutes: 1_440, local_start: '2027-01-01T00:00' })
  const all = occurrencesBetween(window, at('2027-03-20T12:00Z'), at('2027-04-02T12:00Z'))
  const short23 = all.filter(({ startsAt, endsAt }) => endsAt.getTime() - startsAt.getTime() !== 86_400_000)
  assert.deepEqual(say(short23), ['2027-03-27T23:00 2027-03-28T22:00'])
  for (const one of all.slice(1, -1)) {
    for (const instant of [one.startsAt, new Date(one.endsAt.getTime() - 1)]) {
      assert.deepEqual(windowAt(window, instant), one)
    }
  }
})

test('more than ten years are not worked out at once', () => {
  assert.throws(
    () => occurrencesBetween(NIGHTLY, at('2027-01-01T00:00Z'), at('2038-01-01T00:00Z')),
    RangeError,
  )
})

test('a zone that a database of another machine had is not taken for UTC', () => {
  const window = recurring({ time_zone: 'Europe/Bonn' })
  assert.throws(() => windowAt(window, at('2027-01-04T00:00Z')), RangeError)
})
