import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { occurrencesBetween } from '../../../src/core/maintenance/occurrence.ts'
import { callOff, endNow, prolong, start, type TurnDecision } from '../../../src/core/maintenance/turn.ts'
import type { MaintenanceWindow } from '../../../src/core/maintenance/window.ts'
import { print } from '../../../src/core/validation.ts'
import { type KeptRow, keptRows } from '../../support/maintenance/kept-rows.ts'
import { oneOff, recurring, switchWindow } from '../../support/maintenance/windows.ts'

const DAY = '2027-03-10'
const on = (time: string) => new Date(time.includes('T') ? `${time}Z` : `${DAY}T${time}Z`)
const clock = (at: Date) => at.toISOString().slice(11, 16)

/** Each day from 10:00 to 12:00. */
const daily = recurring({ rule: 'FREQ=DAILY', time_zone: 'UTC', local_start: '2027-03-01T10:00' })
const once = oneOff(`${DAY}T10:00Z`, `${DAY}T12:00Z`)
const turned = switchWindow({ max_minutes: 90 })

function wholeOf(window: MaintenanceWindow, table: KeptRow[]) {
  const since = new Date('2027-03-01T00:00Z')
  return { window: { ...window, id: 7, since }, kept: keptRows(window, table, on) }
}

type Whole = ReturnType<typeof wholeOf>

/** The occurrences of the day once that is kept, or why nothing is. */
function outcome(whole: Whole, decision: TurnDecision): string {
  if ('fault' in decision) return print(decision.fault.message, decision.fault.field)
  const kept = new Map([...whole.kept, ...decision.keep].map((one) => [one.startsAt.getTime(), one]))
  return occurrencesBetween({ ...whole.window, kept: [...kept.values()] }, on('00:00'), on('23:59'))
    .map(({ startsAt, endsAt }) => `${clock(startsAt)}-${clock(endsAt)}`)
    .join()
}

describe('an occurrence', () => {
  const NOT = 'window must be running, but it is not'
  const ends: [MaintenanceWindow, KeptRow[], now: string, string][] = [
    [daily, [], '11:00', '10:00-11:00'],
    [daily, [], '09:59', NOT],
    [daily, [], '12:00', NOT],
    [daily, [['10:00', '10:30', 'person']], '11:00', NOT],
    [once, [], '10:00', ''],
    [once, [], '11:00', '10:00-11:00'],
    [turned, [['10:15', '11:45']], '11:00', '10:15-11:00'],
    [turned, [['10:15', '10:45']], '11:00', NOT],
    // Prolonged since the day before, over the next: neither goes on.
    [daily, [['2027-03-09T10:00', '13:00']], '11:00', '10:00-10:00,10:00-11:00'],
    [daily, [['2027-03-09T10:00', '13:00']], '09:00', '10:00-09:00,10:00-12:00'],
  ]
  for (const [window, kept, now, expected] of ends) {
    it(`${window.kind} ${JSON.stringify(kept)} that is ended at ${now}: ${expected}`, () => {
      const whole = wholeOf(window, kept)
      const decision = endNow(whole, on(now), 'person')
      assert.equal(outcome(whole, decision), expected)
      if ('keep' in decision) assert.equal(decision.keep.at(-1)?.endedBy, 'person')
    })
  }

  const prolongings: [MaintenanceWindow, KeptRow[], now: string, minutes: number, string][] = [
    [daily, [], '11:00', 30, '10:00-12:30'],
    [daily, [['10:00', '12:30']], '12:15', 30, '10:00-13:00'],
    [daily, [], '12:00', 30, NOT],
    [once, [], '11:00', 60, '10:00-13:00'],
    [turned, [['10:00', '11:00']], '10:30', 240, '10:00-15:00'],
    [
      turned,
      [['10:00', '11:00']],
      '10:30',
      1_381,
      'minutes must not make it longer than 1 day: it began at 2027-03-10T10:00:00.000000Z and ends at 2027-03-10T11:00:00.000000Z, got 1381',
    ],
    [turned, [['10:00', '11:00']], '10:30', 1_380, '10:00-10:00'],
    // Over the next occurrence: what was prolonged ends there, and the next lasts as long as both.
    [daily, [['2027-03-09T11:00', '09:30']], '09:00', 600, '11:00-10:00,10:00-19:30'],
  ]
  for (const [window, kept, now, minutes, expected] of prolongings) {
    it(`${window.kind} ${JSON.stringify(kept)} prolonged at ${now} by ${minutes} min: ${expected}`, () => {
      const whole = wholeOf(window, kept)
      assert.equal(outcome(whole, prolong(whole, on(now), minutes)), expected)
    })
  }

  const starts: [MaintenanceWindow, KeptRow[], now: string, minutes: number | undefined, string][] = [
    [turned, [], '10:00', undefined, '10:00-11:30'],
    [turned, [], '10:00', 5, '10:00-10:05'],
    [turned, [], '10:00', 91, 'minutes must be at most 90, the longest time of this switch, got 91'],
    [turned, [['10:00', '11:30']], '11:00', undefined, '10:00-12:30'],
    [turned, [['10:00', '11:30']], '11:00', 5, '10:00-11:05'],
    [turned, [['10:00', '11:00', 'address']], '11:00', 5, '10:00-11:00,11:00-11:05'],
    [daily, [], '11:00', 5, 'window must be a switch, got recurring'],
  ]
  for (const [window, kept, now, minutes, expected] of starts) {
    it(`${window.kind} ${JSON.stringify(kept)} started at ${now} for ${minutes} min: ${expected}`, () => {
      const whole = wholeOf(window, kept)
      assert.equal(outcome(whole, start(whole, on(now), minutes)), expected)
    })
  }

  const NOT_TO_COME = 'starts_at must be the start of an occurrence that is to come, got'
  const callings: [MaintenanceWindow, KeptRow[], now: string, startsAt: string, string][] = [
    [daily, [], '09:00', '10:00', ''],
    [once, [], '09:00', '10:00', ''],
    [daily, [], '09:00', '10:01', `${NOT_TO_COME} 2027-03-10T10:01:00.000000Z`],
    [daily, [], '11:00', '10:00', `${NOT_TO_COME} 2027-03-10T10:00:00.000000Z`],
    [daily, [['10:00', '10:00', 'person']], '09:00', '10:00', `${NOT_TO_COME} 2027-03-10T10:00:00.000000Z`],
    [daily, [], '09:00', '2099-03-10T10:00', `${NOT_TO_COME} 2099-03-10T10:00:00.000000Z`],
    [turned, [], '09:00', '10:00', `${NOT_TO_COME} 2027-03-10T10:00:00.000000Z`],
  ]
  for (const [window, kept, now, startsAt, expected] of callings) {
    it(`${window.kind} ${JSON.stringify(kept)} of ${startsAt} called off at ${now}: ${expected}`, () => {
      const whole = wholeOf(window, kept)
      assert.equal(outcome(whole, callOff(whole, on(now), on(startsAt))), expected)
    })
  }
})
