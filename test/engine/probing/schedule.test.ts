import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { nextTickMs, phaseMs } from '../../../src/core/probing/schedule.ts'
import { mostOfOne } from '../../../src/core/sharing/share.ts'
import { sizeOf } from '../../../src/core/sharing/shared.ts'
import { createScheduleWorld, scheduled } from '../../support/probing/schedule-world.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
/** Steps of the test's time; a check may be this late. */
const STEP_MS = 10

describe('the schedule', () => {
  it('checks a new monitor at once, then once an interval in its own phase', async (t) => {
    const world = createScheduleWorld(t)
    world.scheduler.load([scheduled()])
    await world.pass(5 * MINUTE_MS)
    const [first, ...others] = world.probed
    assert.ok((first ?? MINUTE_MS) <= STEP_MS)
    assert.equal(others.length, 5)
    for (const at of others) {
      const late = (Date.now() - world.nowMs() + at - phaseMs(1, MINUTE_MS)) % MINUTE_MS
      assert.ok(late <= STEP_MS, `${late} ms late`)
    }
    assert.deepEqual(
      world.found.map(({ monitorId, revision }) => [monitorId, revision]),
      world.probed.map(() => [1, 1]),
    )
  })

  it('checks a quiet team on time beside one whose thousands of monitors all hang', async (t) => {
    const world = createScheduleWorld(t)
    world.probeMs = 10 * MINUTE_MS
    const hanging = Array.from({ length: 5_000 }, (_, n) => scheduled({ id: n + 1, team_id: 1 }))
    world.scheduler.load(hanging)
    await world.pass(SECOND_MS)
    assert.equal(world.scheduler.underWay, mostOfOne(sizeOf('checks')), 'they have their share and no more')
    const before = world.probed.length
    world.scheduler.apply([scheduled({ id: 10_000, team_id: 2 })])
    await world.pass(STEP_MS)
    assert.equal(world.probed.length, before + 1, 'the other team has a place at once')
    world.probeMs = 0
    await world.pass(11 * MINUTE_MS)
    const checked = new Set(world.found.map(({ monitorId }) => monitorId))
    assert.equal(checked.size, 5_001, 'what waited is checked when places are free')
  })

  it('waits for the phase of a monitor that was checked before: missed ticks are not made up for', async (t) => {
    const world = createScheduleWorld(t)
    const long = new Date(Date.now() - 10 * MINUTE_MS)
    world.scheduler.load([scheduled({ pending: false, last_checked_at: long })])
    await world.pass(MINUTE_MS)
    assert.equal(world.probed.length, 1)
  })

  it('never checks a monitor twice at once, and goes on with the next tick after a slow check', async (t) => {
    const world = createScheduleWorld(t)
    world.probeMs = 2_500
    world.scheduler.load([scheduled({ interval_seconds: 1 })])
    await world.pass(2_000)
    assert.deepEqual([world.probed.length, world.scheduler.underWay], [1, 1])
    await world.pass(8_000)
    for (const [i, at] of world.probed.entries()) {
      if (i > 0) assert.ok(at - (world.probed[i - 1] as number) >= 2_500)
    }
    assert.ok(world.probed.length >= 3)
  })

  it('spreads monitors over the interval', async (t) => {
    const world = createScheduleWorld(t)
    const last_checked_at = new Date()
    world.scheduler.load(
      Array.from({ length: 600 }, (_, i) => scheduled({ id: i + 1, pending: false, last_checked_at })),
    )
    await world.pass(MINUTE_MS)
    assert.equal(world.probed.length, 600)
    const perSecond = Array.from({ length: 60 }, () => 0)
    for (const at of world.probed) {
      const second = Math.min(59, Math.floor(at / SECOND_MS))
      perSecond[second] = (perSecond[second] ?? 0) + 1
    }
    assert.ok(Math.max(...perSecond) <= 30, `at most ${Math.max(...perSecond)} in a second`)
  })

  it('a change takes effect at once: what is under way is cancelled and not recorded', async (t) => {
    const world = createScheduleWorld(t)
    world.probeMs = SECOND_MS
    world.scheduler.load([scheduled()])
    await world.pass(500)
    world.scheduler.apply([scheduled({ revision: 2, url: 'http://127.0.0.2/' })])
    await world.pass(1_500)
    assert.equal(world.probed.length, 2)
    assert.deepEqual(
      world.found.map(({ revision }) => revision),
      [2],
    )
    world.scheduler.apply([scheduled({ revision: 1 })])
    await world.pass(MINUTE_MS + SECOND_MS)
    assert.ok(
      world.found.every(({ revision }) => revision === 2),
      'older news is no news',
    )
  })

  it('what is stopped, or not in a new schedule, is not checked any more', async (t) => {
    const world = createScheduleWorld(t)
    world.scheduler.load([
      scheduled({ id: 1, interval_seconds: 1 }),
      scheduled({ id: 2, interval_seconds: 1 }),
    ])
    await world.pass(3_000)
    world.scheduler.apply([{ id: 1, revision: 2, stopped: true }])
    world.scheduler.load([])
    const checked = world.found.length
    assert.ok(checked >= 4)
    await world.pass(5_000)
    assert.deepEqual([world.found.length, world.scheduler.size], [checked, 0])
  })

  it('a new schedule of some slots leaves what is checked of others', async (t) => {
    const world = createScheduleWorld(t)
    world.scheduler.load([
      scheduled({ id: 1, slot: 1 }),
      scheduled({ id: 2, slot: 2 }),
      scheduled({ id: 3, slot: 2 }),
    ])
    await world.pass(1)
    world.scheduler.load([scheduled({ id: 3, slot: 2 })], [], [2, 4])
    assert.equal(world.scheduler.size, 2)
    world.scheduler.load([], [], [])
    assert.equal(world.scheduler.size, 2)
    world.scheduler.load([], [], [1])
    assert.equal(world.scheduler.size, 1)
  })

  it('a check that could not be judged is tried again at once, then less and less often', async (t) => {
    const world = createScheduleWorld(t)
    world.result = resultWithout('pending', 'this machine was too busy to judge')
    world.scheduler.load([scheduled({ id: 3, interval_seconds: 3_600 })])
    await world.pass(8_000)
    const waits = world.probed.slice(1).map((at, i) => at - (world.probed[i] as number))
    assert.equal(waits.length, 4)
    for (const [i, expected] of [0, 1_000, 2_000, 4_000].entries()) {
      const wait = waits[i] as number
      assert.ok(wait >= expected && wait <= expected + 3 * STEP_MS, `waited ${waits}`)
    }
  })

  it('closing cancels what is under way and waits for it', async (t) => {
    const world = createScheduleWorld(t)
    world.probeMs = MINUTE_MS
    world.scheduler.load([scheduled()])
    await world.pass(100)
    await world.scheduler.close()
    assert.deepEqual([world.scheduler.underWay, world.found], [0, []])
  })
})

describe('the silence of a heartbeat', () => {
  const heartbeat = (dueInMs: number) =>
    scheduled({
      type: 'heartbeat',
      url: null,
      interval_seconds: 60,
      heartbeat_due_at: new Date(Date.now() + dueInMs),
    })

  it('is noted at the deadline, with what was missed, and again an interval later', async (t) => {
    const world = createScheduleWorld(t)
    world.answer = () => ({ kind: 'recorded', heartbeatDueAt: new Date(Date.now() + MINUTE_MS) })
    world.scheduler.load([heartbeat(SECOND_MS)])
    for (let second = 0; second < 62; second++) {
      world.scheduler.pulse(Date.now())
      await world.pass(SECOND_MS)
    }
    const [first, second, ...others] = world.found
    assert.deepEqual([first?.heartbeat, first?.result?.errorMessage], ['silence', 'no ping within 60 s'])
    assert.ok(Number(second?.checkedAt) - Number(first?.checkedAt) >= MINUTE_MS)
    assert.deepEqual([others, world.probed], [[], []])
  })

  it('is not noted when a ping has moved the deadline', async (t) => {
    const world = createScheduleWorld(t)
    world.answer = () => ({ kind: 'stale', heartbeatDueAt: new Date(Date.now() + 10 * SECOND_MS) })
    world.scheduler.load([heartbeat(SECOND_MS)])
    for (let second = 0; second < 8; second++) {
      world.scheduler.pulse(Date.now())
      await world.pass(SECOND_MS)
    }
    assert.equal(world.found.length, 1)
  })

  it('is asked about again when windows end, or at once when they change, and not doubted for that', async (t) => {
    const world = createScheduleWorld(t)
    const monitor = heartbeat(SECOND_MS)
    const untilMs = 30 * SECOND_MS
    const endAt = new Date(Date.now() + untilMs)
    world.answer = () => ({ kind: 'stale', heartbeatDueAt: endAt })
    world.scheduler.load([monitor])
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        world.scheduler.pulse(Date.now())
        await world.pass(SECOND_MS)
      }
    }
    await pass(10)
    assert.equal(world.found.length, 1)
    for (let change = 1; change <= 11; change++) {
      world.scheduler.apply([monitor])
      await pass(1)
      assert.equal(world.found.length, 1 + change)
    }
    const before = world.found.length
    await pass(8)
    assert.equal(world.found.length, before)
    await pass(3)
    assert.ok((world.found[before]?.checkedAt.getTime() ?? 0) >= endAt.getTime())
    const { stillTrue } = world.found[before] ?? {}
    await world.pass(SECOND_MS)
    assert.equal(stillTrue?.(), false, 'a process that stood still is not sure of it')
  })

  it('is not believed while the service itself was not seen working', async (t) => {
    const world = createScheduleWorld(t)
    world.scheduler.pulse(Date.now())
    world.scheduler.load([heartbeat(5 * SECOND_MS)])
    await world.pass(20 * SECOND_MS)
    assert.deepEqual(world.found, [])
  })

  it('checks at once what was asked for, once, and goes on in its phase', async (t) => {
    const world = createScheduleWorld(t)
    const monitor = scheduled({ pending: false, last_checked_at: new Date() })
    world.scheduler.load([monitor])
    const due = nextTick(world)
    await world.pass(100)
    assert.equal(world.probed.length, 0)
    const asked = { ...monitor, check_requested_at: new Date() }
    for (let again = 0; again < 3; again++) world.scheduler.apply([{ ...asked }])
    await world.pass(MINUTE_MS)
    const [first = 0, second = 0, more] = world.probed
    assert.ok(first >= 100 && first <= 100 + STEP_MS)
    assert.ok(Math.abs(second - due) <= STEP_MS)
    assert.equal(more, undefined)
  })

  it('takes a check that is under way for the one that was asked for', async (t) => {
    const world = createScheduleWorld(t)
    world.probeMs = 500
    const monitor = scheduled({ interval_seconds: 3_600 })
    world.scheduler.load([monitor])
    await world.pass(100)
    world.scheduler.apply([{ ...monitor, check_requested_at: new Date() }])
    await world.pass(2_000)
    assert.equal(world.probed.length, 1)
  })

  it('checks again what is asked for while a result is written, which may have been seen by then', async (t) => {
    const world = createScheduleWorld(t)
    const monitor = scheduled({ interval_seconds: 3_600 })
    const requests = [{ ...monitor, check_requested_at: new Date() }]
    world.answer = () => {
      world.scheduler.apply(requests.splice(0))
      return { kind: 'recorded', heartbeatDueAt: null }
    }
    world.scheduler.load([monitor])
    await world.pass(SECOND_MS)
    assert.equal(world.probed.length, 2)
  })

  it('has not forgotten a request when another process takes over, unless it was met', async (t) => {
    const world = createScheduleWorld(t)
    const [before, after] = [new Date(Date.now() - 2_000), new Date(Date.now() - 1_000)]
    const hourly = { pending: false, interval_seconds: 3_600 }
    world.scheduler.load([
      scheduled({ ...hourly, id: 1, last_checked_at: before, check_requested_at: after }),
      scheduled({ ...hourly, id: 2, last_checked_at: after, check_requested_at: before }),
    ])
    await world.pass(SECOND_MS)
    assert.deepEqual(
      world.found.map(({ monitorId }) => monitorId),
      [1],
    )
  })
})

/** When monitor 1 is due, in the time of the world, at one check a minute. */
function nextTick(world: { nowMs(): number }): number {
  const startMs = Date.now() - world.nowMs()
  return nextTickMs(startMs, MINUTE_MS, phaseMs(1, MINUTE_MS)) - startMs
}
