import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createScheduleReading } from '../../../src/engine/probing/schedule-reading.ts'
import type { ScheduleChange, ScheduledMonitor } from '../../../src/store/probing/schedule.ts'
import { scheduled } from '../../support/probing/schedule-world.ts'
import { until } from '../../support/until.ts'

const SLOTS = 20
const IN_EACH = 500

/** Reading whose database and threads are the test's: `checked` is what the threads have. */
function createWorld() {
  const world = {
    stored: new Map<number, ScheduledMonitor>(),
    checked: new Map<number, ScheduledMonitor>(),
    share: { holder: 1, slots: Array.from({ length: SLOTS }, (_, slot) => slot) } as {
      holder: number
      slots: number[]
    } | null,
    /** The questions in their order: how many slots of the schedule, or which changes. */
    asked: [] as (number | string)[],
    parts: [] as number[],
    largest: 0,
    troubles: [] as unknown[],
    nowMs: 0,
    /** Called before each answer of the database. */
    before: (_statement: number) => {},
  }
  for (let id = 0; id < SLOTS * IN_EACH; id++) world.stored.set(id, scheduled({ id, slot: id % SLOTS }))

  async function answer<T>(asked: number | string, rows: T[]): Promise<T[]> {
    world.asked.push(asked)
    world.largest = Math.max(world.largest, rows.length)
    const statement = world.asked.length
    await new Promise((resolve) => setImmediate(resolve))
    world.before(statement)
    return rows
  }
  const reading = createScheduleReading({
    registry: {
      readSchedule(share) {
        const slots = share === 'heartbeats' ? [] : share.slots
        const monitors = [...world.stored.values()].filter(({ slot }) => slots.includes(slot))
        return answer(slots.length, monitors)
      },
      readChanges: (_share, which) =>
        answer<ScheduleChange>(
          String(which),
          (typeof which === 'string' ? [] : which).map(
            (id) => world.stored.get(id) ?? { id, revision: 9, stopped: true as const },
          ),
        ),
    },
    checking: {
      async load(slots, monitors, part) {
        for (const { id, slot } of world.checked.values()) if (slots.includes(slot)) world.checked.delete(id)
        for (const monitor of monitors) world.checked.set(monitor.id, monitor)
        world.parts.push(part)
      },
      apply(changes) {
        for (const change of changes) {
          if ('stopped' in change) world.checked.delete(change.id)
          else world.checked.set(change.id, change)
        }
      },
    } as Parameters<typeof createScheduleReading>[0]['checking'],
    share: () => world.share,
    monotonicMs: () => world.nowMs,
    onTrouble: (error) => world.troubles.push(error),
  })
  return { world, reading }
}

describe('reading the schedule', () => {
  it('takes some slots at a time, however many there are', async () => {
    const { world, reading } = createWorld()
    const done = reading.read(world.share?.slots ?? [])
    assert.equal(reading.isLoaded(SLOTS - 1), false)
    await done
    assert.deepEqual(world.asked, [1, 4, 4, 4, 4, 3])
    assert.deepEqual([world.checked.size, world.largest], [SLOTS * IN_EACH, 2_000])
    assert.deepEqual(world.parts, [0.05, 0.25, 0.45, 0.65, 0.85, 1])
    assert.equal(reading.isLoaded(SLOTS - 1), true)
  })

  it('reads only what has come, and again only what is asked for', async () => {
    const { world, reading } = createWorld()
    await reading.read([1, 2])
    assert.deepEqual([world.asked, world.checked.size], [[1, 1], 2 * IN_EACH])
    await reading.read([])
    assert.equal(world.asked.length, 2)
  })

  it('reads changes between two portions: the newest counts, and what is gone stays away', async () => {
    const { world, reading } = createWorld()
    const [early, late] = [0, SLOTS - 1]
    world.before = (statement) => {
      if (statement !== 3) return
      // The slot of the first was read, that of the second was not, and that of the third is being read.
      for (const id of [early, late]) world.stored.set(id, scheduled({ id, slot: id, revision: 2 }))
      world.stored.delete(5)
      reading.changed([early, late, 5])
    }
    await reading.read(world.share?.slots ?? [])
    assert.deepEqual(world.asked, [1, 4, 4, `${early},${late},5`, 4, 4, 3])
    assert.deepEqual([world.checked.get(early)?.revision, world.checked.get(late)?.revision], [2, 2])
    assert.equal(world.checked.has(5), false)
    assert.equal(world.checked.size, SLOTS * IN_EACH - 1)
  })

  it('reads again what could not be read', async () => {
    const { world, reading } = createWorld()
    world.before = (statement) => {
      if (statement === 2) throw new Error('the database is gone')
    }
    await reading.read(world.share?.slots ?? [])
    assert.deepEqual([world.troubles.length, world.checked.size], [1, IN_EACH])
    assert.equal(reading.isLoaded(0) && !reading.isLoaded(1), true)
    assert.equal(reading.failing, true)
    await reading.read([])
    assert.equal(reading.failing, false)
    assert.deepEqual([world.troubles.length, world.checked.size], [1, SLOTS * IN_EACH])
  })

  it('does not fail any longer once what it could not read is gone', async () => {
    const { world, reading } = createWorld()
    world.before = () => {
      throw new Error('the database is gone')
    }
    await reading.read([0])
    assert.equal(reading.failing, true)
    reading.drop([0])
    assert.equal(reading.failing, false)
  })

  it('asks again for what waits for a check, where that did not work', async () => {
    const { world, reading } = createWorld()
    world.share = { holder: 1, slots: [0] }
    world.before = (statement) => {
      if (statement === 1) throw new Error('the database is gone')
    }
    reading.changed('waiting')
    await until('the trouble', () => world.troubles.length === 1)
    await reading.read([])
    await until('another question', () => world.asked.length === 2)
    assert.deepEqual(world.asked, ['waiting', 'waiting'])
  })

  it('reads everything again when it could not look for changes for as long as they are looked for', async () => {
    const { world, reading } = createWorld()
    world.share = { holder: 1, slots: [0] }
    await reading.read([0])
    world.nowMs = 30_000
    reading.changed('recent')
    await until('a look', () => world.asked.length === 2)
    // No region could be asked meanwhile.
    world.stored.set(0, scheduled({ id: 0, slot: 0, revision: 2 }))
    world.nowMs = 100_000
    reading.changed('recent')
    await until('the change', () => world.checked.get(0)?.revision === 2)
    assert.deepEqual(world.asked, [1, 'recent', 'recent', 1])
  })

  it('does not take what it was told under a membership that has ended', async () => {
    const { world, reading } = createWorld()
    world.before = (statement) => {
      if (statement === 2) world.share = { holder: 2, slots: [0] }
    }
    await reading.read(world.share?.slots ?? [])
    assert.deepEqual([world.asked, world.checked.size], [[1, 4], IN_EACH])
  })
})
