import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type SteadyJob, startSteadyJob } from '../../support/probing/steady-job.ts'
import type { Scope } from '../../support/scope.ts'
import { startTestService, type TestService } from '../../support/services/service.ts'
import { teamClient } from '../../support/services/team-client.ts'
import { type AlertReceiver, startAlertReceiver } from '../receiver.ts'
import { addressAt, type Failing, type FarSide, openFarSide } from './far-side.ts'

const run = promisify(execFile)

const CLOCK = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href
const RESOLV_CONF = '/etc/resolv.conf'
/** A cluster takes 60 MB, and its log of changes as much again. */
const DISK_SIZE = '500m'
const INTERVAL_SECONDS = 2
const JOB_INTERVAL_SECONDS = 5
/** A job may ping 60 times a minute. */
const PING_EVERY_MS = 1_200
/** Victims are no neighbours of each other, and have addresses that nobody else has. */
const VICTIM_NETWORKS = 3
const VICTIM_HOST = 500

/** Ten monitors in a row. */
const MIX = [
  'http by address',
  'http by name',
  'tcp by address',
  'icmp by address',
  'http by name',
  'tcp by name',
  'icmp by name',
  'http by address',
  'icmp by address',
  'job',
] as const

export type Plan = {
  monitors: number
  timeoutSeconds: number
  /** How the targets fail that really fail in the middle of a trouble. */
  failing: Failing[]
}

export type Victim = { id: number; name: string; address: string; how: Failing }

/** The service on a machine with one cable, at whose other end is everything else. */
export type World = {
  far: FarSide
  service: TestService
  receiver: AlertReceiver
  /** The names of those that are well all the time, by their ids. */
  healthy: Map<number, string>
  victims: Victim[]
  jobs: Map<number, SteadyJob>
  /** Where the database's own file system is. */
  disk: string
  setClock(offsetSeconds: number): Promise<void>
}

/** To be called in a network and a mount namespace that have nothing of ours yet, by their root. */
export async function buildWorld(scope: Scope, plan: Plan, note: (text: string) => void): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'upbeat-own-trouble-'))
  await chmod(folder, 0o711)
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const disk = await mountDisk(scope, folder)
  const clock = join(folder, 'clock')
  const setClock = (offsetSeconds: number) => writeFile(clock, String(offsetSeconds))
  await setClock(0)
  note('making an internet of twenty networks')
  const far = await openFarSide(scope, namesOf(plan))
  await askOnly(far.nameServers, folder)
  const receiver = await startAlertReceiver(scope)
  note('starting the service')
  // The data goes to the small file system.
  process.env.TMPDIR = disk
  const environment = { DATABASE_URL: '', NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFFSET_FILE: clock }
  const service = await startTestService(environment, ownUser())
  scope.after(() => service.close())
  note(`making ${plan.monitors} monitors`)
  const monitors = await addMonitors(scope, service, receiver, far, plan).catch((error: unknown) => {
    throw new Error(`the service said:\n${service.output()}`, { cause: error })
  })
  return { far, service, receiver, disk, setClock, ...monitors }
}

/** The database does not run as root: where only we are root, the service is somebody else. */
function ownUser(): string[] {
  const isRealRoot = process.env.OWN_TROUBLE_REAL_ROOT === 'yes'
  return isRealRoot ? [] : ['unshare', '--user', '--map-user=1000', '--map-group=1000']
}

async function mountDisk(scope: Scope, folder: string): Promise<string> {
  const disk = join(folder, 'disk')
  await mkdir(disk, { mode: 0o711 })
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE},mode=711`, 'tmpfs', disk])
  scope.after(async () => void (await run('umount', ['--lazy', disk])))
  return disk
}

async function askOnly(nameServers: string[], folder: string): Promise<void> {
  const file = join(folder, 'resolv.conf')
  await writeFile(file, nameServers.map((address) => `nameserver ${address}\n`).join(''))
  await run('mount', ['--bind', file, RESOLV_CONF])
}

async function addMonitors(
  scope: Scope,
  service: TestService,
  receiver: AlertReceiver,
  far: FarSide,
  plan: Plan,
): Promise<Pick<World, 'healthy' | 'victims' | 'jobs'>> {
  const client = await teamClient(service, 'business')
  const contact = await client.data('POST', '/notification-contacts', {
    name: 'Ops',
    type: 'webhook',
    config: { url: `http://127.0.0.1:${receiver.port}/hook` },
  })
  const add = (settings: Record<string, unknown>) =>
    client.monitor({
      check_interval_seconds: INTERVAL_SECONDS,
      request_timeout_seconds: plan.timeoutSeconds,
      notification_contact_ids: [contact.id],
      ...settings,
    })
  const healthy: World['healthy'] = new Map()
  const jobs: World['jobs'] = new Map()
  for (let i = 0; i < plan.monitors; i++) {
    const kind = kindOf(i)
    const name = `${kind} ${i}`
    if (kind === 'job') {
      const seconds = JOB_INTERVAL_SECONDS
      const { id, heartbeat_token } = await add({ name, type: 'heartbeat', check_interval_seconds: seconds })
      const url = `${service.url}/ping/${heartbeat_token}`
      jobs.set(id, startSteadyJob(scope, url, seconds * 1_000, PING_EVERY_MS))
      healthy.set(id, name)
      continue
    }
    const [type = ''] = kind.split(' ')
    const host = kind.endsWith('name') ? domainName(i) : addressAt(i, i)
    const port = type === 'tcp' ? { port: far.tcpPort } : {}
    const { id } = await add({ name, type, url: `${type}://${host}`, ...port })
    healthy.set(id, name)
  }
  const victims: Victim[] = []
  for (const [i, how] of plan.failing.entries()) {
    const address = victimAddress(i)
    const name = `one that ${how}`
    const { id } = await add({ name, type: 'http', url: `http://${address}` })
    victims.push({ id, name, address, how })
  }
  return { healthy, victims, jobs }
}

function kindOf(i: number): (typeof MIX)[number] {
  return MIX[i % MIX.length] as (typeof MIX)[number]
}

function victimAddress(i: number): string {
  return addressAt(i * VICTIM_NETWORKS, VICTIM_HOST + i)
}

/** Each in a domain of its own. */
function domainName(i: number): string {
  return `www.shop-${i}.com`
}

function namesOf({ monitors }: Plan): Record<string, string[]> {
  const numbers = Array.from({ length: monitors }, (_, i) => i)
  return Object.fromEntries(numbers.map((i) => [domainName(i), [addressAt(i, i)]]))
}
