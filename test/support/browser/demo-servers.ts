import { DAY_MS, HOUR_MS } from '../../../src/core/history/history-span.ts'
import type { Condition } from '../../../src/core/servers/condition.ts'
import type { Container, Hosted } from '../../../src/core/servers/hosted.ts'
import type { Machine, TopProcess } from '../../../src/core/servers/machine-report.ts'
import type { NotUnderstood } from '../../../src/core/servers/not-understood.ts'
import type { Sample } from '../../../src/core/servers/series.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { keepSamples, realisticSamples } from '../history/samples.ts'
import { addIncident } from '../records/history.ts'
import { ago, changeRows, type Given } from '../records/rows.ts'

const MINUTE_MS = 60_000
/** The history that the first server has. */
const KEPT_MINUTES = 12 * 60
const GIB = 1_024 ** 3

/** Makes a record through the dashboard's API, and returns its id. */
type Make = (path: string, body: unknown) => Promise<number>

/** `incident` is one of the database's, which lasts. */
export type DemoServers = { web: number; database: number; waiting: number; incident: number }

type DemoServer = {
  name: string
  state?: Omit<Given<'server_state'>, 'machine' | 'latest' | 'conditions'>
  machine?: Partial<Machine>
  latest?: Sample
  settings?: object
  conditions?: Condition[]
}

const MACHINE: Machine = {
  source: 'agent',
  host_name: 'web-1.example.com',
  os: 'Debian GNU/Linux 13 (trixie)',
  kernel: 'Linux 6.12.48+deb13-amd64',
  architecture: 'x86_64',
  cpus: 8,
  machine_id: 'a'.repeat(64),
  boot_id: 'b'.repeat(36),
  agent_version: '1.0',
}

const LATEST: Sample = {
  cpu_percent: 23.4,
  cpu_user_percent: 16.1,
  cpu_system_percent: 5.6,
  cpu_iowait_percent: 1.4,
  cpu_steal_percent: 0.3,
  load_1: 1.94,
  load_5: 1.62,
  load_15: 1.4,
  memory_total_bytes: 32 * GIB,
  memory_available_bytes: 19.4 * GIB,
  swap_total_bytes: 4 * GIB,
  swap_used_bytes: 0.4 * GIB,
  uptime_seconds: 41 * 86_400 + 5 * 3_600,
  processes: 318,
  failed_units: 0,
  clock_skew_seconds: 0.2,
  temperature_celsius: 51.5,
  'file_system_size_bytes:/': 80 * GIB,
  'file_system_used_percent:/': 44.8,
  'inodes_used_percent:/': 7.2,
  'file_system_size_bytes:/var/lib/a-rather-long-name-of-a-directory/that-someone-mounted': 2_048 * GIB,
  'file_system_used_percent:/var/lib/a-rather-long-name-of-a-directory/that-someone-mounted': 71.9,
  'inodes_used_percent:/var/lib/a-rather-long-name-of-a-directory/that-someone-mounted': 31.4,
  'disk_read_bytes:nvme0n1': 1_204_331,
  'disk_written_bytes:nvme0n1': 8_112_044,
  'disk_busy_percent:nvme0n1': 4.4,
  'disk_read_bytes:sda': 0,
  'disk_written_bytes:sda': 20_480,
  'disk_busy_percent:sda': 0.1,
  'interface_received_bytes:eth0': 12_533_220,
  'interface_sent_bytes:eth0': 3_802_112,
  'interface_errors:eth0': 0,
  'interface_received_bytes:wg0': 40_112,
  'interface_sent_bytes:wg0': 81_012,
  'interface_errors:wg0': 0.1,
}

const FULL: Sample = { ...LATEST, 'file_system_used_percent:/': 93.2, cpu_percent: 94.1, load_5: 17.2 }

export const DATABASE_SERVER =
  'Database of the southern region, with the archive of invoices and all of its replicas'

const HOSTED: Hosted = {
  containers: {
    ...{ told: 'part', trouble: 'Error: no such container: 4f1c', since: ago(9 * DAY_MS).toISOString() },
    list: [
      container('web', 'nginx:1.27', { health: 'healthy' }),
      container('db', 'registry.example.com:5000/a-rather-long-name/of-an-image/postgres@sha256:0a1b2c3d', {
        restarts: 12,
        rises: [{ at: ago(9 * MINUTE_MS).toISOString(), by: 3 }],
      }),
      container('shop-worker-with-a-rather-long-name-of-its-own-1', 'shop:4', {
        state: 'restarting',
        exit_code: 1,
      }),
      container('migrate', 'shop:4', { state: 'exited' }),
    ],
  },
  units: {
    ...{ told: 'all', trouble: null, since: ago(9 * DAY_MS).toISOString() },
    list: [
      { name: 'nginx.service', active: 'failed', sub: 'failed' },
      ...Array.from({ length: 14 }, (_, i) => ({
        name: `worker@${i}.service`,
        active: 'active',
        sub: 'running',
      })),
      { name: 'fstrim.service', active: 'inactive', sub: 'dead' },
    ],
  },
}

function container(name: string, image: string, more: Partial<Container>): Container {
  return { name, image, state: 'running', health: null, restarts: 0, exit_code: 0, ...more }
}

const watched = (...names: string[]) => ({ is_on: true, warns_only: false, minutes: 2, names })

const SERVERS: DemoServer[] = [
  {
    ...{ name: 'Web 1', latest: LATEST, state: { hosted: JSON.stringify(HOSTED) } },
    settings: {
      thresholds: {
        container: watched('web', 'db'),
        unit: watched('nginx', 'worker@3.service', 'ssh.socket'),
      },
    },
  },
  {
    name: DATABASE_SERVER,
    machine: { host_name: 'db-primary.eu-south-1.internal.a-rather-long-domain.example.com', cpus: 16 },
    latest: FULL,
    state: {
      status: 'down',
      status_since: ago(50 * MINUTE_MS),
      other_machine: JSON.stringify({
        host_name: 'db-clone.example.com',
        at: ago(4 * MINUTE_MS).toISOString(),
      }),
    },
    conditions: [
      {
        kind: 'disk_space',
        part: '/',
        phase: 'on',
        since: ago(60 * MINUTE_MS).toISOString(),
        incident_id: 1,
        warns_only: false,
      },
    ],
  },
  { name: 'Waiting room' },
  {
    name: 'خادم الويب',
    latest: LATEST,
    machine: { host_name: 'riyadh.example.com', source: 'opentelemetry' },
  },
  { name: 'Old mail server', latest: LATEST, settings: { is_active: false } },
  {
    name: 'Backup',
    latest: { ...LATEST, memory_available_bytes: 1.2 * GIB },
    state: { status: 'degraded', status_since: ago(3 * HOUR_MS) },
  },
]

const TOP: TopProcess[] = [
  { name: 'postgres', cpu_percent: 311.5, memory_percent: 41.2 },
  { name: 'a-process-with-a-rather-long-name-of-its-own', cpu_percent: 92, memory_percent: 3.1 },
  { name: 'node', cpu_percent: 12.5, memory_percent: null },
]

const NOT_UNDERSTOOD: NotUnderstood = {
  ...{ requests: 3, since: ago(2 * MINUTE_MS).toISOString(), at: ago(20_000).toISOString() },
  ...{ sender: 'OTel-OTLP-Exporter-Python/1.30.0', address: '10.0.0.7', why: null },
  names: ['system.foo', 'process.runtime.cpython.memory', 'http.server.request.duration'],
}

/** Servers in every state; one has incidents, and another machine behind its token. */
export async function makeDemoServers(db: Database, team: number, make: Make): Promise<DemoServers> {
  const ids: number[] = []
  for (const { name, settings } of SERVERS) ids.push(await make('/servers', { name, ...settings }))
  for (const [index, { state, machine, latest, conditions }] of SERVERS.entries()) {
    if (!latest) continue
    await changeRows(
      db,
      'server_state',
      { server_id: ids[index] as number },
      {
        status: 'up',
        status_since: ago(9 * DAY_MS),
        last_report_at: ago(20_000 + index * 7_000),
        machine: JSON.stringify({ ...MACHINE, ...machine }),
        latest: JSON.stringify(latest),
        conditions: JSON.stringify(conditions ?? []),
        ...state,
      },
    )
  }
  const [web = 0, database = 0, waiting = 0] = ids
  await changeRows(
    db,
    'server_state',
    { server_id: waiting },
    { not_understood: JSON.stringify(NOT_UNDERSTOOD) },
  )
  const backup = ids.at(-1) as number
  const samples = realisticSamples(7, new Date(0), KEPT_MINUTES)
  await keepSamples(
    db,
    web,
    samples.map(({ sample }, index) => ({ at: ago((KEPT_MINUTES - index) * MINUTE_MS), sample })),
  )
  const incident = (server_id: number, rest: Given<'team_incidents'>) =>
    addIncident(db, {
      team_id: team,
      about: 'memory',
      started_at: ago(9 * DAY_MS),
      cause: '8.2 % of the memory is available (limit 10 %)',
      ...rest,
      server_id,
    })
  await incident(web, { resolved_at: ago(9 * DAY_MS - 31 * MINUTE_MS), processes: JSON.stringify(TOP) })
  const full = await incident(database, {
    about: 'disk_space:/',
    started_at: ago(50 * MINUTE_MS),
    cause: '/ is 93 % full (limit 90 %)',
    processes: JSON.stringify(TOP),
  })
  await incident(database, {
    about: 'silent',
    resolved_at: ago(8 * DAY_MS),
    cause: 'no report for 3 min',
  })
  await incident(backup, { warns_only: true, started_at: ago(3 * HOUR_MS) })
  return { web, database, waiting, incident: full }
}
