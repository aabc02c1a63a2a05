import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type SaidPost, saidDays, saidStates } from '../../../src/core/status-pages/component-history.ts'
import type { SaidState } from '../../../src/core/status-pages/component-state.ts'
import type { PostPhase } from '../../../src/core/status-pages/post.ts'

const NOW = new Date('2027-03-10T12:00:00Z')
const DAY = new Date('2027-03-10T00:00:00Z')
const LONG_AGO = new Date('2026-01-01T00:00:00Z')
const HOUR_MS = 3_600_000
const at = (hour: number) => new Date(DAY.getTime() + hour * HOUR_MS)

/** Updates at hours of the day about the component 1. */
function post(...updates: [hour: number, phase: PostPhase, state?: SaidState][]): SaidPost {
  return {
    updates: updates.map(([hour, phase, state]) => ({
      at: at(hour),
      phase,
      impacts: state ? [{ component_id: 1, state }] : [],
    })),
  }
}

type Hours = { up?: number; degraded?: number; down?: number; maintenance?: number; unknown?: number }
const CASES: Record<string, [posts: SaidPost[], now: string | undefined, hours: Hours]> = {
  'no post': [[], undefined, { up: 12 }],
  'one that goes on': [[post([10, 'investigating', 'major_outage'])], 'major_outage', { up: 10, down: 2 }],
  'one whose latest update names it no more': [
    [post([8, 'investigating', 'degraded'], [9, 'monitoring'])],
    undefined,
    { up: 11, degraded: 1 },
  ],
  'one that got worse and is over, whatever its last update names': [
    [
      post(
        [1, 'investigating', 'degraded'],
        [2, 'identified', 'partial_outage'],
        [4, 'resolved', 'partial_outage'],
      ),
    ],
    undefined,
    { up: 9, degraded: 1, down: 2 },
  ],
  'two at once, of which the worse counts': [
    [post([6, 'investigating', 'degraded']), post([8, 'investigating', 'major_outage'])],
    'major_outage',
    { up: 6, degraded: 2, down: 4 },
  ],
  'maintenance to come': [[post([6, 'scheduled', 'maintenance'])], undefined, { up: 12 }],
  'maintenance that is on': [
    [post([6, 'scheduled', 'maintenance'], [11, 'in_progress', 'maintenance'])],
    'maintenance',
    { up: 11, maintenance: 1 },
  ],
  'one that says it works': [[post([6, 'monitoring', 'operational'])], 'operational', { up: 12 }],
}

describe('the state and the day of a component without a monitor, by', () => {
  for (const [name, [posts, state, hours]] of Object.entries(CASES)) {
    it(name, () => {
      assert.equal(saidStates(posts, NOW).get(1), state)
      const [day] = saidDays(posts, { id: 1, createdAt: LONG_AGO }, [DAY], NOW)
      const ms = (count = 0) => count * HOUR_MS
      assert.deepEqual(day?.times, {
        upMs: ms(hours.up),
        degradedMs: ms(hours.degraded),
        downMs: ms(hours.down),
        maintenanceMs: ms(hours.maintenance),
        unknownMs: 0,
      })
    })
  }

  it('posts that are older than it is: it has no time before it was there', () => {
    const posts = [post([1, 'investigating', 'degraded'], [3, 'resolved'])]
    const days = [new Date(DAY.getTime() - 24 * HOUR_MS), DAY]
    const [before, today] = saidDays(posts, { id: 1, createdAt: at(6) }, days, NOW)
    assert.equal(before?.times, null)
    assert.deepEqual([today?.times?.upMs, today?.times?.degradedMs], [6 * HOUR_MS, 0])
  })
})
