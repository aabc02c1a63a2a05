import { cutCause } from './cause.ts'
import type { PingKind } from './ping.ts'

/** When a job is late that was last heard from at `since`. */
export function deadline(since: Date, intervalSeconds: number): Date {
  return new Date(since.getTime() + intervalSeconds * 1_000)
}

/** The meaning of the part of a ping's path after its token. */
export type PingSignal = { kind: PingKind; exitStatus: number | null }

/** Parses the path after the token; null if it is unknown (404). */
export function readSignal(suffix: string | undefined): PingSignal | null {
  if (suffix === undefined || suffix === '') return { kind: 'success', exitStatus: null }
  if (suffix === 'start' || suffix === 'fail' || suffix === 'log') return { kind: suffix, exitStatus: null }
  if (!/^\d{1,3}$/.test(suffix) || Number(suffix) > 255) return null
  const exitStatus = Number(suffix)
  return { kind: exitStatus === 0 ? 'success' : 'fail', exitStatus }
}

/** The cause of a failure that the job itself reported, including its message. */
export function reportedFailure(exitStatus: number | null, message: string | null = null): string {
  if (exitStatus !== null) return `the job ended with exit status ${exitStatus}`
  return message === null ? 'the job reported a failure' : cutCause(`the job reported: ${message}`)
}

/** The content of an Uptime Kuma push. */
export type Push = { kind: 'success' | 'fail'; message: string | null; responseTimeMs: number | null }

/** The largest value of the response time column: 24 days. */
const MAX_PUSHED_MS = 2 ** 31 - 1

/**
 * Reads a push's query as Uptime Kuma does (server/routers/api-router.js): no `status` means up, any value
 * other than `up` means down, and `ping` is the number it starts with. A `ping` that is no number is ignored, as older
 * versions of Uptime Kuma did, because refusing the push would cause a false outage.
 */
export function readPush({ status = 'up', msg, ping }: Record<string, string>): Push {
  return {
    kind: status === 'up' ? 'success' : 'fail',
    message: msg ?? null,
    responseTimeMs: pushedMs(ping),
  }
}

/** Null if it is not a duration that can be stored. */
function pushedMs(ping = ''): number | null {
  const ms = Math.round(Number.parseFloat(ping))
  return ms >= 0 && ms <= MAX_PUSHED_MS ? ms : null
}

/** Why Uptime Kuma would refuse a push, in its words; null if it takes it. */
export function pushRefusal({ ping = '' }: Record<string, string>): string | null {
  const ms = Number.parseFloat(ping)
  return ms < 0 ? `Invalid ping value: ${ms}ms cannot be negative` : null
}
