import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { SLOTS } from '../../../src/core/probing/slot.ts'
import type { Assignment } from '../../../src/engine/probing/assignment.ts'
import { balance } from '../../../src/engine/probing/balance.ts'
import { createClock } from '../../../src/engine/probing/clock.ts'
import { createProber, LEASE_SECONDS, type Prober } from '../../../src/engine/probing/membership-loop.ts'
import type { CheckingThreads } from '../../../src/engine/threads/checking-threads.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { holdLease } from '../../../src/postgres/leases.ts'
import { createRegistry } from '../../../src/store/probing/registry.ts'
import type { ScheduledMonitor } from '../../../src/store/probing/schedule.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addMonitors } from '../../support/records/monitors.ts'
import { countRows } from '../../support/records/rows.ts'
import { suiteScope } from '../../support/scope.ts'
import { until } from '../../support/until.ts'

const LEASE = 'scheduler'
const MONITORS = 8

type Probing = {
  prober: Prober
  assignments: Assignment[]
  /** Its latest assignment. */
  loaded: number[]
  /** How many monitors it was given at a time. */
  portions: number[]
  /** How often it asked what waits for a check. */
  waitingRead: number
  handedOver: number[][]
  /** How often it was told that its region is asked to confirm something. */
  confirmed: number
  notes: string[]
  /** The clock of its machine is ahead by this. */
  aheadMs: number
  /** The time at which its monotonic clock stands still; null if it runs. */
  standsAtMs: number | null
  offsetMs: number
  /** Whether it records what it finds. */
  records: boolean
}

describe('a process that probes', () => {
  const scope = suiteScope()
  const holder = randomUUID()
  let db: Database
  let probing: Probing[] = []

  beforeEach(async () => {
    const database = await openTestDatabase()
    const started: Probing[] = []
    probing = started
    scope.after(async () => {
      // All at once: each of them would wait for another one to take over.
      await database.db.pool.query('DELETE FROM probers')
      for (const { prober } of started) prober.wake()
      await Promise.all(started.map(({ prober }) => prober.close()))
      await database.close()
    })
    db = database.db
    await holdLease(db, LEASE, holder, 600)
    await addMonitors(db, MONITORS, (index) => ({ slot: (index * SLOTS) / MONITORS }))
  })

  function start(region = '', standsAtMs: number | null = null): Probing {
    const found = {
      assignments: [],
      loaded: [],
      portions: [],
      waitingRead: 0,
      handedOver: [],
      confirmed: 0,
      notes: [],
      aheadMs: 0,
      standsAtMs,
      offsetMs: 0,
      records: true,
    } as unknown as Probing
    let checked: ScheduledMonitor[] = []
    const registry = createRegistry(db, LEASE_SECONDS)
    const monotonicMs = () => found.standsAtMs ?? performance.now()
    const wallMs = () => Date.now() + found.aheadMs
    const checking: CheckingThreads = {
      async load(slots, monitors) {
        const others = checked.filter(({ slot }) => !slots.includes(slot))
        checked = [...others, ...monitors]
        found.loaded = checked.map(({ id }) => id)
        found.portions.push(monitors.length)
      },
      apply() {},
      confirm() {
        found.confirmed++
      },
      assign(assignment, offsetMs) {
        found.assignments.push(assignment)
        found.offsetMs = offsetMs
      },
      async handOver(slots) {
        checked = checked.filter(({ slot }) => !slots.includes(slot))
        found.handedOver.push(slots)
        return []
      },
      running: true,
      async close() {},
    }
    found.prober = createProber({
      registry: {
        ...registry,
        readChanges(share, which) {
          if (which === 'waiting') found.waitingRead++
          return registry.readChanges(share, which)
        },
      },
      region,
      host: 'here',
      pid: 1,
      clock: createClock(monotonicMs, wallMs),
      monotonicMs,
      wallMs,
      checking,
      onTrouble: () => {},
      note: (message) => found.notes.push(message),
      mayHold: () => found.records,
    })
    probing.push(found)
    return found
  }

  const share = async () => {
    // A slow machine must not make a living process look dead.
    await balance(db, LEASE, holder, true)
    for (const { prober } of probing) prober.wake()
  }
  const untilChecks = (probing: Probing, monitors: number) =>
    until(`${monitors} monitors`, async () => {
      await share()
      return probing.loaded.length === monitors
    })
  const joined = (count: number) =>
    until(`${count} members`, async () => (await countRows(db, 'probers')) === count)
  const memberships = ({ assignments }: Probing) => [
    ...new Set(assignments.map(({ membership }) => membership)),
  ]

  it('checks the monitors of its slots, and hands over those that another one is to have', async () => {
    const first = start()
    await joined(1)
    await untilChecks(first, MONITORS)
    const second = start()
    await joined(2)
    await untilChecks(second, MONITORS / 2)
    await untilChecks(first, MONITORS / 2)
    assert.deepEqual(
      first.handedOver.map(({ length }) => length),
      [SLOTS / 2],
    )
    assert.equal(new Set([...first.loaded, ...second.loaded]).size, MONITORS)

    const closing = second.prober.close()
    await until(
      'the word that it leaves',
      async () => (await countRows(db, 'probers', { leaving: true })) > 0,
    )
    await share()
    await closing
    await untilChecks(first, MONITORS)
    assert.equal(await countRows(db, 'probers'), 1)
  })

  it('reads its schedule some slots at a time, and those that it holds already no more', async () => {
    // After 45 s without a look for changes it would read everything again.
    const one = start('', performance.now())
    await untilChecks(one, MONITORS)
    const { portions } = one
    assert.ok(portions.length > 1)
    assert.equal(
      portions.reduce((sum, monitors) => sum + monitors, 0),
      MONITORS,
    )
    const other = start('nyc')
    await until('turns of two regions', async () => {
      await share()
      return other.loaded.length === MONITORS && one.assignments.at(-1)?.turns.regions.length === 2
    })
    const { waitingRead } = one
    await db.pool.query('UPDATE turns SET effective_at = now()')
    await until('what waits for a check, once these turns count', () => {
      one.prober.wake()
      return one.waitingRead > waitingRead
    })
    assert.equal(one.loaded.length, MONITORS)
    assert.equal(
      one.portions.reduce((sum, monitors) => sum + monitors, 0),
      MONITORS,
    )
  })

  it('that cannot record leaves its slots to others at once, if there are any, and joins again when it can', async () => {
    const ill = start()
    await untilChecks(ill, MONITORS)
    ill.records = false
    const renewals = ill.assignments.length
    await until('it was asked twice', () => {
      ill.prober.wake()
      return ill.assignments.length > renewals + 2
    })
    assert.equal(ill.loaded.length, MONITORS)
    const well = start()
    await untilChecks(well, MONITORS)
    assert.deepEqual(ill.loaded, [])
    assert.equal(ill.prober.healthy, false)
    assert.match(ill.notes.join(), /cannot record/)
    assert.equal(await countRows(db, 'probers'), 1)
    ill.records = true
    await untilChecks(ill, MONITORS / 2)
    await untilChecks(well, MONITORS / 2)
  })

  it('that others have taken over from checks nothing more, and joins again under another membership', async () => {
    const lost = start()
    await joined(1)
    await untilChecks(lost, MONITORS)
    await db.pool.query('DELETE FROM probers')
    lost.prober.wake()
    await until('another membership', () => memberships(lost).length === 2)
    assert.deepEqual(lost.loaded, [])
    const [before, after] = memberships(lost)
    assert.ok(Number(after) > Number(before))
    assert.match(lost.notes.join(), /joins again/)
    await untilChecks(lost, MONITORS)
  })

  it('is believed for a short time after each renewal only', async () => {
    const renewedMs = 5_000
    const one = start('', renewedMs)
    await until('a renewal', () => one.prober.healthy)
    const { validUntilMs } = one.assignments.at(-1) as Assignment
    const validMs = Math.round(validUntilMs - one.offsetMs - renewedMs)
    assert.ok(validMs > 0 && validMs < LEASE_SECONDS * 1_000, `${validMs} ms`)
    one.standsAtMs = renewedMs + validMs - 1
    assert.equal(one.prober.healthy, true)
    one.standsAtMs = renewedMs + validMs
    assert.equal(one.prober.healthy, false)
  })

  it('stops at once where nobody could take over', async () => {
    const alone = start()
    await joined(1)
    await alone.prober.close()
    assert.deepEqual([await countRows(db, 'probers'), alone.handedOver], [0, []])
  })

  it('goes by the clock of the database, and says when its own is wrong', async () => {
    const one = start()
    await until('a renewal', () => one.assignments.length > 0)
    assert.deepEqual(one.notes, [])
    const { offsetMs } = one
    one.aheadMs = 3_600_000
    one.prober.wake()
    await until('a word about the clock', () => one.notes.length > 0)
    assert.match(one.notes.join(), /^the clock of this machine is 3600\.\d s ahead of the database's/)
    assert.ok(Math.abs(one.offsetMs - offsetMs) < one.aheadMs / 2)
    one.aheadMs = 0
    one.prober.wake()
    await until('a better word', () => one.notes.length === 2)
    assert.match(one.notes[1] ?? '', /agrees/)
  })
})
