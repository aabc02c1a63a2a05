import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createRemoteProbe } from '../../src/operations/probing/remote-probe-tokens.ts'
import { type Database, openDatabase } from '../../src/postgres/database.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import type { Scope } from '../support/scope.ts'
import { startRemoteProbe } from '../support/services/remote-probe.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import { signIn } from '../support/services/signed-in.ts'
import { teamClient } from '../support/services/team-client.ts'
import { until } from '../support/until.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { type DatabaseWay, startDatabaseWay } from './database-way.ts'
import { JOB_INTERVAL_SECONDS, type Jobs, startJobs } from './jobs.ts'
import type { Machine } from './machine.ts'
import { type Host, type Network, openNetwork } from './network.ts'
import { type AlertReceiver, startAlertReceiver } from './receiver.ts'
import { startTargets, type Targets, type Weather } from './targets.ts'
import { type WindowPeople, windowPeople } from './windows.ts'

const RESTART_PAUSE_MS = 500
const SECRET_KEY = 'the secret key of a hostile run'

/** `isRemote`: without the database, over the API of the first of the layout. */
export type Layout = { roles: string; region?: string; isRemote?: boolean }

export type Plan = {
  machine: Machine
  layout: Layout[]
  /** Of targets that are checked. */
  monitors: number
  /** Jobs whose pings are waited for. */
  jobs: number
  /** Whether people work with maintenance windows. */
  hasWindows: boolean
  /** How long each check of them may take. */
  timeoutSeconds: number
  weather: Weather
}

/** One process of the service, on a machine of its own where that is possible. */
export type Member = {
  name: string
  probes: boolean
  service: Pick<TestService, 'pid' | 'signal' | 'start' | 'output'>
  /** Whose end takes the work of this one away, too. */
  needs: string[]
  /** On its way to the database; of a remote one, to the API. */
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
  jobs: Jobs
  /** Null where there are no maintenance windows. */
  people: WindowPeople | null
  receiver: AlertReceiver
  members: Member[]
  /** A way into the database with no fault on it but the database's own. */
  direct: Database
  /** The number of each monitor, as its target or job knows it, by its id. */
  numbers: Map<number, number>
  /** The numbers of those with a target. */
  pages: number[]
  /** Where each job pings, by its number. */
  addresses: Map<number, string>
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
  const ports = { targets: targets.port, receiver: receiver.port }
  let api: TestService | null = null
  for (const [i, layout] of plan.layout.entries()) {
    note(`starting process ${i + 1} of ${plan.layout.length}: ${nameOf(layout)}`)
    if (layout.isRemote) {
      if (!api || !members[0]) throw new Error('a remote probe needs the API before it')
      members.push({
        ...(await startRemoteMember(scope, plan.machine, layout, api)),
        needs: [members[0].name],
        ports,
      })
      continue
    }
    const place = { machine: plan.machine, network: i === 0 ? null : network, database }
    const { service, ...started } = await startMember(scope, place, layout)
    api ??= service
    if (api !== service) await service.letGo()
    members.push({ ...started, service, needs: [], ports })
  }
  if (!api) throw new Error('a world needs a process')
  const address = network?.address ?? '127.0.0.1'
  const { teamId, ...added } = await addMonitors(api, address, targets, receiver, plan)
  const jobs = startJobs(scope, plan.weather)
  const { send } = await signIn(api, teamId)
  const idOf = new Map([...added.numbers].map(([id, number]) => [number, id]))
  const people = plan.hasWindows ? windowPeople(scope, { send, url: api.url, idOf }) : null
  await api.letGo()
  note(`waiting for the first checks of ${added.pages.length} monitors`)
  const asked = () => new Set(targets.answers.map(({ monitor }) => monitor))
  await until('every monitor to be checked', () => asked().size === added.pages.length)
  const { port, user } = database
  const direct = openDatabase({ host: '127.0.0.1', port, user, database: 'upbeat' }, () => {})
  scope.after(() => direct.close())
  return { database, targets, jobs, people, receiver, members, direct, ...added }
}

async function startMember(
  scope: Scope,
  { machine, network, database }: { machine: Machine; network: Network | null; database: DatabaseServer },
  layout: Layout,
): Promise<Omit<Member, 'ports' | 'needs'> & { service: TestService }> {
  const way = await startDatabaseWay(scope, database.port)
  const host = (await network?.addHost()) ?? null
  const hostAddress = host && network ? network.address : '127.0.0.1'
  const clock = await clockOf(scope, machine)
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
    restart: () => supervise(service, pids),
  }
}

/** A process elsewhere: it has a way to the API alone, on our own network, as it would not go there without TLS else. */
async function startRemoteMember(
  scope: Scope,
  machine: Machine,
  layout: Layout,
  api: TestService,
): Promise<Omit<Member, 'ports' | 'needs'>> {
  const way = await startDatabaseWay(scope, Number(new URL(api.url).port))
  const clock = await clockOf(scope, machine)
  const { region = '' } = layout
  const { token } = await createRemoteProbe(api.services, { region, name: region })
  const environment = {
    PROBE_URL: `http://127.0.0.1:${way.port}`,
    PROBE_TOKEN: token,
    REGION: region,
    ...clock?.environment,
  }
  let probe = startRemoteProbe(scope, environment)
  await probe.url()
  let printed = ''
  const service: Member['service'] = {
    get pid() {
      return probe.pid
    },
    async signal(name) {
      await probe.end(name)
    },
    async start() {
      printed += probe.output()
      probe = startRemoteProbe(scope, environment)
      const ended = probe.end().then((status) => {
        throw new Error(`the probe ended with ${status}:\n${probe.output()}`)
      })
      ended.catch(() => {})
      await Promise.race([probe.url(), ended])
    },
    output: () => printed + probe.output(),
  }
  const pids = [service.pid]
  scope.after(async () => {
    await service.signal('SIGKILL')
    if (clock) await Promise.all(pids.map(removeClockMemory))
  })
  return {
    name: nameOf(layout),
    probes: true,
    service,
    way,
    host: null,
    setClock: clock?.set ?? null,
    restart: () => supervise(service, pids),
  }
}

/** Starts it until it runs. */
async function supervise(service: Member['service'], pids: number[]): Promise<void> {
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
}

/** Null where the machine has no library for it. */
function clockOf(scope: Scope, { clockLibrary }: Machine) {
  return clockLibrary === null ? null : makeClock(scope, clockLibrary)
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
  { monitors, jobs, timeoutSeconds }: Plan,
): Promise<Pick<World, 'numbers' | 'pages' | 'addresses'> & { teamId: number }> {
  const client = await teamClient(service)
  const contact = await client.data('POST', '/notification-contacts', {
    name: 'Ops',
    type: 'webhook',
    config: { url: `http://${address}:${receiver.port}/hook` },
  })
  const numbers = new Map<number, number>()
  const pages = Array.from({ length: monitors }, (_, number) => number)
  for (const number of pages) {
    const { id } = await client.monitor({
      name: `m${number}`,
      url: `http://${address}:${targets.port}/${number}`,
      request_timeout_seconds: timeoutSeconds,
      notification_contact_ids: [contact.id],
    })
    numbers.set(id, number)
  }
  const addresses = new Map<number, string>()
  for (let number = monitors; number < monitors + jobs; number++) {
    const { id, heartbeat_token } = await client.monitor({
      name: `j${number}`,
      type: 'heartbeat',
      check_interval_seconds: JOB_INTERVAL_SECONDS,
      notification_contact_ids: [contact.id],
    })
    numbers.set(id, number)
    addresses.set(number, `${service.url}/ping/${heartbeat_token}`)
  }
  return { numbers, pages, addresses, teamId: client.teamId }
}

function nameOf({ roles, region, isRemote }: Layout): string {
  const name = region === undefined ? roles : `${roles} in ${region}`
  return isRemote ? `remote ${name}` : name
}
