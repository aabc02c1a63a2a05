import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Check } from '../../../src/core/monitors/check.ts'
import { SILENCE_TOLERANCE_MS } from '../../../src/engine/probing/check-once.ts'
import type { Scope } from '../scope.ts'
import { documented } from '../services/documented.ts'

/** A job may call 60 times a minute. */
const PERIOD_MS = 1_000
/** As commands in a crontab do; a connection that was kept would reach a service that can accept none. */
const ONE_CONNECTION_EACH = { connection: 'close' }
/** No two clocks agree to better than this. */
const CLOCKS_DIFFER_MS = 50

export type Span = { fromMs: number; toMs: number }

/** A job that pings all the time, and has a log of when it did. */
export type SteadyJob = {
  /**
   * That it was found late only where no ping was sent in time, or where an interval passed from the sending of one to
   * the answer to the next, by its own log: whoever was to read it had no processor. What went by in `trouble` does not
   * count for that: it is the service's to make up for, and so is a ping that is refused without any. Returns the checks
   * that found it late.
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
    const response = await fetch(url, { method: 'POST', headers: ONE_CONNECTION_EACH }).catch(() => null)
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

  /** Whether it was itself late, or nobody had time to read it. */
  function isExcused(atMs: number, trouble: Span[]): boolean {
    const next = taken.findIndex(({ toMs }) => toMs >= atMs)
    const last = next === -1 ? taken.at(-1) : taken[next - 1]
    if (!last) return true
    const dueMs = last.fromMs + intervalMs
    if (atMs < dueMs - CLOCKS_DIFFER_MS) return false
    const isPresent = [...taken, ...refused].some(({ fromMs }) => fromMs > last.fromMs && fromMs < dueMs)
    if (!isPresent) return true
    const gap = { fromMs: last.fromMs, toMs: taken[next]?.toMs ?? Date.now() }
    const within = trouble.filter((span) => overlapMs(span, gap) > 0)
    if (within.length === 0 && refused.some((span) => overlapMs(span, gap) > 0)) return false
    // Findings up to that moment before the end of a trouble are trusted, and findings that waited need time to be read.
    if (within.some(({ toMs }) => atMs >= toMs - SILENCE_TOLERANCE_MS)) return true
    const troubledMs = within.reduce((sum, span) => sum + overlapMs(span, gap), 0)
    return gap.toMs - gap.fromMs - troubledMs >= intervalMs
  }

  return {
    assertInTime(checks, trouble = []) {
      const late = checks.filter(({ status }) => status === 'down')
      const wrong = late.find(({ checked_at }) => !isExcused(Date.parse(checked_at), trouble))
      assert.equal(wrong, undefined, `the job was found late: ${JSON.stringify(checks.slice(0, 20))}`)
      return late
    },
    stop,
  }
}

function overlapMs(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs))
}
