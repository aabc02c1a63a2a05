import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Cron } from 'croner'
import { english } from '../../src/core/language/said.ts'
import { writeRule } from '../../src/core/maintenance/recurrence.ts'
import { startsBetween } from '../../src/core/maintenance/wall-clock.ts'
import { recurrenceOfCron } from '../../src/imports/cron-recurrence.ts'
import { isSaid } from '../../src/imports/reasons.ts'
import { AT_LENGTH } from '../support/at-length.ts'

const YEARS = [Date.UTC(2027, 0, 1), Date.UTC(AT_LENGTH ? 2031 : 2029, 0, 1)] as const

describe('a cron expression as a rule', () => {
  const table: [cron: string, rule: string, times: string[]][] = [
    ['30 3 * * *', 'FREQ=DAILY', ['03:30']],
    ['@daily', 'FREQ=DAILY', ['00:00']],
    ['0 30 3 * * *', 'FREQ=DAILY', ['03:30']],
    ['0 */6 * * *', 'FREQ=DAILY', ['00:00', '06:00', '12:00', '18:00']],
    ['15,45 1 * * *', 'FREQ=DAILY', ['01:15', '01:45']],
    ['0 2 * * 0', 'FREQ=WEEKLY;BYDAY=SU', ['02:00']],
    ['0 2 * * 7', 'FREQ=WEEKLY;BYDAY=SU', ['02:00']],
    ['0 2 * * mon-fri', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', ['02:00']],
    ['0 2 * * 0-7', 'FREQ=DAILY', ['02:00']],
    ['0 2 * 6-8 6,0', 'FREQ=WEEKLY;BYMONTH=6,7,8;BYDAY=SA,SU', ['02:00']],
    ['0 2 1,15 * *', 'FREQ=MONTHLY;BYMONTHDAY=1,15', ['02:00']],
    ['0 2 31 * *', 'FREQ=MONTHLY;BYMONTHDAY=31', ['02:00']],
    ['0 2 L * *', 'FREQ=MONTHLY;BYMONTHDAY=-1', ['02:00']],
    ['0 2 1,L * *', 'FREQ=MONTHLY;BYMONTHDAY=1,-1', ['02:00']],
    ['0 2 */10 * *', 'FREQ=MONTHLY;BYMONTHDAY=1,11,21,31', ['02:00']],
    ['0 2 29 2 *', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', ['02:00']],
    ['0 2 1 */3 *', 'FREQ=YEARLY;BYMONTH=1,4,7,10;BYMONTHDAY=1', ['02:00']],
    ['0 2 * jan,jul *', 'FREQ=DAILY;BYMONTH=1,7', ['02:00']],
    ['0 2 * * MON#1', 'FREQ=MONTHLY;BYDAY=1MO', ['02:00']],
    ['0 2 * * 5#L', 'FREQ=MONTHLY;BYDAY=-1FR', ['02:00']],
    ['0 2 * * 0#2,3#5', 'FREQ=MONTHLY;BYDAY=2SU,5WE', ['02:00']],
    ['0 2 * 3,9 SUN#1', 'FREQ=YEARLY;BYMONTH=3,9;BYDAY=1SU', ['02:00']],
  ]
  for (const [cron, rule, times] of table) {
    it(`${cron} is ${rule}`, () => {
      const read = recurrenceOfCron(cron)
      assert.ok(!isSaid(read), JSON.stringify(read))
      assert.deepEqual([writeRule(read.days), read.times], [rule, times])
      // The library that reads cron elsewhere finds the same starts, over a leap year.
      const library = new Cron(cron, { timezone: 'UTC' })
      const theirs: string[] = []
      for (let at = library.nextRun(new Date(YEARS[0] - 1)); at && at.getTime() < YEARS[1]; ) {
        theirs.push(at.toISOString())
        at = library.nextRun(at)
      }
      const ours = read.times.flatMap((time) =>
        startsBetween(
          { local_start: `2027-01-01T${time}`, time_zone: 'UTC', rule, exceptions: [] },
          ...YEARS,
        ).map((startMs) => new Date(startMs).toISOString()),
      )
      assert.deepEqual(ours.sort(), theirs)
    })
  }

  const refused: [cron: string, reason: RegExp][] = [
    ['0 2 1 * 1', /names days of the month or of the week/],
    ['0 2 */2 * 1', /names days of the month or of the week/],
    ['*/5 * * * *', /begins 288 times a day: 24 are the most/],
    ['30 0 2 * * *', /begins at other seconds than 0/],
    ['* 0 2 * * *', /begins at other seconds than 0/],
    ['0 0 2 * * * 2027', /has not five fields/],
    ['0 2 * *', /has not five fields/],
    ['', /has not five fields/],
    ['0 2 15W * *', /which no rule here does/],
    ['0 2 ? * *', /which no rule here does/],
    ['0 2 * * ?', /which no rule here does/],
    ['0 2 * * 5L', /which no rule here does/],
    ['0 2 * * MON-FRI#1', /which no rule here does/],
    ['0 2 L-2 * *', /which no rule here does/],
    ['0 2 32 * *', /is not valid/],
    ['0 25 * * *', /is not valid/],
    ['0 2 * * constructor', /is not valid/],
  ]
  for (const [cron, reason] of refused) {
    it(`${cron || 'nothing'} is none`, () => {
      const read = recurrenceOfCron(cron)
      assert.match(isSaid(read) ? english(read) : '', reason)
    })
  }
})
