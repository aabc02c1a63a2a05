import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { monthAfter } from '../../../src/core/reports/calendar-days.ts'
import { mailedAt, monthDue, nextMailAt } from '../../../src/core/reports/schedule.ts'

describe('the mail of a month', () => {
  it('is due at six in the morning of the first, by the clocks of its zone', () => {
    const table: [zone: string, at: string][] = [
      ['UTC', '2026-12-01T06:00:00.000Z'],
      ['Europe/Berlin', '2026-12-01T05:00:00.000Z'],
      ['America/New_York', '2026-12-01T11:00:00.000Z'],
      ['Asia/Kolkata', '2026-12-01T00:30:00.000Z'],
      ['Pacific/Kiritimati', '2026-11-30T16:00:00.000Z'],
    ]
    for (const [zone, at] of table) assert.equal(mailedAt('2026-11', zone).toISOString(), at, zone)
  })

  for (const zone of ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
    it(`in ${zone} is due once, whenever one looks`, () => {
      for (let month = '2026-01'; month < '2027-06'; month = monthAfter(month)) {
        const at = mailedAt(month, zone).getTime()
        assert.equal(monthDue(new Date(at - 1), zone), monthAfter(month, -1))
        assert.equal(nextMailAt(new Date(at - 1), zone).getTime(), at)
        for (const later of [0, 1, 3_600_000, 26 * 86_400_000]) {
          assert.equal(monthDue(new Date(at + later), zone), month)
          assert.equal(
            nextMailAt(new Date(at + later), zone).getTime(),
            mailedAt(monthAfter(month), zone).getTime(),
          )
        }
      }
    })
  }

  it('of a long absence is that of the last month alone', () => {
    assert.equal(monthDue(new Date('2027-05-20T12:00:00Z'), 'UTC'), '2027-04')
  })
})
