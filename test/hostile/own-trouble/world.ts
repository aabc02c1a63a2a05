import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type SteadyJob, startSteadyJob } from '../../support/probing/steady-job.ts'
import type { Scope } from '../../support/scope.ts'
import { listen } from '../../support/servers/receivers.ts'
import { startTestService, type TestService } from '../../support/services/service.ts'
import { type TeamClient, teamClient } from '../../support/services/team-client.ts'
import { type AlertReceiver, startAlertReceiver } from '../receiver.ts'
import { castOf, namesOf, type Role } from './cast.ts'
import { addressAt, addressSixAt, type Failing, type FarSide, openFarSide } from './far-side.ts'
import { type Office, openOffice } from './office.ts'
import { untilJudged, untilWell } from './records.ts'
import { asksOffice, type Family, isSame, type Stage } from './stage.ts'

const run = promisify(execFile)

const CLOCK = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href
const RESOLV_CONF = '/etc/resolv.conf'
/** A cluster takes 60 MB, and its log of changes as much again. */
const DISK_SIZE = '500m'
/** Victims are no neighbours of each other, and have addresses that nobody else has. */
const VICTIM_NETWORKS = 3
const VICTIM_HOST = 500

export type Plan = {
  monitors: number
  intervalSeconds: number
  timeoutSeconds: number
  /** How the targets fail that really fail in the middle of a trouble. */
  failing: Failing[]
}

export type Victim = { id: number; name: string; address: string; family: Family; how: Failing }

/** The service on a machine with one cable that leads out, at whose other end is everything else, and a local network. */
export type World = {
  plan: Plan
  far: FarSide
  office: Office
  service: TestService
  receiver: AlertReceiver
  /** The names of those that are well all the time, by their ids. */
  healthy: Map<number, string>
  /** Those on stage. */
  readonly victims: Victim[]
  jobs: Map<number, SteadyJob>
  /** Where the database's own file system is. */
  disk: string
  readonly stage: Stage | null
  /** Sets what is monitored, and starts the service anew, which forgets what it reached before. */
  setStage(stage: Stage): Promise<void>
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
  note('making an internet of twenty networks, and a local one')
  const names = namesOf(plan.monitors)
  const far = await openFarSide(scope, names)
  const office = await openOffice(scope, names)
  const resolvConf = join(folder, 'resolv.conf')
  const ask = (servers: string[]) =>
    writeFile(resolvConf, servers.map((address) => `nameserver ${address}\n`).join(''))
  await ask(office.nameServers)
  await run('mount', ['--bind', resolvConf, RESOLV_CONF])
  const receiver = await startAlertReceiver(scope)
  note('starting the service')
  // The data goes to the small file system.
  process.env.TMPDIR = disk
  const environment = { DATABASE_URL: '', NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFFSET_FILE: clock }
  const service = await startTestService(environment, ownUser())
  scope.after(() => service.close())
  const cast = castOf(plan.monitors, await startWeb(scope))
  note(`making ${cast.length} monitors`)
  const client = await teamClient(service, 'business')
  const monitors = await addMonitors(scope, service, client, cast, receiver, plan).catch((error: unknown) => {
    throw new Error(`the service said:\n${service.output()}`, { cause: error })
  })
  let active: Stage | null = null

  async function setStage(stage: Stage) {
    if (active && isSame(active, stage)) return
    await untilWell(service)
    for (const { id, plays } of monitors.roles)
      if (plays(stage) !== (active === null || plays(active)))
        await client.data('POST', `/monitors/${id}/toggle`)
    active = stage
    await ask((asksOffice(stage) ? office : far).nameServers)
    await service.letGo()
    await service.signal('SIGTERM')
    await service.start()
    await service.takeUp()
    await untilJudged(service, Date.now())
    await untilWell(service)
  }

  return {
    ...{ plan, far, office, service, receiver, disk, setClock, setStage, ...monitors },
    get stage() {
      return active
    },
    get victims() {
      return monitors.victims.filter(({ family }) => family === 4 || active?.hasSix)
    },
  }
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

/** A target on this machine. */
async function startWeb(scope: Scope): Promise<number> {
  const server = http.createServer((_, response) => response.writeHead(200, { connection: 'close' }).end())
  const port = await listen(server, '0.0.0.0')
  scope.after(async () => void server.close())
  return port
}

async function addMonitors(
  scope: Scope,
  service: TestService,
  client: TeamClient,
  cast: Role[],
  receiver: AlertReceiver,
  plan: Plan,
) {
  const contact = await client.data('POST', '/notification-contacts', {
    name: 'Ops',
    type: 'webhook',
    config: { url: `http://127.0.0.1:${receiver.port}/hook` },
  })
  const add = (settings: Record<string, unknown>) =>
    client.monitor({
      check_interval_seconds: plan.intervalSeconds,
      request_timeout_seconds: plan.timeoutSeconds,
      notification_contact_ids: [contact.id],
      ...settings,
    })
  const healthy: World['healthy'] = new Map()
  const jobs: World['jobs'] = new Map()
  const roles: { id: number; plays: Role['plays'] }[] = []
  for (const role of cast) {
    const { id, heartbeat_token } = await add({ name: role.name, ...role.settings })
    healthy.set(id, role.name)
    roles.push({ id, plays: role.plays })
    if (role.pingEveryMs === null) continue
    const url = `${service.url}/ping/${heartbeat_token}`
    const intervalMs = Number(role.settings.check_interval_seconds) * 1_000
    jobs.set(id, startSteadyJob(scope, url, intervalMs, role.pingEveryMs))
  }
  const victims: Victim[] = []
  for (const [i, how] of plan.failing.entries()) {
    for (const family of [4, 6] as const) {
      const name = family === 4 ? `one that ${how}` : `IPv6 one that ${how}`
      const at = family === 4 ? addressAt : addressSixAt
      const address = at(i * VICTIM_NETWORKS, VICTIM_HOST + i)
      const url = `http://${family === 4 ? address : `[${address}]`}`
      const { id } = await add({ name, type: 'http', url })
      victims.push({ id, name, address, family, how })
      roles.push({ id, plays: ({ hasSix }) => family === 4 || hasSix })
    }
  }
  return { healthy, victims, jobs, roles }
}
