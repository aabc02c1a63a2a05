import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Repeat, repeatOf, ruleOf, WEEKLY } from '../../../dashboard/forms/maintenance/repeat.ts'
import { english } from '../../../src/core/language/said.ts'
import { readRule, writeRule } from '../../../src/core/maintenance/recurrence.ts'

const CASES: [choices: Partial<Repeat>, rule: string][] = [
  [{ freq: 'DAILY' }, 'FREQ=DAILY'],
  [{ freq: 'DAILY', interval: '3', end: 'count', count: '12' }, 'FREQ=DAILY;INTERVAL=3;COUNT=12'],
  [{}, 'FREQ=WEEKLY'],
  [{ weekdays: ['MO', 'WE', 'FR'] }, 'FREQ=WEEKLY;BYDAY=MO,WE,FR'],
  [
    { weekdays: ['SU'], interval: '2', end: 'until', until: '2027-12-31' },
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;UNTIL=20271231',
  ],
  [{ freq: 'MONTHLY' }, 'FREQ=MONTHLY'],
  [{ freq: 'MONTHLY', by: 'number', monthDay: '15' }, 'FREQ=MONTHLY;BYMONTHDAY=15'],
  [{ freq: 'MONTHLY', by: 'number', monthDay: '-1' }, 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  [{ freq: 'MONTHLY', by: 'weekday', ordinal: '1', weekday: 'SU' }, 'FREQ=MONTHLY;BYDAY=1SU'],
  [
    { freq: 'MONTHLY', by: 'weekday', ordinal: '-1', weekday: 'FR', interval: '3' },
    'FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR',
  ],
  [{ freq: 'YEARLY' }, 'FREQ=YEARLY'],
  [{ freq: 'YEARLY', by: 'number', month: '12', monthDay: '24' }, 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24'],
  [
    { freq: 'YEARLY', by: 'weekday', month: '11', ordinal: '4', weekday: 'TH' },
    'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
  ],
]

describe('the choices of a recurrence', () => {
  for (const [choices, rule] of CASES) {
    it(`make ${rule}, and are read from it`, () => {
      const repeat = { ...WEEKLY, ...choices }
      assert.equal(ruleOf(repeat), rule)
      assert.deepEqual(repeatOf(rule), repeat)
      const read = readRule(rule)
      assert.equal('text' in read ? read : writeRule(read), rule, 'it is its own shortest form')
    })
  }

  const beyond = [
    'FREQ=DAILY;BYDAY=MO',
    'FREQ=WEEKLY;BYMONTH=6',
    'FREQ=MONTHLY;BYMONTHDAY=1,15',
    'FREQ=MONTHLY;BYMONTHDAY=-2',
    'FREQ=MONTHLY;BYDAY=SU',
    'FREQ=MONTHLY;BYDAY=5SU',
    'FREQ=MONTHLY;BYDAY=1SU,3SU',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'FREQ=MONTHLY;BYMONTH=3;BYMONTHDAY=1',
    'FREQ=YEARLY;BYMONTH=3',
    'FREQ=YEARLY;BYMONTHDAY=1',
    'FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=1',
    'FREQ=DAILY;UNTIL=20271231T020000Z',
    'FREQ=HOURLY',
    '',
  ]
  for (const rule of beyond) {
    it(`cannot say ${rule || 'nothing'}`, () => assert.equal(repeatOf(rule), null))
  }

  const wrong: [choices: Partial<Repeat>, fault: RegExp][] = [
    [{ interval: '' }, /^INTERVAL must be 1 to 365, got "0"$/],
    [{ interval: 'two' }, /^INTERVAL must be 1 to 365, got "TWO"$/],
    [{ end: 'count', count: '' }, /^COUNT must be 1 to 1000, got "0"$/],
    [{ end: 'until', until: '' }, /^UNTIL must be a time such as/],
  ]
  for (const [choices, fault] of wrong) {
    it(`keep what was typed wrong, for its fault: ${JSON.stringify(choices)}`, () => {
      const read = readRule(ruleOf({ ...WEEKLY, ...choices }))
      assert.match('text' in read ? english(read) : '', fault)
    })
  }

  it('that a rule does not mention stay as they were', () => {
    const kept = { ...WEEKLY, monthDay: '20', weekday: 'TU', month: '7', until: '2030-01-01' } as const
    assert.deepEqual(repeatOf('FREQ=DAILY', kept), { ...kept, freq: 'DAILY' })
  })
})
