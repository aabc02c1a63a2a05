import { Refusal } from '../../core/errors.ts'
import { type Push, readSignal } from '../../core/monitors/heartbeat.ts'
import { judgePing, kindOf, type SentPing } from '../../core/monitors/heartbeats/judged-ping.ts'
import { ManualState, resultOfWord } from '../../core/monitors/heartbeats/manual-state.ts'
import type { MonitorOptions } from '../../core/monitors/options/monitor-options.ts'
import { isUuid } from '../../core/text.ts'
import type { FoundHeartbeat } from '../../store/monitors/pings.ts'
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
  await receive(services, ping, { ...signal, runId, message: null, responseTimeMs: null }, ping.readBody)
}

/** Records a push in the format of Uptime Kuma; its message is stored as the body if it has none. */
export async function receivePush(
  services: Services,
  sender: Sender,
  push: Push,
  readBody: ReadBody,
): Promise<void> {
  const report = { ...push, exitStatus: null, runId: null }
  await receive(services, sender, report, async () => (await readBody()) ?? bodyOf(push.message))
}

function bodyOf(message: string | null): Buffer | null {
  return message === null ? null : Buffer.from(message)
}

type PingReport = SentPing & { runId: string | null }

async function receive(
  services: Services,
  { token, address }: Sender,
  report: PingReport,
  readBody: ReadBody,
): Promise<void> {
  const { databaseNow } = services
  const { monitorId, options } = await foundByToken(services, { token, address }, 'heartbeat')
  const { exitStatus, runId } = report
  const body = await readBody()
  const expectedExits = options?.expect_exit
  const kind = kindOf(report, expectedExits)
  const unmet = kind === 'success' ? await unmetBy(services, body, options) : null
  const row = { monitorId, receivedAt: databaseNow(), kind, exitStatus, runId, body }
  const outcome = await services.recordPing(row, judgePing(report, kind, expectedExits, unmet))
  if (outcome === 'stale') throw new Refusal('notFound')
}

/** Finds the active monitor of a type by its token, and counts the request. */
async function foundByToken(
  services: Services,
  { token, address }: Sender,
  type: 'heartbeat' | 'manual',
): Promise<FoundHeartbeat> {
  const { findHeartbeat, limits } = services
  const found = isUuid(token) ? await findHeartbeat(token) : null
  const monitor = await foundBySecret(services, 'ping', address, found?.type === type ? found : null)
  await throttle(limits.perAddress, address)
  await throttle(limits.perHeartbeat, monitor.monitorId)
  return monitor
}

/** Records what a program says of a manual monitor; resolves once it is durable. Refuses with 404 and 429. */
export async function receiveWord(
  services: Services,
  sender: Sender & { state: string | undefined; message: string | undefined },
): Promise<void> {
  const state = await foundBySecret(
    services,
    'ping',
    sender.address,
    ManualState.safeParse(sender.state).data ?? null,
  )
  const { monitorId } = await foundByToken(services, sender, 'manual')
  const result = resultOfWord(state, sender.message ?? null)
  if ((await services.recordWord(monitorId, services.databaseNow(), result)) === 'stale')
    throw new Refusal('notFound')
}

/** A body that is cut, or no text, is judged as far as it can be read. */
async function unmetBy({ judgeBody }: Services, body: Buffer | null, options: MonitorOptions | null) {
  const assertions = options?.body_assertions ?? []
  if (assertions.length === 0) return null
  return judgeBody(assertions, body && new TextDecoder().decode(body, { stream: true }))
}
