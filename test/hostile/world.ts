import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase } from '../../src/postgres/database.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import type { Scope } from '../support/scope.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { teamClient } from '../support/services/team-client.ts'
import { until } from '../support/until.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { type DatabaseWay, startDatabaseWay } from './database-way.ts'
import type { Machine } from './machine.ts'
import { type Host, type Network, openNetwork } from './network.ts'
import { type AlertReceiver, startAlertReceiver } from './receiver.ts'
import { startTargets, type Targets, type Weather } from './targets.ts'

const RESTART_PAUSE_MS = 500
const SECRET_KEY = 'the secret key of a hostile run'

export type Layout = { roles: string; region?: string }

export type Plan = {
  machine: Machine
  layout: Layout[]
  monitors: number
  /** How long each check of them may take. */
  timeoutSeconds: number
  weather: Weather
}

/** One process of the service, on a machine of its own where that is possible. */
export type Member = {
  name: string
  probes: boolean
  service: TestService
  /** On its way to the database. */
  way: DatabaseWay
  host: Host | null
  /** Where everybody finds the targets and the receiver. */
  ports: { targets: number; receiver: number }
  /** Sets the clock of its machine apart from ours; null where that is not possible. */
  setClock: ((offsetSeconds: number) => Promise<void>) | null
  /** Starts it again, as a supervisor does: until it runs. */
  restart(): Promise<void>
}

export type World = {
  database: DatabaseServer
  targets: Targets
  receiver: AlertReceiver
  members: Member[]
  /** A way into the database with no fault on it but the database's own. */
  direct: Database
  /** The number of each monitor, as its target knows it, by its id. */
  numbers: Map<number, number>
}

/**
 * The service as several processes over one PostgreSQL, each with a way to the database of its own, and with a network
 * and a clock where the machine allows it. The first of the layout answers the API and stays on our own network.
 */
export async function buildWorld(scope: Scope, plan: Plan, note: (text: string) => void): Promise<World> {
  note('starting the database')
  const database = await startDatabaseServer(scope, plan.machine.disk)
  const targets = await startTargets(scope, plan.weather)
  const receiver = await startAlertReceiver(scope)
  const network = plan.machine.hosts ? await openNetwork(scope) : null
  const members: Member[] = []
  for (const [i, layout] of plan.layout.entries()) {
    note(`starting process ${i + 1} of ${plan.layout.length}: ${nameOf(layout)}`)
    const isFirst = i === 0
    const place = { machine: plan.machine, network: isFirst ? null : network, database }
    const started = await startMember(scope, place, layout)
    members.push({ ...started, ports: { targets: targets.port, receiver: receiver.port } })
  }
  const [api] = members
  if (!api) throw new Error('a world needs a process')
  const numbers = await addMonitors(api.service, network?.address ?? '127.0.0.1', targets, receiver, plan)
  for (const { service } of members) await service.letGo()
  note(`waiting for the first checks of ${numbers.size} monitors`)
  const asked = () => new Set(targets.answers.map(({ monitor }) => monitor))
  await until('every monitor to be checked', () => asked().size === numbers.size)
  const { port, user } = database
  const direct = openDatabase({ host: '127.0.0.1', port, user, database: 'upbeat' }, () => {})
  scope.after(() => direct.close())
  return { database, targets, receiver, members, direct, numbers }
}

async function startMember(
  scope: Scope,
  { machine, network, database }: { machine: Machine; network: Network | null; database: DatabaseServer },
  layout: Layout,
): Promise<Omit<Member, 'ports'>> {
  const { clockLibrary } = machine
  const way = await startDatabaseWay(scope, database.port)
  const host = (await network?.addHost()) ?? null
  const hostAddress = host && network ? network.address : '127.0.0.1'
  const clock = clockLibrary === null || host === null ? null : await makeClock(scope, clockLibrary)
  const environment = {
    ROLES: layout.roles,
    REGION: layout.region ?? '',
    DATABASE_URL: `postgres://${database.user}@${hostAddress}:${way.port}/upbeat`,
    SECRET_KEY,
    ...clock?.environment,
  }
  const service = await startTestService(environment, host?.launcher)
  const pids = [service.pid]
  scope.after(async () => {
    // Nothing has to be handed over any more.
    await service.signal('SIGKILL')
    await service.close()
    if (clock) await Promise.all(pids.map(removeClockMemory))
  })
  return {
    name: nameOf(layout),
    probes: layout.roles.split(',').includes('probe'),
    service,
    way,
    host,
    setClock: clock?.set ?? null,
    async restart() {
      const deadline = Date.now() + HANG_GUARD_MS
      for (;;) {
        try {
          return await service.start()
        } catch (error) {
          if (Date.now() > deadline) throw error
          await delay(RESTART_PAUSE_MS)
        } finally {
          pids.push(service.pid)
        }
      }
    },
  }
}

/** A clock that differs from ours by what stands in a file, which the library reads at every look. */
async function makeClock(scope: Scope, library: string) {
  const folder = await mkdtemp(join(tmpdir(), 'upbeat-clock-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'offset')
  const set = (offsetSeconds: number) => writeFile(file, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}\n`)
  await set(0)
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    // A jump of the clock on the wall leaves the time since the start alone.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_RESET: '1',
    NO_FAKE_STAT: '1',
  }
  return { environment, set }
}

/** The files that the library shares among the children of a process, and leaves behind when the process is killed. */
async function removeClockMemory(pid: number): Promise<void> {
  for (const kind of ['faketime_shm_', 'sem.faketime_sem_'])
    await rm(`/dev/shm/${kind}${pid}`, { force: true })
}

async function addMonitors(
  service: TestService,
  address: string,
  targets: Targets,
  receiver: AlertReceiver,
  { monitors, timeoutSeconds }: Plan,
): Promise<Map<number, number>> {
  const client = await teamClient(service)
  const contact = await client.data('POST', '/notification-contacts', {
    name: 'Ops',
    type: 'webhook',
    config: { url: `http://${address}:${receiver.port}/hook` },
  })
  const numbers = new Map<number, number>()
  for (let number = 0; number < monitors; number++) {
    const { id } = await client.monitor({
      name: `m${number}`,
      url: `http://${address}:${targets.port}/${number}`,
      request_timeout_seconds: timeoutSeconds,
      notification_contact_ids: [contact.id],
    })
    numbers.set(id, number)
  }
  return numbers
}

function nameOf({ roles, region }: Layout): string {
  return region === undefined ? roles : `${roles} in ${region}`
}
