import type { TestContext } from 'node:test'
import type { CheckResult } from '../../../src/core/monitors/check.ts'
import { type Turns, turnsOfOnly } from '../../../src/core/probing/turns.ts'
import { createScheduler, type Scheduler } from '../../../src/engine/probing/schedule.ts'
import { wait, waitUnlessAborted } from '../../../src/postgres/delays.ts'
import type { Overruns } from '../../../src/store/probing/overruns.ts'
import { settingsFor } from '../servers/targets-settings.ts'
import { UP } from './schedule-world.ts'

const STEP_MS = 10
/** The time that a cancelled probe still takes to end. */
const CANCEL_MS = 30
const FOR_EVER = Number.POSITIVE_INFINITY

/** A process that probes in a region, whose time, targets and database are the test's. */
export type RegionProcess = {
  scheduler: Scheduler
  assign(turns: Turns, validUntilMs?: number): void
}

export type RegionsWorld = {
  process(region: string): RegionProcess
  /** The recorded checks of each monitor, in the order in which they began. */
  recorded: Map<number, { at: number; region: string }[]>
  /** How often a probe began while another one of the same monitor was under way, wherever. */
  overlaps: number
  probeMs: (id: number) => number
  result: CheckResult
  /** How long the database takes to answer; null when it does not. */
  databaseMs: number | null
  now(): number
  pass(ms: number): Promise<void>
  timesOf(): Map<number, number[]>
  /** How many monitors are said to be still looked at. */
  claimed(): number
}

export function createRegionsWorld(t: TestContext): RegionsWorld {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_700_000_000_000 })
  const underWay = new Map<number, number>()
  const claims = new Map<number, { membership: number; untilMs: number }>()
  let memberships = 0
  const schedulers: Scheduler[] = []
  const world: RegionsWorld = {
    process: start,
    recorded: new Map(),
    overlaps: 0,
    probeMs: () => 5,
    result: UP,
    databaseMs: 10,
    now: () => Date.now(),
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        t.mock.timers.tick(STEP_MS)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    claimed: () => claims.size,
    timesOf: () => new Map([...world.recorded].map(([id, checks]) => [id, checks.map(({ at }) => at)])),
  }

  async function answer() {
    if (world.databaseMs === null) throw new Error('the database is gone')
    await wait(world.databaseMs)
  }

  const overruns: Overruns = {
    async isBusy(id, membership) {
      await answer()
      const claim = claims.get(id)
      return claim !== undefined && claim.membership !== membership && claim.untilMs > Date.now()
    },
    async claim(id, membership, forMs) {
      await answer()
      const claim = claims.get(id)
      if (claim && claim.membership !== membership && claim.untilMs > Date.now()) return false
      claims.set(id, { membership, untilMs: Date.now() + forMs })
      return true
    },
    async end(id, membership) {
      await answer()
      if (claims.get(id)?.membership === membership) claims.delete(id)
    },
  }

  function start(region: string): RegionProcess {
    const membership = ++memberships
    const scheduler = createScheduler({
      async probe({ url }, signal) {
        const id = Number(new URL(url).pathname.slice(1))
        if ((underWay.get(id) ?? 0) > 0) world.overlaps++
        underWay.set(id, (underWay.get(id) ?? 0) + 1)
        await waitUnlessAborted(signal, world.probeMs(id))
        if (signal.aborted) await wait(CANCEL_MS)
        underWay.set(id, (underWay.get(id) ?? 1) - 1)
        return world.result
      },
      settingsOf: ({ url }) => settingsFor('http', { url: url ?? '' }),
      recorder: {
        async record({ monitorId, checkedAt, region: from }) {
          const check = { at: checkedAt.getTime(), region: from ?? '' }
          world.recorded.set(monitorId, [...(world.recorded.get(monitorId) ?? []), check])
          return { kind: 'recorded', heartbeatDueAt: null }
        },
        close: async () => {},
      },
      region: region || null,
      now: () => new Date(),
      onTrouble: () => {},
      overruns,
    })
    schedulers.push(scheduler)
    const assign = (turns: Turns, validUntilMs = FOR_EVER) =>
      scheduler.assign({ membership, validUntilMs, turns })
    assign(turnsOfOnly(region))
    return { scheduler, assign }
  }

  t.after(async () => {
    const closed = Promise.all(schedulers.map((scheduler) => scheduler.close()))
    await world.pass(200)
    await closed
  })
  return world
}
