import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { longestGapSeconds } from '../../src/imports/cron-gap.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

describe('the longest time between two runs', () => {
  const table: [expression: string, timeZone: string, seconds: number | null][] = [
    ['* * * * *', 'UTC', 60],
    ['*/7 * * * *', 'UTC', 420],
    ['*/25 * * * *', 'UTC', 25 * 60],
    ['7 */7 * * *', 'UTC', 7 * HOUR],
    ['0 3 * * *', 'UTC', DAY],
    ['0 3 * * *', 'Europe/Berlin', 25 * HOUR],
    ['*/5 * * * *', 'Europe/Berlin', 300],
    ['0 3 * * *', 'Asia/Tokyo', DAY],
    ['0 9,17 * * 1-5', 'UTC', 2 * DAY + 16 * HOUR],
    ['0 0 * * sun', 'UTC', 7 * DAY],
    ['0 0 1 * *', 'UTC', 31 * DAY],
    ['0 0 31 * *', 'UTC', 61 * DAY],
    ['0 0 L * *', 'UTC', 31 * DAY],
    ['0 0 13 * 5', 'UTC', 7 * DAY],
    ['0 0 1 1 *', 'UTC', 366 * DAY],
    ['0 0 29 2 *', 'UTC', 1_461 * DAY],
    ['@weekly', 'UTC', 7 * DAY],
    ['0 0 30 2 *', 'UTC', null],
    ['0 3 * *', 'UTC', null],
    ['61 * * * *', 'UTC', null],
    ['nightly', 'UTC', null],
    ['0 3 * * *', 'Nowhere/Else', null],
  ]
  for (const [expression, timeZone, seconds] of table) {
    it(`${expression} in ${timeZone}: ${seconds}`, () => {
      assert.equal(longestGapSeconds(expression, timeZone), seconds)
    })
  }
})
