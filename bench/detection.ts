import http from 'node:http'
import { startTestService, type TestService } from '../test/support/services/service.ts'
import { until } from '../test/support/until.ts'
import { type AlertReceiver, type FickleTarget, startAlertReceiver, startFickleTarget } from './outages.ts'
import { bareRequest } from './support/bare-request.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import type { Scope } from './support/scope.ts'
import { type SeededMonitor, seedMonitors } from './support/seed.ts'
import { countChecked, restart } from './support/seeded-service.ts'
import { percentile } from './support/statistics.ts'
import { alone, compare, type Row } from './support/table.ts'

const MONITORS = 100
const INTERVAL_SECONDS = 1
const OUTAGES_AT_ONCE = 10
const REFERENCE = 'bare request and webhook in one process, nothing recorded'

/** Milliseconds from the answer of a target to the webhook that tells of it; both ends in this process. */
export async function benchDetection(scope: Scope, options: Options): Promise<Row[]> {
  progress('detection: starting the service')
  const service = await startTestService()
  scope.after(() => service.close())
  const target = await startFickleTarget(scope)
  const receiver = await startAlertReceiver(scope)
  const monitors = await watch(service, target, receiver)

  const outages = await causeOutages(options.outages, target, receiver, monitors)
  const bare = await causeBareOutages(options.outages, target, receiver)
  const first = await awaitFirstChecks(options.outages, service, target)
  const compareAt = (name: string, ours: number[], p: number) =>
    compare(`${name}, p${p * 100} of ${options.outages}`, 'ms', REFERENCE, [
      { ours: percentile(ours, p), reference: percentile(bare, p) },
    ])
  return [
    compareAt('Failing answer to webhook', outages.down, 0.5),
    compareAt('Failing answer to webhook', outages.down, 0.99),
    compareAt('Passing answer to webhook', outages.up, 0.5),
    compareAt('Passing answer to webhook', outages.up, 0.99),
    alone(`Creation to first check, p99 of ${options.outages}`, 'ms', [percentile(first.created, 0.99)]),
    alone(`Resumption to first check, p99 of ${options.outages}`, 'ms', [percentile(first.resumed, 0.99)]),
  ]
}

/** A team whose only contact is the receiver, with monitors that are all up. */
async function watch(
  service: TestService,
  target: FickleTarget,
  receiver: AlertReceiver,
): Promise<SeededMonitor[]> {
  const { id: teamId, owner } = await service.createTeam()
  const { body } = await service.call(owner, 'GET', '/notification-contacts')
  for (const { id } of body.data) await service.call(owner, 'DELETE', `/notification-contacts/${id}`)
  const contact = { name: 'Receiver', type: 'webhook', config: { url: receiver.url } }
  const created = await service.call(owner, 'POST', '/notification-contacts', contact)
  if (created.status !== 201) throw new Error(`creating a contact answered ${created.status}`)
  const monitors = await seedMonitors(service.services, teamId, MONITORS, (number) => ({
    url: target.url + pathOf(number),
    check_interval_minutes: 1,
    check_interval_seconds: INTERVAL_SECONDS,
  }))
  await restart(service)
  await until('every monitor is checked', async () => (await countChecked(service)) === MONITORS)
  return monitors
}

async function causeOutages(
  count: number,
  target: FickleTarget,
  receiver: AlertReceiver,
  monitors: SeededMonitor[],
) {
  const down: number[] = []
  const up: number[] = []
  let started = 0
  const latency = async (id: number, number: number, failing: boolean) => {
    const told = receiver.next(id, failing ? 'monitor.down' : 'monitor.recovery')
    const [toldAt, answeredAt] = await Promise.all([told, target.turn(pathOf(number), failing)])
    return toldAt - answeredAt
  }
  const causeUntilEnough = async () => {
    while (started < count) {
      const number = started++ % monitors.length
      if (started % 10 === 0) progress(`detection: outage ${started} of ${count}`)
      const { id } = monitors[number] as SeededMonitor
      down.push(await latency(id, number, true))
      up.push(await latency(id, number, false))
    }
  }
  await Promise.all(Array.from({ length: OUTAGES_AT_ONCE }, causeUntilEnough))
  return { down, up }
}

/** Milliseconds from the request that makes or resumes a monitor to the answer of the target to its first check. */
async function awaitFirstChecks(count: number, service: TestService, target: FickleTarget) {
  progress('detection: first checks')
  const { id: teamId } = await service.createTeam()
  const created: number[] = []
  const resumed: number[] = []
  for (let number = 0; number < count; number++) {
    const path = `/first${number}`
    const token = await service.createToken(teamId, 'owner')
    const ask = async (method: string, at: string, body?: object) => {
      const { status, body: answer } = await service.call(token, method, at, body)
      if (status >= 300) throw new Error(`${method} ${at} answered ${status}`)
      return answer.data
    }
    const take = async (method: string, at: string, body?: object) => {
      const checked = target.turn(path, false)
      const startedAt = performance.now()
      const [{ id }, checkedAt] = await Promise.all([ask(method, at, body), checked])
      return { id, tookMs: checkedAt - startedAt }
    }
    const settings = { name: 'First', type: 'http', url: target.url + path, check_interval_minutes: 60 }
    const { id, tookMs } = await take('POST', '/monitors', settings)
    created.push(tookMs)
    await ask('POST', `/monitors/${id}/toggle`)
    resumed.push((await take('POST', `/monitors/${id}/toggle`)).tookMs)
  }
  return { created, resumed }
}

/** A script's work: ask, see a status other than 200, and post. */
async function causeBareOutages(count: number, target: FickleTarget, receiver: AlertReceiver) {
  progress('detection: the bare reference')
  const path = '/bare'
  const ask = bareRequest(target.url + path, '')
  const latencies: number[] = []
  for (let id = -1; id >= -count; id--) {
    const told = receiver.next(id, 'monitor.down')
    const answered = target.turn(path, true)
    if ((await ask()) !== 200) post(receiver.url, JSON.stringify({ event: 'monitor.down', id }))
    const [toldAt, answeredAt] = await Promise.all([told, answered])
    latencies.push(toldAt - answeredAt)
  }
  return latencies
}

function post(url: string, body: string): void {
  http
    .request(url, { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } })
    .on('response', (response) => response.resume())
    .end(body)
}

function pathOf(number: number): string {
  return `/${number}`
}
