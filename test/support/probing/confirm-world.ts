import type { TestContext } from 'node:test'
import { type CheckResult, resultWithout } from '../../../src/core/monitors/check.ts'
import type { KnownStatus, RegionalAttempt } from '../../../src/core/monitors/confirmation.ts'
import { createConfirm } from '../../../src/engine/probing/confirm.ts'
import type { ConfirmationRequest, RequestedAttempt } from '../../../src/store/probing/confirmations.ts'
import { settingsFor } from '../servers/targets-settings.ts'
import { scheduled, UP } from './schedule-world.ts'

const STEP_MS = 10

export const CAUSE = 'HTTP 503 (expected 200)'
export const DOWN: CheckResult = resultWithout('down', CAUSE)
export const PENDING: CheckResult = resultWithout('pending', 'our network seems to be down')
export { UP }

/** The behavior of another region when it is asked: it answers after a while, takes it on and is silent, or is not there. */
export type Region = { answersAfterMs: number; result: CheckResult } | 'silent' | 'gone'

export type ConfirmWorld = {
  known: KnownStatus
  /** The regions that take turns, lon first, which asks. */
  regions: Record<string, Region>
  /** The results of further attempts from here, one after the other, and the duration of each. */
  again: CheckResult[]
  probeMs: number
  /** An error that the database answers with; null if it works. */
  trouble: Error | null
  asked: string[]
  withdrawn: number
  /** How many attempts were made from here, and how many of them were cancelled. */
  attempts: number
  cancelled: number
  troubles: unknown[]
  /** Confirms a failure; what it came to, and after how many milliseconds. */
  confirm(confirmations: number, cancelAfterMs?: number): Promise<{ found: RegionalAttempt; tookMs: number }>
}

/** Confirming, whose time, database and targets are the test's. */
export function createConfirmWorld(t: TestContext): ConfirmWorld {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_700_000_000_000 })
  const rows = new Map<number, { region: string; sinceMs: number }>()
  let ids = 0

  async function answered<T>(answer: T): Promise<T> {
    if (world.trouble) throw world.trouble
    return answer
  }

  const confirm = createConfirm({
    async probe(_settings, signal) {
      const result = world.again[world.attempts++] ?? DOWN
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, world.probeMs)
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      })
      if (signal.aborted) world.cancelled++
      return result
    },
    confirmations: {
      knownOf: () => answered(world.known),
      request({ regions }: ConfirmationRequest) {
        world.asked.push(...regions)
        const made = regions.map((region) => {
          rows.set(++ids, { region, sinceMs: Date.now() })
          return ids
        })
        return answered(made)
      },
      readAttempts: (wanted) => answered(wanted.flatMap(lookAt)),
      async withdraw(unwanted) {
        world.withdrawn += unwanted.length
        for (const id of unwanted) rows.delete(id)
      },
    },
    nowMs: () => Date.now(),
    onTrouble: (error) => world.troubles.push(error),
  })

  function lookAt(id: number): RequestedAttempt[] {
    const row = rows.get(id)
    if (!row) return []
    const does = world.regions[row.region] ?? 'gone'
    if (does === 'gone' || does === 'silent') return [{ id, isTaken: does === 'silent', attempt: null }]
    const isOver = Date.now() - row.sinceMs >= does.answersAfterMs
    return [{ id, isTaken: true, attempt: isOver ? { region: row.region, result: does.result } : null }]
  }

  const world: ConfirmWorld = {
    known: { status: 'up', passing: 0 },
    regions: {},
    again: [],
    probeMs: 20,
    trouble: null,
    asked: [],
    withdrawn: 0,
    attempts: 0,
    cancelled: 0,
    troubles: [],
    async confirm(confirmations, cancelAfterMs) {
      const startMs = Date.now()
      const regions = ['lon', ...Object.keys(world.regions)]
      const controller = new AbortController()
      let found: RegionalAttempt | null = null
      const failed = {
        monitor: scheduled({ confirmations, request_timeout_seconds: 10 }),
        settings: settingsFor('http', {}),
        first: { region: 'lon', result: DOWN },
        assignment: {
          membership: 1,
          validUntilMs: Number.POSITIVE_INFINITY,
          turns: { number: 1, before: regions, regions, effectiveAtMs: 0 },
        },
      }
      void confirm(failed, controller.signal).then((attempt) => {
        found = attempt
      })
      while (found === null) {
        t.mock.timers.tick(STEP_MS)
        await new Promise((resolve) => setImmediate(resolve))
        if (cancelAfterMs !== undefined && Date.now() - startMs >= cancelAfterMs) controller.abort()
      }
      return { found, tookMs: Date.now() - startMs }
    },
  }
  return world
}
