import type { TestContext } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import { PROBED_SETTINGS } from '../../../src/core/monitors/probe-settings.ts'
import { pick } from '../../../src/core/shape.ts'
import type { Confirm } from '../../../src/engine/probing/confirm.ts'
import { createScheduler, type Scheduler } from '../../../src/engine/probing/schedule.ts'
import type { Finding, Recorded } from '../../../src/engine/recording/finding.ts'
import { waitUnlessAborted } from '../../../src/postgres/delays.ts'
import type { ScheduledMonitor } from '../../../src/store/probing/schedule.ts'
import { PLAIN_SETTINGS } from '../monitor-settings.ts'
import { settingsFor } from '../servers/targets-settings.ts'

const STEP_MS = 10

export const UP: CheckResult = { ...resultWithout('down', ''), status: 'up', errorMessage: null }

/** A scheduler whose time, probe and recorder are the test's. */
export type ScheduleWorld = {
  scheduler: Scheduler
  /** When each probe was started, in milliseconds since the beginning. */
  probed: number[]
  found: Finding[]
  /** The result of a probe after its duration; an aborted signal ends it at once. */
  result: CheckResult
  probeMs: number
  answer: (finding: Finding) => Recorded
  /** Confirms failures; none are confirmed unless a test says so. */
  confirm: Confirm
  nowMs: () => number
  /** Lets time pass. */
  pass(ms: number): Promise<void>
}

export function createScheduleWorld(t: TestContext, startMs = 1_700_000_000_000): ScheduleWorld {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: startMs })
  const nowMs = () => Date.now() - startMs
  const world: ScheduleWorld = {
    scheduler: createScheduler({
      probe: async (_settings, signal) => {
        world.probed.push(nowMs())
        if (world.probeMs > 0) await waitUnlessAborted(signal, world.probeMs)
        return world.result
      },
      settingsOf: () => settingsFor('http', {}),
      recorder: {
        record: async (finding) => {
          world.found.push(finding)
          return world.answer(finding)
        },
        close: async () => {},
      },
      region: null,
      now: () => new Date(),
      onTrouble: (error) => {
        throw error
      },
      confirm: (failed, signal) => world.confirm(failed, signal),
    }),
    probed: [],
    found: [],
    result: UP,
    probeMs: 0,
    answer: () => ({ kind: 'recorded', heartbeatDueAt: null }),
    confirm: () => Promise.reject(new Error('nothing is to be confirmed')),
    nowMs,
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        t.mock.timers.tick(Math.min(STEP_MS, ms - passed))
        // Work that a timer starts goes on in this turn of the loop and the next.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
  t.after(() => world.scheduler.close())
  return world
}

export function scheduled(changes: Partial<ScheduledMonitor> = {}): ScheduledMonitor {
  return {
    ...pick(PLAIN_SETTINGS, PROBED_SETTINGS),
    request_headers: null,
    password: null,
    id: 1,
    revision: 1,
    team_id: 1,
    type: 'http',
    url: 'http://127.0.0.1/',
    interval_seconds: 60,
    last_checked_at: null,
    check_requested_at: null,
    pending: true,
    up: false,
    heartbeat_due_at: null,
    next_attempt_at: null,
    options: null,
    slot: 0,
    changed_at: new Date(0),
    due_from: null,
    cut: false,
    confirmations: 0,
    recovery_checks: 1,
    own_regions: [],
    ...changes,
  }
}
