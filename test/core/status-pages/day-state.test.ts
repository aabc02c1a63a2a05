import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { StateTimes } from '../../../src/core/history/uptime.ts'
import {
  type DayState,
  dayStateOf,
  LONG_OUTAGE_MS,
  runsOfDays,
} from '../../../src/core/status-pages/day-state.ts'
import { sampleHistory } from '../../support/status-pages/models.ts'

const HOUR_MS = 3_600_000
const NONE: StateTimes = { upMs: 0, degradedMs: 0, downMs: 0, maintenanceMs: 0, unknownMs: 0 }

const CASES: [what: string, times: Partial<StateTimes> | null, state: DayState][] = [
  ['before there was a monitor', null, 'none'],
  ['nothing known yet, just after midnight', {}, 'unknown'],
  ['up', { upMs: 24 * HOUR_MS }, 'up'],
  ['degraded, which visitors can use', { degradedMs: 24 * HOUR_MS }, 'up'],
  ['a millisecond down', { upMs: 24 * HOUR_MS, downMs: 1 }, 'short_outage'],
  ['almost five minutes down', { upMs: HOUR_MS, downMs: LONG_OUTAGE_MS - 1 }, 'short_outage'],
  ['five minutes down', { upMs: 23 * HOUR_MS, downMs: LONG_OUTAGE_MS }, 'outage'],
  ['down all day', { downMs: 24 * HOUR_MS }, 'outage'],
  ['down in a day of maintenance', { maintenanceMs: 23 * HOUR_MS, downMs: 1 }, 'short_outage'],
  ['an hour of maintenance', { upMs: 23 * HOUR_MS, maintenanceMs: HOUR_MS }, 'maintenance'],
  ['paused for most of it', { upMs: 11 * HOUR_MS, unknownMs: 13 * HOUR_MS }, 'unknown'],
  ['paused for half of it', { upMs: 12 * HOUR_MS, unknownMs: 12 * HOUR_MS }, 'up'],
  ['paused all day', { unknownMs: 24 * HOUR_MS }, 'unknown'],
]

describe('the state of a day', () => {
  for (const [what, times, state] of CASES) {
    it(`is ${state}: ${what}`, () => assert.equal(dayStateOf(times && { ...NONE, ...times }), state))
  }
})

describe('runs of days', () => {
  const lengths = (told: Parameters<typeof sampleHistory>[0]) =>
    runsOfDays(sampleHistory(told, 10).days).map(({ state, from, days }) => `${state} ${from}+${days.length}`)

  it('are one where every day was well', () => assert.deepEqual(lengths({}), ['up 0+10']))

  it('leave every day alone that has numbers of its own', () => {
    assert.deepEqual(
      lengths({ 9: null, 8: null, 5: { downMs: 1 }, 4: { downMs: 1 }, 0: { maintenanceMs: 1 } }),
      ['none 0+2', 'up 2+2', 'short_outage 4+1', 'short_outage 5+1', 'up 6+3', 'maintenance 9+1'],
    )
  })

  it('tell of a gap in a day that was up, and not of the one that a restart leaves', () => {
    assert.deepEqual(lengths({ 6: { unknownMs: HOUR_MS } }), ['up 0+3', 'up 3+1', 'up 4+6'])
    assert.deepEqual(lengths({ 6: { unknownMs: 2_000 } }), ['up 0+10'])
  })
})
