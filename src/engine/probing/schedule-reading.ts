import { slotsToRead } from '../../core/probing/slot.ts'
import type { Registry } from '../../store/probing/registry.ts'
import type { ScheduleChange } from '../../store/probing/schedule.ts'
import type { CheckingThreads } from '../threads/checking-threads.ts'

/** Polls look a minute back: a process that could not poll for longer than this reads everything again. */
const MAX_POLL_GAP_MS = 45_000

/** The slots that this process checks now, and the membership that it holds them under. */
export type OwnShare = { holder: number; slots: number[] }

export type ScheduleReading = {
  /**
   * Reads the monitors of these slots and of those that could not be read before; resolves when none is left, or when
   * that failed.
   */
  read(slots: Iterable<number>): Promise<void>
  /** Whether slots are unread because reading them failed. */
  readonly failing: boolean
  /** Whether the slot is being read right now. */
  isUnderWay(slot: number): boolean
  /** Whether its monitors may have been checked here since it came. */
  isLoaded(slot: number): boolean
  /** These slots belong to another process now. */
  drop(slots: Iterable<number>): void
  /** Reads these monitors again, or all that changed lately or wait for a check. */
  changed(which: number[] | 'recent' | 'waiting'): void
  close(): Promise<void>
}

/**
 * Reads the schedule some slots at a time, one statement after the other: each finds what the one before did, or newer.
 * Between two of them changes are read, memberships renewed, and checks begun. Changes are listened to before anything
 * is read, so changes between two portions arrive after them, and none is lost.
 */
export function createScheduleReading(deps: {
  registry: Pick<Registry, 'readSchedule' | 'readChanges'>
  checking: Pick<CheckingThreads, 'load' | 'apply'>
  /** Null while this process has no slots to check. */
  share: () => OwnShare | null
  monotonicMs: () => number
  onTrouble: (error: unknown) => void
}): ScheduleReading {
  const { registry, checking } = deps
  const unread = new Set<number>()
  const underWay = new Set<number>()
  /** The threads have the monitors of these slots, in a version that may be old. */
  const loaded = new Set<number>()
  const atOnce = { schedule: 1, recent: 1, waiting: 1 }
  const asked = new Set<'recent' | 'waiting'>()
  let isWaitingUnread = false
  /** The time of the last poll for changes. */
  let polledMs = deps.monotonicMs()
  let reading: Promise<void> | null = null
  let polling: Promise<void> = Promise.resolve()
  const statements = createSequence()
  let hasFailed = false
  let closed = false

  function read(slots: Iterable<number>): Promise<void> {
    for (const slot of slots) unread.add(slot)
    if (isWaitingUnread) changed('waiting')
    reading ??= readUnread()
      .catch(deps.onTrouble)
      .finally(() => {
        reading = null
      })
    return reading
  }

  async function readUnread() {
    for (let share = nextShare(); share !== null; share = nextShare()) {
      const next = share
      await statements.run(() => readSlots(next))
    }
  }

  function nextShare(): OwnShare | null {
    const own = closed ? null : deps.share()
    const slots = own?.slots.filter((slot) => unread.has(slot)).slice(0, atOnce.schedule) ?? []
    return own && slots.length > 0 ? { holder: own.holder, slots } : null
  }

  async function readSlots({ holder, slots }: OwnShare) {
    for (const slot of slots) {
      unread.delete(slot)
      underWay.add(slot)
    }
    try {
      const monitors = await registry.readSchedule({ holder, slots })
      atOnce.schedule = slotsToRead(slots.length, monitors.length)
      const own = deps.share()
      // Meanwhile this process may have lost its membership and joined again.
      if (own?.holder !== holder) return
      const ours = new Set(own.slots.filter((slot) => underWay.has(slot)))
      for (const slot of ours) loaded.add(slot)
      const found = monitors.filter(({ slot }) => ours.has(slot))
      await checking.load([...ours], found, partOf(own.slots, loaded))
      hasFailed = false
    } catch (error) {
      hasFailed = true
      for (const slot of slots) unread.add(slot)
      throw error
    } finally {
      underWay.clear()
    }
  }

  function drop(slots: Iterable<number>) {
    const dropped = [...slots]
    for (const slot of dropped) {
      unread.delete(slot)
      loaded.delete(slot)
    }
    checking.load(dropped, [], partOf(deps.share()?.slots ?? [], loaded)).catch(deps.onTrouble)
  }

  function changed(which: number[] | 'recent' | 'waiting') {
    if (Array.isArray(which)) {
      statements
        .run(async () => {
          const share = deps.share()
          if (share) await readChanges(share, which)
        })
        .catch(deps.onTrouble)
      return
    }
    if (asked.has(which)) return
    asked.add(which)
    polling = polling.then(async () => {
      asked.delete(which)
      if (which === 'waiting') isWaitingUnread = false
      await poll(which).catch((error) => {
        if (which === 'waiting') isWaitingUnread = true
        deps.onTrouble(error)
      })
    })
  }

  /** Reads in portions: after an import the changes may be the whole schedule. */
  async function poll(which: 'recent' | 'waiting') {
    const { holder, slots } = deps.share() ?? { holder: 0, slots: [] }
    const beganMs = deps.monotonicMs()
    for (let from = 0; from < slots.length && !closed; ) {
      const some = slots.slice(from, from + atOnce[which])
      from += some.length
      await statements.run(async () => {
        const found = await readChanges({ holder, slots: some }, which)
        atOnce[which] = slotsToRead(some.length, found)
      })
    }
    if (which === 'waiting') return
    if (beganMs - polledMs > MAX_POLL_GAP_MS) void read(slots)
    polledMs = beganMs
  }

  /** Returns the number of changes. */
  async function readChanges(share: OwnShare, which: number[] | 'recent' | 'waiting'): Promise<number> {
    const changes = await registry.readChanges(share, which)
    const own = deps.share()
    // Slots that were not read yet come with their changes.
    const slots = new Set(own?.holder === share.holder ? own.slots.filter((slot) => loaded.has(slot)) : [])
    const isOurs = (change: ScheduleChange) => 'stopped' in change || slots.has(change.slot)
    checking.apply(changes.filter(isOurs))
    return changes.length
  }

  return {
    read,
    get failing() {
      return hasFailed && unread.size + underWay.size > 0
    },
    isUnderWay: (slot) => underWay.has(slot),
    isLoaded: (slot) => loaded.has(slot),
    drop,
    changed,
    async close() {
      closed = true
      await reading
      await polling
      await statements.settled()
    },
  }
}

/** How much of the slots is loaded, from 0 to 1. */
function partOf(slots: number[], loaded: ReadonlySet<number>): number {
  return slots.length === 0 ? 1 : slots.filter((slot) => loaded.has(slot)).length / slots.length
}

/** Runs works one after the other; a work that fails does not hold up the next one. */
function createSequence() {
  let last: Promise<void> = Promise.resolve()
  return {
    run(work: () => Promise<void>): Promise<void> {
      const done = last.then(work)
      last = done.catch(() => {})
      return done
    },
    settled: () => last,
  }
}
