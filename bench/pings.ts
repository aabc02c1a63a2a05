import { ENTRY } from '../test/support/entry.ts'
import { startTestService, type TestService } from '../test/support/services/service.ts'
import { childRunning, cpuMicros, databaseRoot, treeCpuMicros } from './processes.ts'
import { closedLoop } from './support/closed-loop.ts'
import { type KeepAliveConnection, openConnection, requestText } from './support/keep-alive-client.ts'
import type { Options } from './support/options.ts'
import { progress } from './support/progress.ts'
import type { Scope } from './support/scope.ts'
import { type SeededMonitor, seedMonitors } from './support/seed.ts'
import { percentile } from './support/statistics.ts'
import { alone, type Row } from './support/table.ts'

/** 60 pings a minute are allowed to each of so many: more than a minute of the fastest machine's. */
const HEARTBEATS = 10_000
/** 300 pings a minute are allowed to each of so many. */
const ADDRESSES = 65_536
/** Jobs ping on their own, all over the world: many at once, each on a connection of its own. */
const UNDER_WAY = 256
const CONNECTIONS = 500
/** Twenty times what is expected of a second. */
const BURST = 20 * 5_000
const WARM_UP_SECONDS = 1

type Pinger = { ping: (worker: number) => Promise<void>; sent: () => number; cpuMicros: () => number }

/** Heartbeat pings, each answered once it is durable: a steady load, then a burst. */
export async function benchPings(scope: Scope, options: Options): Promise<Row[]> {
  progress('pings: starting the service')
  const service = await startTestService({ TRUST_PROXY: '1' })
  scope.after(() => service.close())
  const pinger = await createPinger(scope, service)
  return [...(await benchLoad(pinger, options)), ...(await benchBurst(service, pinger))]
}

async function benchLoad({ ping, cpuMicros }: Pinger, { rounds, roundSeconds }: Options): Promise<Row[]> {
  progress('pings: warming up')
  await closedLoop(UNDER_WAY, WARM_UP_SECONDS, ping)
  const measured: { perSecond: number; p50Ms: number; p99Ms: number; cpu: number }[] = []
  for (let round = 1; round <= rounds; round++) {
    progress(`pings: round ${round} of ${rounds}`)
    const before = cpuMicros()
    const { done, perSecond, latenciesMs } = await closedLoop(UNDER_WAY, roundSeconds, ping)
    measured.push({
      perSecond,
      p50Ms: percentile(latenciesMs, 0.5),
      p99Ms: percentile(latenciesMs, 0.99),
      cpu: (cpuMicros() - before) / done,
    })
  }
  const row = (what: string, unit: string, read: (round: (typeof measured)[number]) => number) =>
    alone(`Pings, ${UNDER_WAY} under way: ${what}`, unit, measured.map(read))
  return [
    row('rate', '/s', ({ perSecond }) => perSecond),
    row('p50', 'ms', ({ p50Ms }) => p50Ms),
    row('p99', 'ms', ({ p99Ms }) => p99Ms),
    row('CPU each, service + database', 'µs', ({ cpu }) => cpu),
  ]
}

/** Every ping must be answered with 204 and be in the database at the end. */
async function benchBurst(service: TestService, { ping, sent }: Pinger): Promise<Row[]> {
  progress('pings: burst')
  const latenciesMs: number[] = []
  let left = BURST
  const startedAt = performance.now()
  const work = async (worker: number) => {
    while (left-- > 0) {
      const at = performance.now()
      await ping(worker)
      latenciesMs.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, worker) => work(worker)))
  const seconds = (performance.now() - startedAt) / 1_000
  const stored = await countPings(service)
  if (stored !== sent()) throw new Error(`${sent()} pings were answered, ${stored} are in the database`)
  const name = `Burst of ${BURST.toLocaleString('en-US')} pings over ${CONNECTIONS} connections`
  return [
    alone(`${name}: until all are answered`, 's', [seconds]),
    alone(`${name}: rate`, '/s', [BURST / seconds]),
    alone(`${name}: p99`, 'ms', [percentile(latenciesMs, 0.99)]),
    alone(`${name}: lost or refused`, '', [BURST - latenciesMs.length]),
  ]
}

async function createPinger(scope: Scope, service: TestService): Promise<Pinger> {
  const team = await service.createTeam()
  progress('pings: creating heartbeats')
  const heartbeats = await seedMonitors(service.services, team.id, HEARTBEATS, () => ({ type: 'heartbeat' }))
  const port = Number(new URL(service.url).port)
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)))
  scope.after(async () => {
    for (const connection of connections) connection.close()
  })
  const own = childRunning(ENTRY)
  const database = databaseRoot(service.dataDir)
  let sent = 0
  return {
    async ping(worker) {
      const { heartbeatToken } = heartbeats[sent % HEARTBEATS] as SeededMonitor
      const headers = { 'x-forwarded-for': addressOf(sent++) }
      const request = requestText('GET', `/ping/${heartbeatToken}`, headers)
      const { status, body } = await (connections[worker] as KeepAliveConnection).send(request)
      if (status !== 204) throw new Error(`a ping was answered ${status}: ${body}`)
    },
    sent: () => sent,
    cpuMicros: () => cpuMicros(own) + treeCpuMicros(database),
  }
}

function addressOf(number: number): string {
  const address = number % ADDRESSES
  return `10.1.${address >> 8}.${address & 255}`
}

async function countPings(service: TestService): Promise<number> {
  const { rows } = await service.services.db.pool.query<{ count: number }>(
    'SELECT count(*) AS count FROM pings',
  )
  return rows[0]?.count ?? 0
}
