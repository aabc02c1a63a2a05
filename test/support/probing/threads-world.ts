import type { TestContext } from 'node:test'
import { nextTickMs, phaseMs } from '../../../src/core/probing/schedule.ts'
import { SLOTS } from '../../../src/core/probing/slot.ts'
import { createScheduler } from '../../../src/engine/probing/schedule.ts'
import { type CheckingThreads, createCheckingThreads } from '../../../src/engine/threads/checking-threads.ts'
import { wait, waitUnlessAborted } from '../../../src/postgres/delays.ts'
import type { ScheduledMonitor } from '../../../src/store/probing/schedule.ts'
import { settingsFor } from '../servers/targets-settings.ts'
import { createFakeThread, type FakeThread } from './fake-threads.ts'
import { scheduled, UP } from './schedule-world.ts'

const STEP_MS = 10
const SLOTS_USED = 8
const BOOT_MS = 400
/** The time that a cancelled probe still takes to end. */
const CANCEL_MS = 30

export type ThreadsWorld = {
  threads: ReturnType<typeof createCheckingThreads>
  started: FakeThread[]
  /** While true, no thread can be started. */
  refuses: boolean
  troubles: unknown[]
  /** The monitors that a load reads. */
  monitors: ScheduledMonitor[]
  /** How often a probe began while another one of the same monitor was under way. */
  overlaps: number
  /** How many probes were cancelled. */
  cancelled: number
  /** When the recorded checks of each monitor began. */
  recorded: Map<number, number[]>
  probeMs: (id: number) => number
  pass(ms: number): Promise<void>
}

/** Threads that are none, of schedulers whose time and probes are the test's. */
export function createThreadsWorld(t: TestContext, cores: number): ThreadsWorld {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_700_000_000_000 })
  const underWay = new Set<number>()
  const world: ThreadsWorld = {
    threads: createCheckingThreads({
      cores,
      startThread: () => {
        if (world.refuses) throw new Error('no thread can be started')
        const thread = createFakeThread(startScheduler, BOOT_MS)
        world.started.push(thread)
        return thread
      },
      createReporter: () => ({ report() {}, close() {} }),
      reload: () => loadAll(world.threads, world.monitors),
      monotonicMs: Date.now,
      onTrouble: (error) => world.troubles.push(error),
    }),
    started: [],
    refuses: false,
    troubles: [],
    monitors: [],
    overlaps: 0,
    cancelled: 0,
    recorded: new Map(),
    probeMs: () => 5,
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        t.mock.timers.tick(STEP_MS)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }

  function startScheduler() {
    const scheduler = createScheduler({
      async probe({ url }, signal) {
        const id = Number(new URL(url).pathname.slice(1))
        if (underWay.has(id)) world.overlaps++
        underWay.add(id)
        await waitUnlessAborted(signal, world.probeMs(id))
        if (signal.aborted) {
          world.cancelled++
          await wait(CANCEL_MS)
        }
        underWay.delete(id)
        return UP
      },
      settingsOf: ({ url }) => settingsFor('http', { url: url ?? '' }),
      recorder: {
        async record({ monitorId, checkedAt }) {
          const times = world.recorded.get(monitorId) ?? []
          world.recorded.set(monitorId, [...times, checkedAt.getTime()])
          return { kind: 'recorded', heartbeatDueAt: null }
        },
        close: async () => {},
      },
      region: null,
      now: () => new Date(),
      onTrouble: (error) => world.troubles.push(error),
    })
    const { load, apply, release, handOver, assign, close } = scheduler
    const nothing = { witnesses: [], stumbles: [] }
    const unasked = {
      shareEvidence: () => ({ IPv4: nothing, IPv6: nothing, names: nothing }),
      noteWayWorks() {},
      takeEvidence() {},
    }
    return { load, apply, release, handOver, assign, close, confirm() {}, ...unasked }
  }

  t.after(async () => {
    const closed = world.threads.close()
    await world.pass(BOOT_MS + 200)
    await closed
  })
  return world
}

/** Everything else stops. */
export function loadAll(threads: Pick<CheckingThreads, 'load'>, monitors: ScheduledMonitor[]): Promise<void> {
  const slots = Array.from({ length: SLOTS }, (_, slot) => slot)
  return threads.load(slots, monitors, 1)
}

/** Monitors with an interval of a second that were checked before, so that they wait for their phase. */
export function everySecond(from: number, to: number): ScheduledMonitor[] {
  return Array.from({ length: to - from + 1 }, (_, i) =>
    scheduled({
      id: from + i,
      url: `http://127.0.0.1/${from + i}`,
      interval_seconds: 1,
      slot: (from + i) % SLOTS_USED,
      pending: false,
      last_checked_at: new Date(),
    }),
  )
}

/** How often a tick of these checks was missed or doubled, and how late the latest of them began. */
export function compareWithTicks(recorded: Map<number, number[]>) {
  let [missed, doubled, latestMs] = [0, 0, 0]
  for (const [id, [first, ...others]] of recorded) {
    let tick = nextTickMs(first as number, 1_000, phaseMs(id, 1_000))
    for (const at of others.toSorted((a, b) => a - b)) {
      if (at < tick) doubled++
      while (at >= tick + 1_000) {
        missed++
        tick += 1_000
      }
      latestMs = Math.max(latestMs, at - tick)
      tick += 1_000
    }
  }
  return { missed, doubled, latestMs }
}
