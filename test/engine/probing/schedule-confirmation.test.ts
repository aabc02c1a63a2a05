import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import type { FailedCheck } from '../../../src/engine/probing/confirm.ts'
import { createScheduleWorld, scheduled, UP } from '../../support/probing/schedule-world.ts'

const MINUTE_MS = 60_000
const DOWN = resultWithout('down', 'HTTP 503 (expected 200)')
const CONFIRMED = { ...DOWN, note: 'confirmed from nyc' }

describe('a check that fails', () => {
  it('is recorded as it is where the team wants nothing confirmed: nobody is even asked', async (t) => {
    const world = createScheduleWorld(t)
    world.result = DOWN
    // A confirmation would throw.
    world.scheduler.load([scheduled()])
    await world.pass(100)
    assert.deepEqual(
      world.found.map(({ result, region, patience }) => [result, region, patience?.recovery_checks]),
      [[DOWN, null, 1]],
    )
  })

  it('is recorded once, as confirming finds it, from where and for the time of its first attempt', async (t) => {
    const world = createScheduleWorld(t)
    world.result = DOWN
    const asked: FailedCheck[] = []
    world.confirm = async (failed) => {
      asked.push(failed)
      await new Promise((resolve) => setTimeout(resolve, 500))
      return { region: 'nyc', result: CONFIRMED }
    }
    world.scheduler.load([scheduled({ confirmations: 1, recovery_checks: 3 })])
    await world.pass(400)
    assert.equal(world.found.length, 0)
    await world.pass(400)
    assert.deepEqual(
      world.found.map(({ result, region, patience }) => [result, region, patience?.recovery_checks]),
      [[CONFIRMED, 'nyc', 3]],
    )
    assert.equal(world.found[0]?.checkedAt.getTime(), Date.now() - world.nowMs() + (world.probed[0] ?? 0))
    assert.deepEqual(
      asked.map(({ first }) => first),
      [{ region: '', result: DOWN }],
    )
  })

  it('is not asked about when it passes, or could not be judged', async (t) => {
    const world = createScheduleWorld(t)
    world.scheduler.load([scheduled({ confirmations: 3 })])
    await world.pass(100)
    world.result = resultWithout('pending', 'this machine was too busy to judge')
    await world.pass(MINUTE_MS)
    assert.deepEqual(
      world.found.slice(0, 2).map(({ result }) => result?.status),
      ['up', 'pending'],
    )
  })

  it('is confirmed, or is not any more, as soon as the team has changed its mind', async (t) => {
    const world = createScheduleWorld(t)
    const monitor = scheduled()
    world.scheduler.load([monitor])
    await world.pass(100)
    world.result = DOWN
    world.confirm = async () => ({ region: '', result: { ...UP, note: 'not confirmed by another attempt' } })
    // Nothing but that has changed: no check is made for it.
    world.scheduler.apply([{ ...monitor, last_checked_at: new Date(), confirmations: 2, recovery_checks: 2 }])
    await world.pass(100)
    assert.equal(world.found.length, 1)
    await world.pass(MINUTE_MS)
    const [, second] = world.found
    assert.deepEqual(
      [second?.result?.status, second?.patience?.recovery_checks, second?.waitsMs],
      ['up', 2, 0],
    )
    world.scheduler.apply([{ ...monitor, last_checked_at: new Date(), confirmations: 0, recovery_checks: 1 }])
    await world.pass(MINUTE_MS)
    assert.deepEqual(world.found.at(-1)?.result, DOWN)
  })

  it('is given up with its confirmation when its monitor is changed meanwhile', async (t) => {
    const world = createScheduleWorld(t)
    world.result = DOWN
    let cancelled = 0
    world.confirm = ({ first }, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          cancelled++
          resolve(first)
        })
      })
    world.scheduler.load([scheduled({ confirmations: 1 })])
    await world.pass(100)
    world.scheduler.apply([{ id: 1, revision: 2, stopped: true }])
    await world.pass(100)
    assert.deepEqual([cancelled, world.found], [1, []])
  })
})
