import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createMonitorKeeper,
  isProbedDifferently,
  monitorToCheck,
} from '../../../src/engine/probing/kept-monitor.ts'
import { createScheduleEntries } from '../../../src/engine/probing/schedule-entries.ts'
import { entryOf, type RunningCheck, type ScheduleEntry } from '../../../src/engine/probing/schedule-entry.ts'
import { scheduled } from '../../support/probing/schedule-world.ts'

/** More than the entries have room for at first. */
const MONITORS = 2_000
const SLOTS = 50

const keep = createMonitorKeeper()

/** An entry in which every value differs from those of its neighbours. */
function entryFor(id: number, revision = id): ScheduleEntry {
  const monitor = scheduled({
    ...{ id, revision, slot: id % SLOTS, url: `http://127.0.0.1/${id}` },
    changed_at: new Date(1_700_000_000_000 + id),
    check_requested_at: id % 3 === 0 ? new Date(1_700_000_000_500 + id) : null,
    password: id % 5 === 0 ? `sealed ${id}` : null,
    interval_seconds: 30 + (id % 4),
  })
  return {
    ...entryOf(keep(monitor), id % 2 === 0),
    ...{ dueMs: 1_700_000_060_050 + id, tickMs: id % 7 === 0 ? null : 1_700_000_060_000 + id },
    ...{ begun: id % 3 !== 0, unjudged: id % 9, endedMs: 1_700_000_001_000 + id, tookTurns: id % 2 },
  }
}

function runningCheck(): RunningCheck {
  const controller = new AbortController()
  return { controller, judged: false, isAskedAgain: false, overrun: null, done: Promise.resolve() }
}

describe('the entries of a schedule', () => {
  it('say of each monitor what was put last, however many come and go', () => {
    const entries = createScheduleEntries()
    const expected = new Map<number, ScheduleEntry>()
    const put = (entry: ScheduleEntry) => {
      entries.put(entry)
      expected.set(entry.monitor.id, entry)
    }
    for (let id = 1; id <= MONITORS; id++) put(entryFor(id))
    for (let id = 1; id <= MONITORS; id++) {
      if (id % 4 === 0) put(entryFor(id, id + 1))
      if (id % 10 === 0 || id > MONITORS / 4) {
        entries.delete(id)
        expected.delete(id)
      }
    }
    for (let id = MONITORS; id <= MONITORS + 20; id++) put(entryFor(id))

    assert.equal(entries.size, expected.size)
    for (let id = 1; id <= MONITORS + 20; id++) assert.deepEqual(entries.get(id), expected.get(id))
    const inSlot = [...expected.values()].filter(({ monitor }) => monitor.slot === 7)
    assert.deepEqual(
      entries.where((_, slot) => slot === 7).toSorted((a, b) => a.monitor.id - b.monitor.id),
      inSlot.toSorted((a, b) => a.monitor.id - b.monitor.id),
    )
  })

  it('give the one object of a check under way, and copies of all others', () => {
    const entries = createScheduleEntries()
    const entry = entryFor(1)
    entries.put(entry)
    assert.notEqual(entries.get(1), entry)
    const running = runningCheck()
    entry.running = running
    entries.put(entry)
    assert.equal(entries.get(1), entry)
    assert.deepEqual(entries.underWay(), [{ entry, running }])
    entry.running = null
    entry.wasUp = true
    entries.put(entry)
    assert.deepEqual([entries.underWay(), entries.get(1)], [[], entry])
    assert.notEqual(entries.get(1), entry)
    entries.delete(1)
    assert.deepEqual([entries.get(1), entries.size], [undefined, 0])
  })
})

describe('what is kept of a monitor', () => {
  it('is one object for the settings that many have alike', () => {
    const [first, second, other] = [{ id: 1 }, { id: 2 }, { id: 3, port: 25 }].map((changes) =>
      keep(scheduled({ ...changes, url: `http://127.0.0.1/${changes.id}` })),
    )
    assert.equal(first?.shared, second?.shared)
    assert.notEqual(first?.shared, other?.shared)
  })

  it('gives a check every setting back', () => {
    const monitor = scheduled({ request_headers: 'sealed', password: 'sealed, too', own_regions: ['acme'] })
    const { pending, up, last_checked_at, heartbeat_due_at, due_from, cut, ...others } = monitor
    const { next_attempt_at, slot, changed_at, check_requested_at, ...needed } = others
    assert.deepEqual(monitorToCheck(keep(monitor)), needed)
  })

  it('tells a setting of the probe from others', () => {
    const before = keep(scheduled())
    for (const changes of [
      { url: 'http://127.0.0.1/2' },
      { port: 25 },
      { password: 'sealed' },
      { type: 'tcp' as const },
    ]) {
      assert.equal(isProbedDifferently(before, keep(scheduled(changes))), true)
    }
    const others = { revision: 2, interval_seconds: 30, confirmations: 2, own_regions: ['acme'], slot: 9 }
    assert.equal(isProbedDifferently(before, keep(scheduled(others))), false)
  })
})
