import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { AlertEvent } from '../../../src/core/alerting/alert.ts'
import {
  type QuietHours,
  QuietHoursChange,
  quietHoursFaults,
} from '../../../src/core/alerting/quiet-hours.ts'
import { quietUntil } from '../../../src/core/alerting/quiet-until.ts'
import { WEEKDAYS } from '../../../src/core/maintenance/recurrence.ts'
import { parseFields } from '../../../src/core/validation.ts'
import { AT_LENGTH } from '../../support/at-length.ts'
import { hoursEndByLooking } from '../../support/on-call/brute-force.ts'
import { hoursAndInstant } from '../../support/on-call/random-schedules.ts'

const RUNS = AT_LENGTH ? 10_000 : 500

const NIGHTS: QuietHours = {
  time_zone: 'Europe/Berlin',
  hours: { days: [...WEEKDAYS], from: '22:00', until: '07:00' },
  action: 'hold',
  except_down: false,
}
const WEEKEND = { days: ['SA' as const, 'SU' as const], from: '00:00', until: '00:00' }

const untilOf = (rule: QuietHours | null, event: AlertEvent, at: string) =>
  quietUntil(rule, event, new Date(at))?.toISOString().slice(0, 16) ?? null

describe('quiet hours', () => {
  for (const [what, rule, event, at, until] of [
    ['no rule', null, 'monitor.down', '2027-01-05T00:00Z', null],
    ['the minute before', NIGHTS, 'monitor.down', '2027-01-05T20:59:59.999Z', null],
    ['the first instant', NIGHTS, 'monitor.down', '2027-01-05T21:00Z', '2027-01-06T06:00'],
    ['after midnight', NIGHTS, 'site.degraded', '2027-01-06T05:59:59.999Z', '2027-01-06T06:00'],
    ['the end itself', NIGHTS, 'monitor.down', '2027-01-06T06:00Z', null],
    ['a test', NIGHTS, 'test', '2027-01-06T00:00Z', null],
    [
      'an outage that gets through',
      { ...NIGHTS, except_down: true },
      'server.down',
      '2027-01-06T00:00Z',
      null,
    ],
    [
      'a recovery beside it',
      { ...NIGHTS, except_down: true },
      'server.recovery',
      '2027-01-06T00:00Z',
      '2027-01-06T06:00',
    ],
    [
      'a warning beside it',
      { ...NIGHTS, except_down: true },
      'monitor.degraded',
      '2027-01-06T00:00Z',
      '2027-01-06T06:00',
    ],
    [
      'days that follow each other',
      { ...NIGHTS, hours: WEEKEND },
      'monitor.down',
      '2027-01-09T10:00Z',
      '2027-01-10T23:00',
    ],
    [
      'hours that belong to the day on which they begin',
      { ...NIGHTS, hours: { ...NIGHTS.hours, days: ['FR'] } },
      'monitor.down',
      '2027-01-08T01:00Z',
      null,
    ],
    ['the night in which clocks go forward', NIGHTS, 'monitor.down', '2027-03-28T00:00Z', '2027-03-28T05:00'],
    ['the night in which they go back', NIGHTS, 'monitor.down', '2027-10-31T00:00Z', '2027-10-31T06:00'],
    ['an unknown zone', { ...NIGHTS, time_zone: 'Mars/Olympus' }, 'monitor.down', '2027-01-06T00:00Z', null],
  ] as [string, QuietHours | null, AlertEvent, string, string | null][]) {
    it(`know ${what}`, () => assert.equal(untilOf(rule, event, at), until))
  }

  it(`end when looking at every day says so, for ${RUNS} rules over clock changes`, () => {
    fc.assert(
      fc.property(hoursAndInstant, ({ time_zone, hours, atMs }) => {
        fc.pre(hours.from !== hours.until || hours.days.length < WEEKDAYS.length)
        const rule = { ...NIGHTS, time_zone, hours }
        assert.equal(
          quietUntil(rule, 'monitor.down', new Date(atMs))?.getTime() ?? null,
          hoursEndByLooking(hours, time_zone, atMs),
        )
      }),
      { numRuns: RUNS },
    )
  })

  it('must leave some of the week', () => {
    const change = (hours: QuietHours['hours']) =>
      parseFields(QuietHoursChange, { quiet_hours: { ...NIGHTS, hours } }, quietHoursFaults)
    assert.equal(change(NIGHTS.hours).ok, true)
    assert.equal(change(WEEKEND).ok, true)
    const always = change({ days: [...WEEKDAYS], from: '08:00', until: '08:00' })
    assert.deepEqual(always.ok ? null : Object.keys(always.errors), ['quiet_hours.hours.until'])
  })
})
