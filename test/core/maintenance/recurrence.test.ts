import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { english } from '../../../src/core/language/said.ts'
import {
  MAX_RULE_LENGTH,
  RecurrenceRule,
  readRule,
  writeRule,
} from '../../../src/core/maintenance/recurrence.ts'

describe('a rule is kept in its shortest form', () => {
  const table: [given: string, kept: string][] = [
    ['FREQ=DAILY', 'FREQ=DAILY'],
    ['RRULE:FREQ=DAILY;INTERVAL=1', 'FREQ=DAILY'],
    ['byday=mo,WE,mo;freq=weekly;interval=2', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE'],
    ['FREQ=MONTHLY;BYDAY=+1SU,-1FR', 'FREQ=MONTHLY;BYDAY=1SU,-1FR'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1,01', 'FREQ=MONTHLY;BYMONTHDAY=-1,1'],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'],
    ['FREQ=YEARLY;BYDAY=-53MO', 'FREQ=YEARLY;BYDAY=-53MO'],
    ['FREQ=YEARLY;COUNT=10;BYMONTH=3', 'FREQ=YEARLY;BYMONTH=3;COUNT=10'],
    ['FREQ=DAILY;UNTIL=20271231', 'FREQ=DAILY;UNTIL=20271231'],
    ['FREQ=DAILY;UNTIL=20271231T020000', 'FREQ=DAILY;UNTIL=20271231T020000'],
    ['FREQ=DAILY;UNTIL=20271231T015959Z', 'FREQ=DAILY;UNTIL=20271231T015959Z'],
  ]
  for (const [given, kept] of table) {
    it(given, () => {
      assert.equal(RecurrenceRule.parse(given), kept)
      const read = readRule(kept)
      assert.ok(!('text' in read))
      assert.equal(writeRule(read), kept)
    })
  }
})

const PARTS = 'FREQ, INTERVAL, BYMONTH, BYMONTHDAY, BYDAY, BYSETPOS, COUNT, UNTIL'

describe('what a window does not take is refused, with the part, what it got and what it takes', () => {
  const table: [given: string, fault: string][] = [
    ['', `takes ${PARTS}, each as NAME=VALUE with ; between, got ""`],
    ['every day', `takes ${PARTS}, each as NAME=VALUE with ; between, got "EVERY DAY"`],
    ['FREQ=DAILY;BYHOUR=2', `takes ${PARTS}, each as NAME=VALUE with ; between, got "BYHOUR=2"`],
    ...[
      'BYMINUTE=1',
      'BYSECOND=1',
      'BYYEARDAY=1',
      'BYWEEKNO=1',
      'WKST=SU',
      'RSCALE=HEBREW',
      'SKIP=OMIT',
      'EXRULE=1',
    ].map((part): [string, string] => [
      `FREQ=DAILY;${part}`,
      `takes ${PARTS}, each as NAME=VALUE with ; between, got "${part}"`,
    ]),
    ['FREQ=DAILY;', `takes ${PARTS}, each as NAME=VALUE with ; between, got ""`],
    ['FREQ=DAILY;COUNT=', `takes ${PARTS}, each as NAME=VALUE with ; between, got "COUNT="`],
    ['FREQ=DAILY;FREQ=WEEKLY', 'must have FREQ once, got it again in "FREQ=WEEKLY"'],
    ['INTERVAL=2', 'FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY, got null'],
    ['FREQ=HOURLY', 'FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY, got "HOURLY"'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL must be 1 to 365, got "0"'],
    ['FREQ=DAILY;INTERVAL=366', 'INTERVAL must be 1 to 365, got "366"'],
    ['FREQ=DAILY;INTERVAL=1.5', 'INTERVAL must be 1 to 365, got "1.5"'],
    ['FREQ=DAILY;COUNT=1001', 'COUNT must be 1 to 1000, got "1001"'],
    ['FREQ=DAILY;BYMONTH=13', 'BYMONTH must be months from 1 to 12 with commas between, got "13"'],
    [
      'FREQ=DAILY;BYMONTHDAY=0',
      'BYMONTHDAY must be days from 1 to 31, or from -31 to -1, with commas between, got "0"',
    ],
    [
      'FREQ=MONTHLY;BYMONTHDAY=1,32',
      'BYMONTHDAY must be days from 1 to 31, or from -31 to -1, with commas between, got "1,32"',
    ],
    [
      'FREQ=MONTHLY;BYDAY=6MO',
      'BYDAY must be days such as MO, 1SU or -1FR (ordinals to 5) with commas between, got "6MO"',
    ],
    [
      'FREQ=YEARLY;BYDAY=54MO',
      'BYDAY must be days such as MO, 1SU or -1FR (ordinals to 53) with commas between, got "54MO"',
    ],
    [
      'FREQ=WEEKLY;BYDAY=MO,,TU',
      'BYDAY must be days such as MO, 1SU or -1FR (ordinals to 5) with commas between, got "MO,,TU"',
    ],
    [
      'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367',
      'BYSETPOS must be places from 1 to 366, or from -366 to -1, with commas between, got "367"',
    ],
    [
      'FREQ=DAILY;UNTIL=20270230',
      'UNTIL must be a time such as 20271231, 20271231T020000 or 20271231T010000Z, got "20270230"',
    ],
    [
      'FREQ=DAILY;UNTIL=20271231T250000',
      'UNTIL must be a time such as 20271231, 20271231T020000 or 20271231T010000Z, got "20271231T250000"',
    ],
    [
      'FREQ=DAILY;UNTIL=20271231T020060',
      'UNTIL must be a time such as 20271231, 20271231T020000 or 20271231T010000Z, got "20271231T020060"',
    ],
    ['FREQ=DAILY;COUNT=2;UNTIL=20271231', 'takes COUNT or UNTIL, got both'],
    [
      'FREQ=WEEKLY;BYDAY=1MO',
      'BYDAY takes ordinals with FREQ=MONTHLY and FREQ=YEARLY only, got 1MO with FREQ=WEEKLY',
    ],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY takes FREQ=DAILY, FREQ=MONTHLY or FREQ=YEARLY, got FREQ=WEEKLY'],
    [
      'FREQ=MONTHLY;BYSETPOS=1',
      'BYSETPOS needs BYDAY, BYMONTHDAY or BYMONTH to choose from, got none of them',
    ],
    [
      'FREQ=YEARLY;BYDAY=20TH;BYMONTHDAY=5',
      'BYDAY takes ordinals beside BYMONTHDAY with FREQ=MONTHLY or with BYMONTH only, got 20TH',
    ],
    [
      'FREQ=YEARLY;BYDAY=20TH,MO;BYSETPOS=5',
      'BYDAY takes ordinals beside BYSETPOS with FREQ=MONTHLY or with BYMONTH only, got 20TH',
    ],
  ]
  for (const [given, fault] of table) it(given || 'nothing', () => assert.equal(faultOf(given), fault))
})

function faultOf(rule: string): string | null {
  const read = readRule(rule)
  return 'text' in read ? english(read) : null
}

test('a rule that is too long is refused, however it is read', () => {
  const long = `FREQ=DAILY;BYMONTHDAY=${Array(MAX_RULE_LENGTH / 2).fill('1')}`
  assert.equal(faultOf(long), `must be at most ${MAX_RULE_LENGTH} characters, got ${long.length}`)
  const [issue] = RecurrenceRule.safeParse(long).error?.issues ?? []
  assert.equal(issue?.message, `must be at most ${MAX_RULE_LENGTH} characters, got ${long.length}`)
})
