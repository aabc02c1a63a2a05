import { setTimeout as delay } from 'node:timers/promises'
import { storePage } from '../../test/support/status-pages/stored-pages.ts'
import { until } from '../../test/support/until.ts'
import { latenessOf, PATIENCE_MS, readDueChecks } from '../due-checks.ts'
import { closedLoop } from '../support/closed-loop.ts'
import { type KeepAliveConnection, openConnection, requestText } from '../support/keep-alive-client.ts'
import type { Options } from '../support/options.ts'
import { progress } from '../support/progress.ts'
import { measureInTurn, pairsOf } from '../support/rounds.ts'
import type { Scope } from '../support/scope.ts'
import { addMonitors, type SeededService, startSeededService } from '../support/seeded-service.ts'
import { startConstantServer } from '../support/start-constant-server.ts'
import { percentile } from '../support/statistics.ts'
import { alone, compare, type Row } from '../support/table.ts'
import { type CauseOutages, watchOutages } from './outage-latency.ts'

const MONITORS = 10_000
const COMPONENTS = 50
const IN_FLIGHT = 16
const SETTLE_MS = 8_000
/** Views a second while the lateness of checks is watched. */
const PACE = 5_000
const TURN_MS = 10
const REFERENCE = 'bare node:http server, a constant of the same size'
const PATH = '/status/bench'

/** Views of a status page of 50 components, by one process that checks 10,000 monitors meanwhile. */
export async function benchStatusPages(scope: Scope, options: Options): Promise<Row[]> {
  progress('status pages: starting the service')
  const seeded = await startSeededService(scope)
  const outages = await watchOutages(scope, seeded)
  await addMonitors(seeded, MONITORS)
  const { port } = new URL(seeded.service.url)
  await addPage(seeded)
  const [toService, toBare] = await Promise.all([
    connectAll(scope, Number(port)),
    bareLike(scope, Number(port)),
  ])
  const page = requestText('GET', PATH, { 'accept-encoding': 'br' })
  const ours = (seconds: number) => load(toService, page, seconds)
  const reference = (seconds: number) => load(toBare.connections, toBare.request, seconds)
  await delay(SETTLE_MS)
  const rounds = await measureInTurn('Status page', options, ours, reference)
  const row = (what: string, unit: string, read: (load: Load) => number) =>
    compare(
      `Status page, ${toBare.bytes.toLocaleString('en-US')} bytes, beside 10,000 monitors: ${what}`,
      unit,
      REFERENCE,
      pairsOf(rounds, read),
    )
  return [
    row(`rate, ${IN_FLIGHT} under way`, '/s', ({ perSecond }) => perSecond),
    row('p50', 'ms', ({ p50Ms }) => p50Ms),
    row('p99', 'ms', ({ p99Ms }) => p99Ms),
    ...(await watchChecks(seeded, toService, page, outages, options)),
  ]
}

type Load = { perSecond: number; p50Ms: number; p99Ms: number }

async function load(connections: KeepAliveConnection[], request: string, seconds: number): Promise<Load> {
  const { perSecond, latenciesMs } = await closedLoop(connections.length, seconds, (worker) =>
    view(connections[worker] as KeepAliveConnection, request),
  )
  return { perSecond, p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) }
}

async function view(connection: KeepAliveConnection, request: string): Promise<void> {
  const { status } = await connection.send(request)
  if (status !== 200) throw new Error(`answered ${status}`)
}

/** Lateness of checks and transactions of the database, without views and with an even 5,000 a second. */
async function watchChecks(
  { service }: SeededService,
  connections: KeepAliveConnection[],
  request: string,
  causeOutages: CauseOutages,
  { idleSeconds }: Options,
): Promise<Row[]> {
  const watch = async (what: string, work: () => Promise<unknown>) => {
    progress(`status pages: ${what}, ${idleSeconds} s`)
    const before = await transactionsOf(service)
    const from = Date.now()
    const [alertsMs] = await Promise.all([causeOutages(), work()])
    const to = Date.now()
    const transactions = (await transactionsOf(service)) - before
    await delay(PATIENCE_MS)
    const checks = await readDueChecks(service, from, to)
    if (checks.missed > 0) throw new Error(`${checks.missed} checks that were due did not run`)
    return { transactions: (transactions / (to - from)) * 1_000, alertsMs, ...latenessOf(checks) }
  }
  const quiet = await watch('no views', () => delay(idleSeconds * 1_000))
  let views = { count: 0, p99Ms: 0 }
  const busy = await watch(`${PACE} views a second`, async () => {
    views = await pacedViews(connections, request, idleSeconds)
  })
  const perSecond = views.count / idleSeconds
  const name = `Status page, ${Math.round(perSecond).toLocaleString('en-US')} views a second`
  const without = 'the same without views'
  return [
    alone(`${name}: p99 of a view`, 'ms', [views.p99Ms]),
    compare(`${name}: checks late by, p99`, 'ms', without, [{ ours: busy.p99Ms, reference: quiet.p99Ms }]),
    ...[0.5, 0.99].map((p) =>
      compare(`${name}: failing answer to webhook, p${p * 100} of ${busy.alertsMs.length}`, 'ms', without, [
        { ours: percentile(busy.alertsMs, p), reference: percentile(quiet.alertsMs, p) },
      ]),
    ),
    compare(`${name}: transactions of the database`, '/s', without, [
      { ours: busy.transactions, reference: quiet.transactions },
    ]),
  ]
}

async function pacedViews(connections: KeepAliveConnection[], request: string, seconds: number) {
  const each = (PACE * TURN_MS) / 1_000 / connections.length
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const viewAll = async (connection: KeepAliveConnection) => {
    let done = 0
    for (let turn = 1; performance.now() - startedAt < seconds * 1_000; turn++) {
      for (; done < turn * each; done++) {
        const at = performance.now()
        await view(connection, request)
        latenciesMs.push(performance.now() - at)
      }
      await delay(Math.max(0, startedAt + turn * TURN_MS - performance.now()))
    }
  }
  await Promise.all(connections.map(viewAll))
  return { count: latenciesMs.length, p99Ms: percentile(latenciesMs, 0.99) }
}

async function transactionsOf({ services }: SeededService['service']): Promise<number> {
  const { rows } = await services.db.pool.query<{ n: number }>(
    'SELECT sum(xact_commit + xact_rollback)::int AS n FROM pg_stat_database',
  )
  return rows[0]?.n ?? 0
}

async function addPage({ service, team }: SeededService): Promise<void> {
  const { rows } = await service.services.db.pool.query<{ id: number }>(
    `SELECT id FROM monitors ORDER BY id DESC LIMIT ${COMPONENTS}`,
  )
  const items = rows.map(({ id }) => ({ component: { monitor_id: id, name: `Component ${id}` } }))
  await storePage(service.services, team.id, { slug: 'bench' }, { items })
  await until('the page is served', async () => (await fetch(service.url + PATH)).status === 200)
}

/** A server that answers with as many bytes. */
async function bareLike(scope: Scope, port: number) {
  const bare = await startConstantServer(scope)
  const [connections, one] = await Promise.all([connectAll(scope, bare.ports.http), openConnection(port)])
  const { body } = await one.send(requestText('GET', PATH, { 'accept-encoding': 'br' }))
  one.close()
  return { connections, bytes: body.length, request: requestText('GET', `/${body.length}`, {}) }
}

async function connectAll(scope: Scope, port: number): Promise<KeepAliveConnection[]> {
  const connections = await Promise.all(Array.from({ length: IN_FLIGHT }, () => openConnection(port)))
  scope.after(async () => {
    for (const connection of connections) connection.close()
  })
  return connections
}
