import { type Database, openDatabase } from '../../src/postgres/database.ts'
import type { Scope } from '../support/scope.ts'
import type { TestService } from '../support/services/service.ts'
import { signIn } from '../support/services/signed-in.ts'
import { teamClient } from '../support/services/team-client.ts'
import { until } from '../support/until.ts'
import { startDatabaseCluster } from './database-cluster.ts'
import { type DatabaseServer, startDatabaseServer } from './database-server.ts'
import { addEscalation } from './escalations/rows.ts'
import { JOB_INTERVAL_SECONDS, type Jobs, startJobs } from './jobs.ts'
import type { Machine } from './machine.ts'
import { type Layout, type Member, nameOf, startMember, startRemoteMember } from './members.ts'
import { openNetwork } from './network.ts'
import { watchStandstills } from './probing/standstills.ts'
import { watchTakeovers } from './probing/takeovers.ts'
import { type AlertReceiver, startAlertReceiver } from './receiver.ts'
import { type Machines, type ReportingServer, startMachines } from './servers/machines.ts'
import { addReportingServers } from './servers/rows.ts'
import { addWatchedSites } from './sites/rows.ts'
import type { WatchedSite } from './sites/truth.ts'
import { startWebsites, type Websites } from './sites/websites.ts'
import type { Span } from './spans.ts'
import { startTargets, type Targets } from './targets.ts'
import type { Weather } from './weather.ts'
import { type WindowPeople, windowPeople } from './windows/people.ts'

export type Plan = {
  machine: Machine
  /** Whether PgBouncer and HAProxy are before a database with standbys. */
  isPooled?: boolean
  layout: Layout[]
  /** Monitors whose targets are checked. */
  monitors: number
  /** Jobs whose pings are waited for. */
  jobs: number
  /** Machines that report. */
  servers: number
  /** Websites that are looked at and crawled. */
  sites: number
  /** Whether people work with maintenance windows. */
  hasWindows: boolean
  /** How long each check of them may take. */
  timeoutSeconds: number
  weather: Weather
}

export type World = {
  database: DatabaseServer
  targets: Targets
  jobs: Jobs
  machines: Machines
  websites: Websites
  /** Null where there are no maintenance windows. */
  people: WindowPeople | null
  receiver: AlertReceiver
  /** The contact that every first alert goes to. */
  contactId: number
  members: Member[]
  /** A way into the database with no fault on it but the database's own. */
  direct: Database
  /** The number of each monitor, as its target or job knows it, by its id. */
  numbers: Map<number, number>
  /** The numbers of those with a target. */
  pages: number[]
  /** Where each job pings, by its number. */
  addresses: Map<number, string>
  /** Servers, with a number each. */
  servers: ReportingServer[]
  sites: WatchedSite[]
  takeovers: Span[]
  standstills: Span[]
}

/**
 * The service as several processes over one PostgreSQL, each with a way to the database of its own, and with a network
 * and a clock where the machine allows it. The first of the layout answers the API and stays on our own network.
 */
export async function buildWorld(scope: Scope, plan: Plan, note: (text: string) => void): Promise<World> {
  note('starting the database')
  const { standbys, disk } = plan.machine
  const database = standbys
    ? await startDatabaseCluster(scope, plan.isPooled)
    : await startDatabaseServer(scope, disk)
  const targets = await startTargets(scope, plan.weather)
  const receiver = await startAlertReceiver(scope)
  const [firstServer, firstSite] = [plan.monitors + plan.jobs, plan.monitors + plan.jobs + plan.servers]
  const siteNumbers = Array.from({ length: plan.sites }, (_, i) => firstSite + i)
  const websites = await startWebsites(scope, siteNumbers, plan.weather)
  const network = plan.machine.hosts ? await openNetwork(scope) : null
  const members: Member[] = []
  const ports = { targets: [targets.port, ...websites.ports], receiver: [receiver.port] }
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
  const { teamId, contactId, ...added } = await addMonitors(api, address, targets, receiver, plan)
  const jobs = startJobs(scope, plan.weather)
  const machines = startMachines(scope, plan.weather)
  const reporting = { teamId, contactId, url: api.url, count: plan.servers, first: firstServer }
  const servers = await addReportingServers(api.services.db, reporting)
  const watched = { teamId, contactId, address, ports: websites.ports, numbers: siteNumbers }
  const sites = await addWatchedSites(api.services.db, watched)
  const { send } = await signIn(api, teamId)
  const idOf = new Map([...added.numbers].map(([id, number]) => [number, id]))
  const people = plan.hasWindows ? windowPeople(scope, { send, url: api.url, idOf }) : null
  await api.letGo()
  note(`waiting for the first checks of ${added.pages.length} monitors`)
  const asked = () => new Set(targets.answers.map(({ monitor }) => monitor))
  await until('every monitor to be checked', () => asked().size === added.pages.length)
  const direct = openDatabase(database.address, () => {})
  scope.after(() => direct.close())
  const takeovers = watchTakeovers(scope, direct)
  const standstills = watchStandstills(scope, [targets.ask, () => direct.pool.query('SELECT 1')])
  return {
    ...{
      database,
      targets,
      jobs,
      machines,
      servers,
      websites,
      sites,
      people,
      receiver,
      contactId,
      members,
      direct,
      takeovers,
      standstills,
    },
    ...added,
  }
}

async function addMonitors(
  service: TestService,
  address: string,
  targets: Targets,
  receiver: AlertReceiver,
  { monitors, jobs, timeoutSeconds }: Plan,
): Promise<Pick<World, 'numbers' | 'pages' | 'addresses'> & { teamId: number; contactId: number }> {
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
  await addEscalation(service.services.db, client, `http://${address}:${receiver.port}`)
  return { numbers, pages, addresses, teamId: client.teamId, contactId: contact.id }
}
