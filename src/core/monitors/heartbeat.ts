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

/** As much as the column of response times holds: 24 days. */
const MAX_PUSHED_MS = 2 ** 31 - 1

/**
 * Reads the query of a push as Uptime Kuma does (server/routers/api-router.js): no `status` is up, any other than
 * `up` is down, and `ping` is the number that it begins with. A job is heard whatever its `ping` says: refusing one for
 * its measure would make an outage of it.
 */
export function readPush({ status = 'up', msg, ping }: Record<string, string>): Push {
  return {
    kind: status === 'up' ? 'success' : 'fail',
    message: msg ?? null,
    responseTimeMs: pushedMs(ping),
  }
}

/** Null for what is no time that can be kept. */
function pushedMs(ping = ''): number | null {
  const ms = Math.round(Number.parseFloat(ping))
  return ms >= 0 && ms <= MAX_PUSHED_MS ? ms : null
}
