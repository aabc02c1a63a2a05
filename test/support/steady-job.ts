import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Check } from '../../src/core/check.ts'
import { documented } from './documented.ts'
import type { Scope } from './scope.ts'

const PERIOD_MS = 400
/** What a call takes each way where the machine is busy. */
const LONGEST_WAY_MS = 500

/** A job that pings all the time, and has a log of when it did not. */
export type SteadyJob = {
  /** That it was found late only where it stayed away itself, for want of a processor: its own log says so. */
  assertInTime(checks: Check[]): void
  stop(): Promise<void>
}

/** Pings again and again, each time once the ping before is answered or refused; ends when it is told to. */
export function startSteadyJob(scope: Scope, url: string, intervalMs: number): SteadyJob {
  const stopping = new AbortController()
  /** From the end of each call to the beginning of the next one. */
  const silences = [{ fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY }]

  async function ping() {
    const silence = silences.at(-1)
    if (silence) silence.toMs = Date.now()
    const response = await fetch(url, { method: 'POST' }).catch(() => null)
    if (response) await (await documented('POST', url, response)).arrayBuffer()
    silences.push({ fromMs: Date.now(), toMs: Number.POSITIVE_INFINITY })
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await ping()
      await delay(PERIOD_MS)
    }
  })()
  const stop = async () => {
    stopping.abort()
    await running
  }
  scope.after(stop)

  const wasAway = (atMs: number) =>
    silences.some(
      ({ fromMs, toMs }) => fromMs - LONGEST_WAY_MS <= atMs - intervalMs && atMs <= toMs + LONGEST_WAY_MS,
    )

  return {
    assertInTime(checks) {
      const wrong = checks.find(
        ({ status, checked_at }) => status === 'down' && !wasAway(Date.parse(checked_at)),
      )
      assert.equal(wrong, undefined, `the job was found late: ${JSON.stringify(checks.slice(0, 20))}`)
    },
    stop,
  }
}
