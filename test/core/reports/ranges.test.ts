import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR_MS } from '../../../src/core/history/history-span.ts'
import {
  barsOf,
  daysIn,
  daysOfMonth,
  MAX_REPORT_BARS,
  MAX_REPORT_DAYS,
  monthAfter,
  wholeMonth,
} from '../../../src/core/reports/calendar-days.ts'
import { localDay, spanOf } from '../../../src/core/reports/range.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/St_Johns',
  'Pacific/Apia',
  'Australia/Lord_Howe',
]

describe('the range of a report', () => {
  it('is a month as long as the calendar says', () => {
    assert.deepEqual(daysOfMonth('2028-02'), { from: '2028-02-01', to: '2028-02-29' })
    assert.deepEqual(daysOfMonth('2026-12'), { from: '2026-12-01', to: '2026-12-31' })
    assert.equal(monthAfter('2026-12'), '2027-01')
    assert.equal(monthAfter('2026-01', -1), '2025-12')
    assert.equal(wholeMonth(daysOfMonth('2027-04')), '2027-04')
    assert.equal(wholeMonth({ from: '2027-04-01', to: '2027-04-29' }), null)
    assert.equal(wholeMonth({ from: '2027-04-01', to: '2027-05-31' }), null)
  })

  it('begins and ends by the clocks of its zone, an hour shorter where they are put forward', () => {
    const { fromMs, toMs } = spanOf(daysOfMonth('2027-03'), 'Europe/Berlin')
    assert.equal(new Date(fromMs).toISOString(), '2027-02-28T23:00:00.000Z')
    assert.equal(new Date(toMs).toISOString(), '2027-03-31T22:00:00.000Z')
    assert.equal((toMs - fromMs) / HOUR_MS, 31 * 24 - 1)
  })

  it('begins at the next full hour of UTC where a zone is off by a part of one', () => {
    const { fromMs } = spanOf({ from: '2027-03-02', to: '2027-03-02' }, 'Asia/Kolkata')
    assert.equal(new Date(fromMs).toISOString(), '2027-03-01T19:00:00.000Z')
  })

  for (const zone of ZONES) {
    it(`of one month in ${zone} ends where the next one begins, in full hours`, () => {
      for (let month = '2026-01'; month < '2028-01'; month = monthAfter(month)) {
        const { toMs } = spanOf(daysOfMonth(month), zone)
        assert.equal(toMs, spanOf(daysOfMonth(monthAfter(month)), zone).fromMs, month)
        assert.equal(toMs % HOUR_MS, 0, month)
      }
    })
  }

  it('has a bar for each day, and more days to a bar where it is long', () => {
    const month = barsOf(daysOfMonth('2027-02'))
    assert.equal(month.length, 28)
    assert.deepEqual(month[27], { from: '2027-02-28', to: '2027-02-28' })
    const long = { from: '2026-01-01', to: '2027-02-04' }
    assert.equal(daysIn(long), MAX_REPORT_DAYS)
    const bars = barsOf(long)
    assert.ok(bars.length <= MAX_REPORT_BARS)
    assert.equal(bars[0]?.from, long.from)
    assert.equal(bars.at(-1)?.to, long.to)
    assert.equal(
      bars.reduce((sum, bar) => sum + daysIn(bar), 0),
      MAX_REPORT_DAYS,
    )
  })

  it('says the day that the clocks of a zone show', () => {
    const at = new Date('2026-12-31T23:30:00Z')
    assert.equal(localDay(at, 'Europe/Berlin'), '2027-01-01')
    assert.equal(localDay(at, 'America/New_York'), '2026-12-31')
  })
})
