import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { scheduled } from '../../support/probing/schedule-world.ts'
import {
  compareWithTicks,
  createThreadsWorld,
  everySecond,
  loadAll,
  type ThreadsWorld,
} from '../../support/probing/threads-world.ts'

const SECOND_MS = 1_000
/** Boot of a thread, hand-over and the end of cancelled checks, in steps of the test's time. */
const RESIZE_MS = 700
const SLOW_MS = 400
/** How long no check of a monitor begins while it changes hands, the end of cancelled ones included. */
const MAX_PAUSE_MS = 100

const LEAVING = 9
const ENDLESS_MS = 60_000

const isSlow = (id: number) => id % 5 === 0

/** Some targets are slow, so that checks are under way at any time. */
async function startWith(t: TestContext, cores: number, count: number): Promise<ThreadsWorld> {
  const world = createThreadsWorld(t, cores)
  world.probeMs = (id) => (isSlow(id) ? SLOW_MS : 5)
  world.monitors = everySecond(1, count)
  void loadAll(world.threads, world.monitors)
  await world.pass(3 * SECOND_MS)
  return world
}

function assertSteady(world: ThreadsWorld) {
  const { missed, doubled } = compareWithTicks(world.recorded)
  assert.deepEqual([world.overlaps, missed, doubled, world.troubles], [0, 0, 0, []])
  const quick = [...world.recorded].filter(([id]) => !isSlow(id))
  const { latestMs } = compareWithTicks(new Map(quick))
  assert.ok(latestMs <= MAX_PAUSE_MS, `${latestMs} ms late`)
}

describe('the threads that check', () => {
  it('become more when changes outgrow them: no check twice at once, no tick missed or doubled', async (t) => {
    const world = await startWith(t, 3, 200)
    assert.equal(world.threads.size, 1)
    const added = everySecond(201, 600)
    world.monitors = [...world.monitors, ...added]
    world.threads.apply(added)
    await world.pass(5 * SECOND_MS)
    assert.equal(world.threads.size, 3)
    assert.ok(world.cancelled > 0, 'checks were under way when their monitors changed hands')
    assert.equal(world.recorded.size, 600)
    assertSteady(world)
  })

  it('become as many as all of a schedule needs while only a part of it is there', async (t) => {
    const world = createThreadsWorld(t, 3)
    const all = everySecond(1, 600)
    world.probeMs = (id) => (isSlow(id) ? SLOW_MS : 5)
    const load = (slot: number) => {
      const monitors = all.filter((monitor) => monitor.slot === slot)
      void world.threads.load([slot], monitors, (slot + 1) / 8)
    }
    for (let slot = 0; slot < 4; slot++) load(slot)
    await world.pass(SECOND_MS)
    assert.equal(world.threads.size, 3)
    for (let slot = 4; slot < 8; slot++) load(slot)
    await world.pass(3 * SECOND_MS)
    assert.deepEqual([world.threads.size, world.recorded.size], [3, 600])
    assertSteady(world)
    void world.threads.load([0, 1], [], 1)
    await world.pass(SECOND_MS)
    world.recorded.clear()
    await world.pass(2 * SECOND_MS)
    assert.equal(world.recorded.size, 450)
  })

  it('are as many as the checks of their region need, and become more before a region is gone', async (t) => {
    const world = createThreadsWorld(t, 3)
    world.probeMs = (id) => (isSlow(id) ? SLOW_MS : 5)
    world.monitors = everySecond(1, 600)
    const assign = (before: string[], regions: string[], afterMs = 0) =>
      world.threads.assign(
        {
          membership: null,
          validUntilMs: Number.POSITIVE_INFINITY,
          turns: { number: 1, before, regions, effectiveAtMs: Date.now() + afterMs },
        },
        0,
      )
    assign(['', 'b', 'c', 'd'], ['', 'b', 'c', 'd'])
    void loadAll(world.threads, world.monitors)
    await world.pass(SECOND_MS)
    assert.equal(world.threads.size, 1)
    assign(['', 'b', 'c', 'd'], [''], 2 * SECOND_MS)
    await world.pass(SECOND_MS)
    assert.equal(world.threads.size, 3)
    await world.pass(2 * SECOND_MS)
    world.recorded.clear()
    await world.pass(3 * SECOND_MS)
    assert.equal(world.recorded.size, 600)
    assertSteady(world)
    assign([''], ['', 'b'], -1)
    await world.pass(SECOND_MS)
    assert.equal(world.threads.size, 2)
  })

  it('become fewer at a load, as carefully', async (t) => {
    const world = await startWith(t, 3, 600)
    assert.equal(world.threads.size, 3)
    world.monitors = world.monitors.slice(0, 150)
    const left = new Set(world.monitors.map(({ id }) => id))
    world.threads.apply(
      everySecond(151, 600).map(({ id, revision }) => ({ id, revision: revision + 1, stopped: true })),
    )
    await world.pass(SECOND_MS)
    assert.equal(world.threads.size, 3)
    void loadAll(world.threads, world.monitors)
    await world.pass(4 * SECOND_MS)
    assert.equal(world.threads.size, 1)
    for (const id of world.recorded.keys()) if (!left.has(id)) world.recorded.delete(id)
    assert.ok(world.cancelled > 0)
    assertSteady(world)
  })

  it('take changes at once while another thread is starting', async (t) => {
    const world = await startWith(t, 2, 240)
    const added = everySecond(241, 400)
    world.monitors = [...world.monitors, ...added]
    world.threads.apply(added)
    await world.pass(100)
    const news = scheduled({ id: 401, url: 'http://127.0.0.1/401', interval_seconds: 1 })
    world.threads.apply([news, { id: 7, revision: 2, stopped: true }])
    await world.pass(100)
    assert.equal(world.threads.size, 1)
    assert.equal(world.recorded.get(401)?.length, 1)
    world.recorded.delete(7)
    await world.pass(3 * SECOND_MS)
    assert.deepEqual([world.threads.size, world.recorded.size], [2, 400])
    assert.equal(world.recorded.has(7), false)
    assertSteady(world)
  })

  it('take changes that come while monitors change hands, in their order', async (t) => {
    const world = await startWith(t, 2, 300)
    void loadAll(world.threads, everySecond(1, 600))
    await world.pass(SECOND_MS)
    void loadAll(world.threads, everySecond(1, 20))
    world.threads.apply(everySecond(21, 22))
    world.threads.apply([{ id: 1, revision: 2, stopped: true }])
    await world.pass(RESIZE_MS)
    world.recorded.clear()
    await world.pass(2 * SECOND_MS)
    assert.equal(world.threads.size, 1)
    assert.deepEqual(
      [...world.recorded.keys()].sort((a, b) => a - b),
      Array.from({ length: 21 }, (_, i) => i + 2),
    )
    assert.equal(world.overlaps, 0)
  })

  for (const [what, before, after] of [
    ['more', 200, 600],
    ['fewer', 600, 200],
  ] as const) {
    it(`do not become ${what} while slots leave for another process: no check under way is forgotten`, async (t) => {
      const world = await startWith(t, 3, before)
      const leaving = everySecond(1001, 1040).map((monitor) => ({ ...monitor, slot: LEAVING }))
      const slow = new Set(leaving.map(({ id }) => id))
      world.probeMs = (id) => (slow.has(id) ? ENDLESS_MS : 5)
      void loadAll(world.threads, [...world.monitors, ...leaving])
      await world.pass(2 * SECOND_MS)
      const { size } = world.threads
      const handedOver = world.threads.handOver([LEAVING], Date.now() + 100, SECOND_MS)
      // Slots came in from elsewhere meanwhile, or went.
      world.monitors = everySecond(1, after)
      void loadAll(world.threads, world.monitors)
      await world.pass(3 * SECOND_MS)
      const owed = (await handedOver).toSorted((a, b) => a - b)
      assert.deepEqual(owed, [...slow])
      assert.equal(world.threads.size, size)
      void loadAll(world.threads, world.monitors)
      await world.pass(SECOND_MS)
      assert.notEqual(world.threads.size, size)
      assert.deepEqual([world.overlaps, world.troubles], [0, []])
    })
  }

  it('go on though one of them dies while monitors change hands', async (t) => {
    const world = await startWith(t, 2, 200)
    void loadAll(world.threads, everySecond(1, 400))
    world.monitors = everySecond(1, 400)
    world.started[0]?.die()
    await world.pass(10)
    assert.equal(world.threads.running, false)
    await world.pass(3 * SECOND_MS)
    assert.equal(world.threads.running, true)
    world.recorded.clear()
    await world.pass(2 * SECOND_MS)
    assert.deepEqual([world.threads.size, world.recorded.size, world.overlaps], [2, 400, 0])
    assert.match(String(world.troubles[0]), /checking thread 0 ended unasked/)
  })
  it('do not run while none can be started, and check once one can', async (t) => {
    const world = createThreadsWorld(t, 2)
    world.monitors = everySecond(1, 20)
    world.refuses = true
    void loadAll(world.threads, world.monitors)
    await world.pass(3 * SECOND_MS)
    assert.deepEqual([world.threads.running, world.recorded.size], [false, 0])
    assert.match(String(world.troubles[0]), /no thread can be started/)
    world.refuses = false
    await world.pass(3 * SECOND_MS)
    assert.deepEqual([world.threads.running, world.recorded.size], [true, 20])
  })
})
