import { cutCause } from './cause.ts'
import type { PingKind } from './ping.ts'

/** When a job that was last heard of at `since` is late. */
export function deadline(since: Date, intervalSeconds: number): Date {
  return new Date(since.getTime() + intervalSeconds * 1_000)
}

/** What the part of a ping's path below its token says about the job. */
export type PingSignal = { kind: PingKind; exitStatus: number | null }

/** Reads the part below the token; null when it means nothing (404). */
export function readSignal(suffix: string | undefined): PingSignal | null {
  if (suffix === undefined || suffix === '') return { kind: 'success', exitStatus: null }
  if (suffix === 'start' || suffix === 'fail' || suffix === 'log') return { kind: suffix, exitStatus: null }
  if (!/^\d{1,3}$/.test(suffix) || Number(suffix) > 255) return null
  const exitStatus = Number(suffix)
  return { kind: exitStatus === 0 ? 'success' : 'fail', exitStatus }
}

/** The words of a failed check that a job reported itself, with what it said of it. */
export function reportedFailure(exitStatus: number | null, message: string | null = null): string {
  if (exitStatus !== null) return `the job ended with exit status ${exitStatus}`
  return message === null ? 'the job reported a failure' : cutCause(`the job reported: ${message}`)
}

/** What a call of an Uptime Kuma push monitor says. */
export type Push = { kind: 'success' | 'fail'; message: string | null; responseTimeMs: number | null }

const LONGEST_PUSHED_MS = 86_400_000

/**
 * Reads the query of a push as Uptime Kuma does (server/routers/api-router.js): no `status` is up, any other than
 * `up` is down. `reason` says why it is refused.
 */
export function readPush(query: Record<string, string>): Push | { reason: string } {
  const { status = 'up', msg, ping } = query
  const responseTimeMs = ping === undefined ? null : Number(ping)
  if (responseTimeMs !== null && !(responseTimeMs >= 0 && responseTimeMs <= LONGEST_PUSHED_MS)) {
    const got = JSON.stringify(cutCause(String(ping)))
    return { reason: `Invalid ping value: it takes 0 to ${LONGEST_PUSHED_MS} ms, got ${got}.` }
  }
  return {
    kind: status === 'up' ? 'success' : 'fail',
    message: msg ?? null,
    responseTimeMs: responseTimeMs === null ? null : Math.round(responseTimeMs),
  }
}
