import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createRemoteProbe } from '../../src/operations/probing/remote-probe-tokens.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import type { Scope } from '../support/scope.ts'
import { startRemoteProbe } from '../support/services/remote-probe.ts'
import { startTestService, type TestService } from '../support/services/service.ts'
import type { DatabaseServer } from './database-server.ts'
import { type DatabaseWay, startDatabaseWay } from './database-way.ts'
import type { Machine } from './machine.ts'
import type { Host, Network } from './network.ts'

const RESTART_PAUSE_MS = 500
const SECRET_KEY = 'the secret key of a hostile run'

/** `isRemote`: without the database, over the API of the first of the layout. */
export type Layout = { roles: string; region?: string; isRemote?: boolean }

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
  ports: { targets: number[]; receiver: number[] }
  /** Sets the clock of its machine apart from ours; null where that is not possible. */
  setClock: ((offsetSeconds: number) => Promise<void>) | null
  /** Starts it again, as a supervisor does: until it runs. */
  restart(): Promise<void>
}

export async function startMember(
  scope: Scope,
  { machine, network, database }: { machine: Machine; network: Network | null; database: DatabaseServer },
  layout: Layout,
): Promise<Omit<Member, 'ports' | 'needs'> & { service: TestService }> {
  const way = await startDatabaseWay(scope, database.doors)
  const host = (await network?.addHost()) ?? null
  const hostAddress = host && network ? network.address : '127.0.0.1'
  const clock = await clockOf(scope, machine)
  const { user, password = '' } = database.address
  const credentials = `${user}:${encodeURIComponent(password)}`
  const doors = way.ports.map((port) => `${hostAddress}:${port}`)
  const environment = {
    ROLES: layout.roles,
    REGION: layout.region ?? '',
    DATABASE_URL: `postgres://${credentials}@${doors.join(',')}/upbeat`,
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
export async function startRemoteMember(
  scope: Scope,
  machine: Machine,
  layout: Layout,
  api: TestService,
): Promise<Omit<Member, 'ports' | 'needs'>> {
  const way = await startDatabaseWay(scope, [{ host: '127.0.0.1', port: Number(new URL(api.url).port) }])
  const clock = await clockOf(scope, machine)
  const { region = '' } = layout
  const { token } = await createRemoteProbe(api.services, { region, name: region })
  const environment = {
    PROBE_URL: `http://127.0.0.1:${way.ports[0]}`,
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

export function nameOf({ roles, region, isRemote }: Layout): string {
  const name = region === undefined ? roles : `${roles} in ${region}`
  return isRemote ? `remote ${name}` : name
}
