import { type CheckResult, resultWithout } from '../core/check.ts'
import { Refusal } from '../core/errors.ts'
import { type PingSignal, readSignal, reportedFailure } from '../core/heartbeat.ts'
import { isUuid } from '../core/text.ts'
import type { Services } from './services.ts'
import { throttle } from './throttle.ts'

export type Ping = {
  token: string
  /** What stands below the token in the path. */
  signal: string | undefined
  /** Joins the start and the end of one run; anything but a UUID is ignored. */
  runId: string | undefined
  readBody: () => Promise<Buffer | null>
}

/** Every request below /ping/ counts for its address, whatever becomes of it. Refuses with 429. */
export function admitPing({ limits }: Services, address: string): Promise<void> {
  return throttle(limits.perAddress, address)
}

/** Records a ping of a job; resolves once it is durable. Refuses with 404 and 429. */
export async function receivePing(services: Services, ping: Ping): Promise<void> {
  const { findHeartbeat, limits, now } = services
  const signal = readSignal(ping.signal)
  const heartbeat = signal && isUuid(ping.token) ? await findHeartbeat(ping.token) : null
  if (!signal || !heartbeat) throw new Refusal('notFound')
  await throttle(limits.perHeartbeat, heartbeat.monitorId)

  const { monitorId } = heartbeat
  const body = await ping.readBody()
  const runId = ping.runId && isUuid(ping.runId) ? ping.runId : null
  const row = { monitorId, receivedAt: now(), kind: signal.kind, exitStatus: signal.exitStatus, runId, body }
  const outcome = await services.recordPing(row, judge(signal))
  if (outcome === 'stale') throw new Refusal('notFound')
}

/** A job that says it starts, or only has something to say, judges nothing. */
function judge({ kind, exitStatus }: PingSignal): CheckResult | null {
  if (kind === 'start' || kind === 'log') return null
  if (kind === 'fail') return resultWithout('down', reportedFailure(exitStatus))
  return {
    status: 'up',
    responseTimeMs: null,
    httpStatusCode: null,
    errorMessage: null,
    phases: null,
    certificate: null,
  }
}
