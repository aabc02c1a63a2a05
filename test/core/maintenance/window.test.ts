import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { MaintenanceWindow } from '../../../src/core/maintenance/window.ts'
import { windowFaults } from '../../../src/core/maintenance/window-faults.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { oneOff, recurring, sent, switchWindow } from '../../support/maintenance/windows.ts'

const NOW = new Date('2027-01-10T12:00:00Z')
const FIRST = oneOff('2027-02-01T02:00Z', '2027-02-01T04:00Z')

const parse = (input: unknown) => parseFields(MaintenanceWindow, input, windowFaults(NOW))

test('a window of each kind comes back as it was sent, with defaults', () => {
  for (const window of [FIRST, recurring(), switchWindow()]) {
    assert.deepEqual(parse(sent(window)), { ok: true, value: window })
  }
  const least = parse({ kind: 'switch', name: 'Deploy', monitor_ids: [3] })
  const value = { ...switchWindow(), name: 'Deploy', note: '', all_subjects: false, monitor_ids: [3] }
  assert.deepEqual(least, { ok: true, value })
})

test('a zone is kept as the zone database writes it', () => {
  const parsed = parse(sent(recurring({ time_zone: 'europe/berlin' })))
  assert.deepEqual(parsed, { ok: true, value: recurring() })
})

test('a time with an offset is the instant that it stands for', () => {
  const parsed = parse({ ...sent(FIRST), starts_at: '2027-02-01T03:00:00+01:00' })
  assert.deepEqual(parsed, { ok: true, value: FIRST })
})

describe('what is wrong with a window is said with its field', () => {
  const regular = sent(recurring())
  const past =
    'that begins at or after local_start, 2027-01-01T02:00, is not past by COUNT or UNTIL, and is not among exceptions'
  const none = (rule: string) => ({
    rule: [`rule has no occurrence within the next 5 years: it takes one ${past}; got ${rule}`],
  })
  const zoneFault = (got: string) => ({
    time_zone: [
      `time_zone must be a time zone of the IANA database such as Europe/Berlin or UTC, got "${got}"`,
    ],
  })
  const table: [what: string, input: Record<string, unknown>, errors: Record<string, string[]>][] = [
    ['no kind', {}, { kind: ['kind is required'] }],
    [
      'an unknown kind',
      { kind: 'weekly' },
      { kind: ['kind must be one of one_off, recurring, switch, got "weekly"'] },
    ],
    [
      'no subjects',
      { ...regular, all_subjects: false },
      {
        monitor_ids: [
          'monitor_ids must have at least 1 entry unless server_ids or site_ids has one or all_subjects is true, got 0',
        ],
      },
    ],
    [
      'all subjects and some',
      { ...regular, monitor_ids: [1, 2], server_ids: [3] },
      {
        monitor_ids: ['monitor_ids must be empty when all_subjects is true, got 2'],
        server_ids: ['server_ids must be empty when all_subjects is true, got 1'],
      },
    ],
    [
      'an end at the start',
      sent(oneOff('2027-02-01T02:00Z', '2027-02-01T02:00Z')),
      {
        ends_at: [
          'ends_at must be after starts_at, 2027-02-01T02:00:00.000000Z, got 2027-02-01T02:00:00.000000Z',
        ],
      },
    ],
    [
      'an end after seconds',
      sent(oneOff('2027-02-01T02:00Z', '2027-02-01T02:00:59Z')),
      {
        ends_at: [
          'ends_at must be at least 1 minute after starts_at, 2027-02-01T02:00:00.000000Z, got 2027-02-01T02:00:59.000000Z',
        ],
      },
    ],
    [
      'an end after more than 30 days',
      sent(oneOff('2027-02-01T02:00Z', '2027-03-03T02:01Z')),
      {
        ends_at: [
          'ends_at must be at most 30 days after starts_at, 2027-02-01T02:00:00.000000Z, got 2027-03-03T02:01:00.000000Z',
        ],
      },
    ],
    [
      'an end in the past',
      sent(oneOff('2027-01-10T10:00Z', '2027-01-10T12:00Z')),
      { ends_at: ['ends_at must be in the future, got 2027-01-10T12:00:00.000000Z'] },
    ],
    [
      'a start in more than five years',
      sent(oneOff('2032-02-01T02:00Z', '2032-02-01T03:00Z')),
      { starts_at: ['starts_at must be within 5 years, got 2032-02-01T02:00:00.000000Z'] },
    ],
    [
      'a time without an offset',
      { ...sent(FIRST), starts_at: '2027-02-01T02:00:00' },
      { starts_at: ['starts_at must be a valid datetime, got "2027-02-01T02:00:00"'] },
    ],
    [
      'a start on a day that does not exist',
      { ...regular, local_start: '2027-02-29T02:00' },
      {
        local_start: ['local_start must be a date and time such as 2027-01-31T02:30, got "2027-02-29T02:00"'],
      },
    ],
    [
      'a start with an offset',
      { ...regular, local_start: '2027-02-01T02:00Z' },
      {
        local_start: [
          'local_start must be a date and time such as 2027-01-31T02:30, got "2027-02-01T02:00Z"',
        ],
      },
    ],
    [
      'a start at an hour that does not exist',
      { ...regular, local_start: '2027-02-01T24:00' },
      {
        local_start: ['local_start must be a date and time such as 2027-01-31T02:30, got "2027-02-01T24:00"'],
      },
    ],
    [
      'a start long ago',
      { ...regular, local_start: '1999-12-31T02:00' },
      { local_start: ['local_start must be in the years 2000 to 2100, got "1999-12-31T02:00"'] },
    ],
    ['an unknown zone', { ...regular, time_zone: 'Europe/Bonn' }, zoneFault('Europe/Bonn')],
    ['an offset for a zone', { ...regular, time_zone: '+02:00' }, zoneFault('+02:00')],
    [
      'an occurrence of no time',
      { ...regular, duration_minutes: 0 },
      { duration_minutes: ['duration_minutes must be at least 1, got 0'] },
    ],
    [
      'an occurrence of more than 7 days',
      { ...regular, duration_minutes: 10_081 },
      { duration_minutes: ['duration_minutes must be at most 10080, got 10081'] },
    ],
    [
      'a rule that the window does not take',
      { ...regular, rule: 'FREQ=MINUTELY' },
      { rule: ['rule FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY, got "MINUTELY"'] },
    ],
    [
      'an exception that is no date',
      { ...regular, exceptions: ['2027-02-07', '7 March'] },
      { 'exceptions.1': ['exceptions.1 must be a date such as 2027-01-31, got "7 March"'] },
    ],
    [
      'too many exceptions',
      { ...regular, exceptions: Array(367).fill('2027-02-07') },
      { exceptions: ['exceptions must have at most 366 entries, got 367'] },
    ],
    [
      'a switch that lasts for more than a day',
      sent(switchWindow({ max_minutes: 1_441 })),
      { max_minutes: ['max_minutes must be at most 1440, got 1441'] },
    ],
    [
      'an impossible day',
      { ...regular, rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' },
      none('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'),
    ],
    [
      'an impossible day, looked for daily',
      { ...regular, rule: 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30' },
      none('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'),
    ],
    [
      'an impossible day, counted',
      { ...regular, rule: 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=9' },
      none('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=9'),
    ],
    [
      'the second of one',
      { ...regular, rule: 'FREQ=DAILY;BYDAY=MO;BYSETPOS=2' },
      none('FREQ=DAILY;BYDAY=MO;BYSETPOS=2'),
    ],
    [
      'a rule that is over',
      { ...regular, rule: 'FREQ=DAILY;UNTIL=20270109' },
      none('FREQ=DAILY;UNTIL=20270109'),
    ],
    ['a rule that was counted out', { ...regular, rule: 'FREQ=DAILY;COUNT=9' }, none('FREQ=DAILY;COUNT=9')],
    [
      'a rule without what it names',
      {
        ...regular,
        rule: 'FREQ=DAILY;UNTIL=20270112',
        exceptions: ['2027-01-11', '2027-01-12', '2027-01-10'],
      },
      none('FREQ=DAILY;UNTIL=20270112'),
    ],
    [
      'occurrences that overlap',
      { ...regular, rule: 'FREQ=DAILY', duration_minutes: 1_441 },
      {
        duration_minutes: [
          'duration_minutes must let each occurrence end before the next begins: that of 2027-01-09T01:00:00.000000Z lasts until 2027-01-10T01:01:00.000000Z, and the next begins at 2027-01-10T01:00:00.000000Z; got 1441',
        ],
      },
    ],
    [
      'occurrences that overlap where clocks skip an hour',
      { ...regular, rule: 'FREQ=DAILY', duration_minutes: 1_440 },
      {
        duration_minutes: [
          'duration_minutes must let each occurrence end before the next begins: that of 2027-03-28T01:00:00.000000Z lasts until 2027-03-29T01:00:00.000000Z, and the next begins at 2027-03-29T00:00:00.000000Z; got 1440',
        ],
      },
    ],
    [
      'occurrences that overlap in leap years only',
      {
        ...regular,
        rule: 'FREQ=YEARLY;BYMONTH=2,3;BYMONTHDAY=1,29',
        duration_minutes: 1_500,
        time_zone: 'UTC',
      },
      {
        duration_minutes: [
          'duration_minutes must let each occurrence end before the next begins: that of 2028-02-29T02:00:00.000000Z lasts until 2028-03-01T03:00:00.000000Z, and the next begins at 2028-03-01T02:00:00.000000Z; got 1500',
        ],
      },
    ],
  ]
  for (const [what, input, errors] of table) {
    it(what, () => {
      const parsed = parse(input)
      assert.deepEqual(!parsed.ok && parsed.errors, errors)
    })
  }
})

describe('what is right', () => {
  const table: [what: string, input: Record<string, unknown>][] = [
    ['30 days', sent(oneOff('2027-02-01T02:00Z', '2027-03-03T02:00Z'))],
    ['one that runs', sent(oneOff('2027-01-10T10:00Z', '2027-01-10T12:01Z'))],
    [
      'seven days of every second week',
      sent(recurring({ rule: 'FREQ=WEEKLY;INTERVAL=2', duration_minutes: 10_080 })),
    ],
    [
      'all of each day where clocks stay',
      sent(recurring({ rule: 'FREQ=DAILY', duration_minutes: 1_440, time_zone: 'UTC' })),
    ],
    ['a leap day', sent(recurring({ rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29' }))],
    [
      'the last occurrence, which runs',
      sent(recurring({ local_start: '2027-01-10T12:00', rule: 'FREQ=DAILY;COUNT=1' })),
    ],
    ['a series that began long ago', sent(recurring({ local_start: '2000-01-01T02:00' }))],
  ]
  for (const [what, input] of table) it(what, () => assert.equal(parse(input).ok, true))
})
