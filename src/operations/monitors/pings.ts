import { Refusal } from '../../core/errors.ts'
import { type CheckResult, resultWithout } from '../../core/monitors/check.ts'
import { type Push, readSignal, reportedFailure } from '../../core/monitors/heartbeat.ts'
import type { PingKind } from '../../core/monitors/ping.ts'
import { isUuid } from '../../core/text.ts'
import type { Services } from '../services.ts'
import { foundBySecret, throttle } from '../sign-in/throttle.ts'

type Sender = { token: string; address: string }

export type ReceivedPing = Sender & {
  /** The rest of the path after the token. */
  signal: string | undefined
  /** Links the start and the end of a run; anything but a UUID is ignored. */
  runId: string | undefined
  readBody: ReadBody
}

type ReadBody = () => Promise<Buffer | null>

/** Records a job's ping; resolves once it is durable. Refuses with 404 and 429. */
export async function receivePing(services: Services, ping: ReceivedPing): Promise<void> {
  const signal = await foundBySecret(services, 'ping', ping.address, readSignal(ping.signal))
  const runId = ping.runId && isUuid(ping.runId) ? ping.runId : null
  const failure = reportedFailure(signal.exitStatus)
  await receive(services, ping, { ...signal, runId, failure, responseTimeMs: null }, ping.readBody)
}

/** Records a push in the format of Uptime Kuma; its message is stored as the body if it has none. */
export async function receivePush(
  services: Services,
  sender: Sender,
  push: Push,
  readBody: ReadBody,
): Promise<void> {
  const { kind, message, responseTimeMs } = push
  const report = {
    kind,
    exitStatus: null,
    runId: null,
    failure: reportedFailure(null, message),
    responseTimeMs,
  }
  await receive(services, sender, report, async () => (await readBody()) ?? bodyOf(message))
}

function bodyOf(message: string | null): Buffer | null {
  return message === null ? null : Buffer.from(message)
}

type PingReport = {
  kind: PingKind
  exitStatus: number | null
  runId: string | null
  /** The cause to record on a failure. */
  failure: string
  responseTimeMs: number | null
}

async function receive(
  services: Services,
  { token, address }: Sender,
  report: PingReport,
  readBody: ReadBody,
): Promise<void> {
  const { findHeartbeat, limits, databaseNow } = services
  const found = isUuid(token) ? await findHeartbeat(token) : null
  const { monitorId } = await foundBySecret(services, 'ping', address, found)
  await throttle(limits.perAddress, address)
  await throttle(limits.perHeartbeat, monitorId)

  const { kind, exitStatus, runId } = report
  const body = await readBody()
  const row = { monitorId, receivedAt: databaseNow(), kind, exitStatus, runId, body }
  const outcome = await services.recordPing(row, judge(report))
  if (outcome === 'stale') throw new Refusal('notFound')
}

/** A ping that only marks a start or logs text does not judge the job. */
function judge({ kind, failure, responseTimeMs }: PingReport): CheckResult | null {
  if (kind === 'start' || kind === 'log') return null
  if (kind === 'fail') return { ...resultWithout('down', failure), responseTimeMs }
  return {
    status: 'up',
    responseTimeMs,
    httpStatusCode: null,
    errorMessage: null,
    phases: null,
    certificate: null,
  }
}
