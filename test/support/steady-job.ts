import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Check } from '../../src/core/check.ts'
import { documented } from './documented.ts'
import type { Scope } from './scope.ts'

/** A job may call 60 times a minute. */
const PERIOD_MS = 1_000

export type Span = { fromMs: number; toMs: number }

/** A job that pings all the time, and has a log of when it did. */
export type SteadyJob = {
  /**
   * That it was found late only where an interval passed from the sending of a ping to the answer to the next one, by
   * its own log: where it, or whoever was to read it, had no processor. What went by in `trouble` does not count: that
   * is the service's to make up for, and so is a ping that is refused without any. Returns the checks that found it late.
   */
  assertInTime(checks: JudgedAt[], trouble?: Span[]): JudgedAt[]
  stop(): Promise<void>
}

type JudgedAt = Pick<Check, 'status' | 'checked_at'>

/** Pings again and again, each time once the ping before is answered or refused; ends when it is told to. */
export function startSteadyJob(
  scope: Scope,
  url: string,
  intervalMs: number,
  periodMs = PERIOD_MS,
): SteadyJob {
  const stopping = new AbortController()
  /** Each from its sending to its answer. */
  const taken: Span[] = []
  const refused: Span[] = []

  async function ping() {
    const fromMs = Date.now()
    const response = await fetch(url, { method: 'POST' }).catch(() => null)
    if (response) await (await documented('POST', url, response)).arrayBuffer()
    const pings = response?.ok ? taken : refused
    pings.push({ fromMs, toMs: Date.now() })
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      await ping()
      await delay(periodMs)
    }
  })()
  const stop = async () => {
    stopping.abort()
    await running
  }
  scope.after(stop)

  /** Whether no ping may have been read for an interval before. */
  function wasAway(atMs: number, trouble: Span[]): boolean {
    const next = taken.findIndex(({ toMs }) => toMs >= atMs)
    const last = next === -1 ? taken.at(-1) : taken[next - 1]
    if (!last) return true
    const gap = { fromMs: last.fromMs, toMs: taken[next]?.toMs ?? Date.now() }
    const troubledMs = trouble.reduce((sum, span) => sum + overlapMs(span, gap), 0)
    if (troubledMs === 0 && refused.some((span) => overlapMs(span, gap) > 0)) return false
    return gap.toMs - gap.fromMs - troubledMs >= intervalMs
  }

  return {
    assertInTime(checks, trouble = []) {
      const late = checks.filter(({ status }) => status === 'down')
      const wrong = late.find(({ checked_at }) => !wasAway(Date.parse(checked_at), trouble))
      assert.equal(wrong, undefined, `the job was found late: ${JSON.stringify(checks.slice(0, 20))}`)
      return late
    },
    stop,
  }
}

function overlapMs(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs))
}
