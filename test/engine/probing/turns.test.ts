import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { resultWithout } from '../../../src/core/monitors/check.ts'
import { TURN_NOTICE_MS, type Turns } from '../../../src/core/probing/turns.ts'
import {
  createRegionsWorld,
  type RegionProcess,
  type RegionsWorld,
} from '../../support/probing/regions-world.ts'
import { scheduled } from '../../support/probing/schedule-world.ts'
import { compareWithTicks, everySecond } from '../../support/probing/threads-world.ts'

const SECOND_MS = 1_000
const MONITORS = 50
/** Slower than the interval. */
const SLOW_MS = 1_300

const turnsOf = (...regions: string[]): Turns => ({ number: 1, before: regions, regions, effectiveAtMs: 0 })

function startAll(t: TestContext, regions: string[], turns = turnsOf(...regions)) {
  const world = createRegionsWorld(t)
  const processes = regions.map((region) => world.process(region))
  const monitors = everySecond(1, MONITORS).map((monitor) => ({ ...monitor, slot: monitor.id % 2 }))
  for (const process of processes) {
    process.assign(turns)
    process.scheduler.load(monitors.map((monitor) => ({ ...monitor })))
  }
  return { world, processes, monitors }
}

function assertSteady({ recorded, overlaps, timesOf }: RegionsWorld) {
  const { missed, doubled } = compareWithTicks(timesOf())
  assert.deepEqual([recorded.size, overlaps, missed, doubled], [MONITORS, 0, 0, 0])
}

const regionsOf = (world: RegionsWorld, id: number) =>
  (world.recorded.get(id) ?? []).map(({ region }) => region)

describe('regions that take turns', () => {
  it('check every tick once, and never two in a row', async (t) => {
    const { world } = startAll(t, ['lon', 'nyc', 'sgp'])
    await world.pass(9 * SECOND_MS)
    assertSteady(world)
    for (const id of world.recorded.keys()) {
      const regions = regionsOf(world, id)
      for (const [i, region] of regions.entries()) assert.notEqual(region, regions[i + 1])
      assert.deepEqual(new Set(regions), new Set(['lon', 'nyc', 'sgp']))
    }
  })

  it('change them without a tick missed or doubled', async (t) => {
    const { world, processes } = startAll(t, ['lon', 'nyc'], turnsOf('lon'))
    await world.pass(2 * SECOND_MS)
    const effectiveAtMs = world.now() + TURN_NOTICE_MS
    const turns: Turns = { number: 2, before: ['lon'], regions: ['lon', 'nyc'], effectiveAtMs }
    processes[0]?.assign(turns)
    // The other one hears of it later.
    await world.pass(SECOND_MS)
    processes[1]?.assign(turns)
    await world.pass(6 * SECOND_MS)
    assertSteady(world)
    const early = [...world.recorded.values()]
      .flat()
      .filter(({ at, region }) => region === 'nyc' && at < effectiveAtMs)
    assert.deepEqual(early, [])
    assert.deepEqual(new Set(regionsOf(world, 1).slice(-2)), new Set(['lon', 'nyc']))
  })

  it('of a reserved region check what it is open to, and leave no tick of the others out', async (t) => {
    const world = createRegionsWorld(t)
    const turns = { ...turnsOf('acme', 'lon', 'nyc'), reserved: ['acme'] }
    for (const region of turns.regions) {
      const process = world.process(region)
      process.assign(turns)
      const monitors = everySecond(1, MONITORS).map((monitor) => ({
        ...monitor,
        own_regions: monitor.id % 2 === 0 ? ['acme'] : [],
      }))
      process.scheduler.load(monitors)
    }
    await world.pass(9 * SECOND_MS)
    assertSteady(world)
    for (const id of world.recorded.keys()) {
      const expected = id % 2 === 0 ? ['acme', 'lon', 'nyc'] : ['lon', 'nyc']
      assert.deepEqual([...new Set(regionsOf(world, id))].sort(), expected)
    }
  })

  it('take a reserved region in that was opened to monitors while they are checked', async (t) => {
    const { world, processes, monitors } = startAll(t, ['acme', 'lon', 'nyc'], turnsOf('lon', 'nyc'))
    await world.pass(2 * SECOND_MS)
    for (const { scheduler } of processes) {
      scheduler.apply(
        monitors.map((monitor) => ({ ...monitor, own_regions: monitor.id % 2 ? ['acme'] : [] })),
      )
    }
    const effectiveAtMs = world.now() + TURN_NOTICE_MS
    const regions = ['acme', 'lon', 'nyc']
    const turns: Turns = { number: 2, before: ['lon', 'nyc'], regions, effectiveAtMs, reserved: ['acme'] }
    for (const process of processes) process.assign(turns)
    await world.pass(9 * SECOND_MS)
    assertSteady(world)
    for (const id of world.recorded.keys()) {
      assert.deepEqual([...new Set(regionsOf(world, id))].sort(), id % 2 ? regions : ['lon', 'nyc'])
    }
  })

  it('leave a monitor alone at which another one is still looking', async (t) => {
    const { world } = startAll(t, ['lon', 'nyc', 'sgp'])
    world.probeMs = (id) => (id % 2 === 0 ? SLOW_MS : 5)
    await world.pass(12 * SECOND_MS)
    assert.deepEqual([world.overlaps, world.recorded.size], [0, MONITORS])
    const slow = world.recorded.get(2) ?? []
    assert.ok(slow.length >= 5, `${slow.length} checks of a slow target in 12 s`)
    assert.ok(new Set(slow.map(({ region }) => region)).size > 1)
  })

  for (const [regions, slowMs, least] of [
    [['lon', 'nyc'], SLOW_MS, 9],
    [['lon', 'nyc', 'sgp'], 2_100, 6],
  ] as const) {
    it(`look in turn at what takes ${slowMs} ms from ${regions.length} regions, whoever began`, async (t) => {
      const { world } = startAll(t, [...regions])
      world.probeMs = () => slowMs
      await world.pass(24 * SECOND_MS)
      assert.equal(world.overlaps, 0)
      for (const id of world.recorded.keys()) {
        const seen = regionsOf(world, id)
        assert.ok(seen.length >= least, `${seen}`)
        assert.deepEqual(new Set(seen), new Set(regions))
        const isThird = seen.some((region, i) => region === seen[i + 1] && region === seen[i + 2])
        assert.ok(!isThird, `never three times in a row from the same region: ${seen}`)
      }
    })
  }

  it('end only when they have said that they are at nothing any more', async (t) => {
    const { world, processes } = startAll(t, ['lon', 'nyc'])
    world.probeMs = () => SLOW_MS
    await world.pass(SECOND_MS)
    assert.ok(world.claimed() > 0)
    const closed = Promise.all(
      processes.map(async ({ scheduler }) => {
        await scheduler.close()
        return world.claimed()
      }),
    )
    await world.pass(200)
    assert.equal((await closed).at(-1), 0)
  })

  it('give up what they could not say that they are still at', async (t) => {
    const { world } = startAll(t, ['lon', 'nyc'])
    world.probeMs = () => SLOW_MS
    await world.pass(400)
    world.databaseMs = null
    await world.pass(4 * SECOND_MS)
    assert.equal(world.overlaps, 0)
    const before = world.recorded.get(1)?.length ?? 0
    world.databaseMs = 10
    await world.pass(4 * SECOND_MS)
    assert.equal(world.overlaps, 0)
    assert.ok((world.recorded.get(1)?.length ?? 0) > before)
  })

  it('check what is new, asked for or changed at once in one of them', async (t) => {
    const { world, processes } = startAll(t, ['lon', 'nyc', 'sgp'])
    const hourly = scheduled({
      id: 99,
      url: 'http://127.0.0.1/99',
      interval_seconds: 3_600,
      changed_at: new Date(),
    })
    const tell = async (changes: object) => {
      for (const { scheduler } of processes) {
        scheduler.apply([{ ...hourly, ...changes }])
        await world.pass(30)
      }
      await world.pass(SECOND_MS)
      return world.recorded.get(99)?.length
    }
    assert.equal(await tell({}), 1)
    const checked = { pending: false, last_checked_at: new Date() }
    assert.equal(await tell({ ...checked, check_requested_at: new Date() }), 2)
    assert.equal(
      await tell({ ...checked, revision: 2, url: 'http://localhost/99', changed_at: new Date() }),
      3,
    )
  })

  it('try again where a check could not be judged, until it is the turn of another one', async (t) => {
    const { world } = startAll(t, ['lon', 'nyc'])
    world.result = resultWithout('pending', 'this machine was too busy to judge')
    await world.pass(4 * SECOND_MS)
    const regions = regionsOf(world, 1)
    assert.ok(regions.length > 4)
    assert.deepEqual([world.overlaps, new Set(regions)], [0, new Set(['lon', 'nyc'])])
  })
})

describe('slots that are handed over', () => {
  async function handOver(
    world: RegionsWorld,
    [from, to]: RegionProcess[],
    monitors: ReturnType<typeof everySecond>,
  ) {
    const fromMs = world.now() + 100
    let cut: number[] | null = null
    void from?.scheduler.handOver([1], fromMs, 2 * SECOND_MS).then((given) => {
      cut = given
    })
    while (cut === null) await world.pass(10)
    const due_from = new Date(fromMs)
    const moved = monitors
      .filter(({ slot }) => slot === 1)
      .map((monitor) => ({
        ...monitor,
        last_checked_at: new Date(world.recorded.get(monitor.id)?.at(-1)?.at ?? 0),
        due_from,
        cut: (cut as unknown as number[]).includes(monitor.id),
      }))
    // Reading the schedule takes a while.
    await world.pass(100)
    to?.scheduler.load(moved)
    return cut as unknown as number[]
  }

  for (const [what, probeMs] of [
    ['quick targets', 5],
    ['targets that take a while', 250],
  ] as const) {
    it(`miss and double no tick of ${what}`, async (t) => {
      const { world, processes, monitors } = startAll(t, ['', ''])
      processes[1]?.scheduler.load([])
      world.probeMs = () => probeMs
      await world.pass(3_250)
      assert.deepEqual(await handOver(world, processes, monitors), [])
      await world.pass(4 * SECOND_MS)
      assertSteady(world)
      assert.deepEqual(
        processes.map(({ scheduler }) => scheduler.size),
        [MONITORS / 2, MONITORS / 2],
      )
    })
  }

  it('take a check along that takes too long: it is begun again', async (t) => {
    const { world, processes, monitors } = startAll(t, ['', ''])
    processes[1]?.scheduler.load([])
    world.probeMs = (id) => (id === 1 ? 30 * SECOND_MS : 5)
    await world.pass(2_500)
    assert.deepEqual(await handOver(world, processes, monitors), [1])
    world.probeMs = () => 5
    await world.pass(100)
    assert.equal(world.recorded.get(1)?.length, 1)
    assert.equal(world.overlaps, 0)
  })
})

describe('a process that has not heard from the database', () => {
  it('begins nothing until it has', async (t) => {
    const { world, processes } = startAll(t, [''])
    processes[0]?.assign(turnsOf(''), world.now() + 2 * SECOND_MS)
    await world.pass(6 * SECOND_MS)
    const latest = Math.max(...[...world.recorded.values()].flat().map(({ at }) => at))
    assert.ok(latest <= world.now() - 4 * SECOND_MS)
    const before = world.recorded.get(1)?.length ?? 0
    processes[0]?.assign(turnsOf(''))
    await world.pass(2 * SECOND_MS)
    assert.ok((world.recorded.get(1)?.length ?? 0) >= before + 2)
  })
})

describe('a clock that was set back by an hour', () => {
  it('makes no monitor wait for longer than its interval', async (t) => {
    const { world, processes } = startAll(t, [''])
    await world.pass(2 * SECOND_MS)
    // The timers of the test would go back with it.
    while ((processes[0]?.scheduler.underWay ?? 0) > 0) await world.pass(10)
    t.mock.timers.setTime(world.now() - 3_600 * SECOND_MS)
    world.recorded.clear()
    processes[0]?.scheduler.replan()
    await world.pass(2 * SECOND_MS)
    assert.equal(world.recorded.size, MONITORS)
  })
})
