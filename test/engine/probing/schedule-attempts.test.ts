import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import type { Recorded } from '../../../src/engine/recording/finding.ts'
import { createScheduleWorld, scheduled, UP } from '../../support/probing/schedule-world.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const OPTIONS = { attempts: 3, retry_seconds: 5 }

const recorded = (isAttempt: boolean): Recorded => ({
  kind: 'recorded',
  heartbeatDueAt: null,
  ...(isAttempt && { isAttempt }),
})

describe('a further attempt', () => {
  it('is made after its seconds, and after the last one the next tick comes as ever', async (t) => {
    const world = createScheduleWorld(t)
    world.result = DOWN
    world.answer = () => recorded(world.found.length < 3)
    world.scheduler.load([scheduled({ options: OPTIONS, interval_seconds: 600 })])
    await world.pass(MINUTE_MS)
    const [first = 0, ...others] = world.probed
    assert.deepEqual(
      others.map((ms) => ms - first),
      [5 * SECOND_MS, 10 * SECOND_MS],
    )
    assert.deepEqual(world.found[0]?.patience, {
      ...{ attempts: 3, retryMs: 5 * SECOND_MS, isInverted: false },
      ...{ confirmations: 0, recovery_checks: 1 },
    })
  })

  it('comes instead of ticks that are closer', async (t) => {
    const world = createScheduleWorld(t)
    world.result = DOWN
    world.answer = () => recorded(true)
    world.scheduler.load([scheduled({ options: { attempts: 10, retry_seconds: 30 }, interval_seconds: 10 })])
    await world.pass(95 * SECOND_MS)
    const [first = 0] = world.probed
    assert.deepEqual(
      world.probed.map((ms) => ms - first),
      [0, 30, 60, 90].map((seconds) => seconds * SECOND_MS),
    )
  })

  it('stands in the place of a confirmation that the team wants', async (t) => {
    const world = createScheduleWorld(t)
    world.result = DOWN
    // A confirmation would throw.
    world.scheduler.load([scheduled({ options: { attempts: 1 }, confirmations: 2 })])
    await world.pass(100)
    assert.deepEqual(world.found[0]?.result, DOWN)
  })

  it('that another process left to make is made when it is due, or at once where that is past', async (t) => {
    for (const [dueInMs, second] of [
      [7 * SECOND_MS, 7],
      [-MINUTE_MS, 0],
    ] as const) {
      const world = createScheduleWorld(t)
      const now = Date.now()
      const left = { next_attempt_at: new Date(now + dueInMs), last_checked_at: new Date(now - MINUTE_MS) }
      const monitor = scheduled({ options: OPTIONS, interval_seconds: 3_600, pending: false, ...left })
      world.scheduler.load([monitor])
      await world.pass(10 * SECOND_MS)
      assert.deepEqual(
        world.probed.map((ms) => Math.floor(ms / SECOND_MS)),
        [second],
      )
      t.mock.timers.reset()
    }
  })

  it('is not made of what passes', async (t) => {
    const world = createScheduleWorld(t)
    world.result = UP
    world.scheduler.load([scheduled({ options: OPTIONS, interval_seconds: 600 })])
    await world.pass(MINUTE_MS)
    assert.equal(world.probed.length, 1)
  })
})
