import { fact, type Gathering, gathering, knownFacts } from './gather.ts'
import {
  CPU_PERCENT,
  CPU_SECONDS,
  type InputField,
  type KnownSeries,
  type KnownSeriesTable,
} from './known-series.ts'
import { type Line, readLines } from './line-protocol.ts'
import type { InputReading, SenderFacts } from './point.ts'

/** Seconds of a unit of time, as `precision` of the address names it; nanoseconds unless it does. */
const UNITS: Record<string, number> = {
  n: 1e-9,
  ns: 1e-9,
  u: 1e-6,
  us: 1e-6,
  µ: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3_600,
}

/** Objects of Proxmox that are the machine itself, and not its guests or storages. */
const OWN_OBJECTS = ['nodes', 'host']

/** Reads what Telegraf, Proxmox and Glances write. `now`: epoch seconds, for lines without a time. */
export function readInfluxLines(
  body: Uint8Array,
  { now, precision }: { now: number; precision: string | null },
): InputReading {
  const unit = Object.hasOwn(UNITS, precision || 'ns') ? UNITS[precision || 'ns'] : undefined
  if (unit === undefined) {
    const units = Object.keys(UNITS).join(', ')
    return { fault: `precision must be one of ${units}; it is ${JSON.stringify(precision?.slice(0, 20))}` }
  }
  const { lines, unreadable, why } = readLines(new TextDecoder().decode(body))
  if (lines.length === 0 && why !== null) return { fault: why }
  const gathered = gathering('influx', KNOWN_INFLUX, now)
  const isOfEach = lines.some(isOfCpu) && tellsOfEachCpu(lines)
  for (const line of lines)
    addLine(gathered, isOfEach && isOfCpu(line) ? { ...line, measurement: EACH_CPU } : line, unit)
  return { ...gathered.finish(), rejected: why === null ? null : { count: unreadable, why } }
}

function isOfCpu({ measurement, tags }: Line): boolean {
  return measurement === 'cpu' && /^cpu\d+$/.test(tags.cpu ?? '')
}

/** Whether a mean over the CPUs can be worked out: nothing says it, and all of them are in the request. */
function tellsOfEachCpu(lines: readonly Line[]): boolean {
  if (lines.some(({ measurement, tags }) => measurement === 'cpu' && tags.cpu === 'cpu-total')) return false
  const count = lines.find(({ measurement, fields }) => measurement === 'system' && fields.has('n_cpus'))
  const named = new Set(lines.filter(isOfCpu).map(({ tags }) => tags.cpu))
  return count?.fields.get('n_cpus') === named.size
}

function addLine(gathered: Gathering, line: Line, unit: number): void {
  const { measurement, tags, strings, fields } = line
  if (tags.object !== undefined && !OWN_OBJECTS.includes(tags.object)) {
    gathered.drop(fields.size, measurement)
    return
  }
  const told = factsIn(line)
  const at = line.time === null ? null : line.time * unit
  const labels = { ...strings, ...tags }
  for (const [field, value] of fields) {
    const name = `${measurement}.${field}`
    const over = Object.hasOwn(KNOWN_INFLUX, name) ? KNOWN_INFLUX[name]?.overField : undefined
    const seconds = over === undefined ? undefined : fields.get(over)
    gathered.add({ name, labels, value, at, over: seconds ?? null }, told)
  }
  if (measurement === 'system') gathered.tell(told)
}

/** Telegraf and Proxmox tag lines with `host`, Glances with `hostname`. */
function factsIn({ measurement, tags, strings }: Line): SenderFacts {
  return knownFacts({
    host_name: fact(tags.host ?? tags.hostname),
    os: measurement === 'system' ? fact(strings.linux_distro ?? strings.os_name) : null,
  })
}

/** Entries of one measurement: `mem` and `{ total: … }` make `mem.total`. */
function measurement(
  name: string,
  shared: Omit<KnownSeries, 'field'>,
  fields: Record<string, InputField>,
): [string, KnownSeries][] {
  return Object.entries(fields).map(([field, to]) => [`${name}.${field}`, { ...shared, field: to }])
}

const total = { where: { cpu: 'cpu-total' } }
/** Telegraf says what guests used apart from `user`. */
const telegrafModes = { ...CPU_PERCENT, guest: 'cpu_user_percent', guest_nice: 'cpu_user_percent' } as const
const usage = Object.fromEntries(
  Object.entries(telegrafModes).map(([mode, field]) => [`usage_${mode}`, field]),
)

/** The measurement `cpu` of a request that tells of each CPU and not of all together, as `totalcpu = false` has it. */
const EACH_CPU = 'cpu of each'

/** Input plugins of Telegraf: cpu, mem, swap, system, disk, diskio, net, processes, kernel, pressure, temp. */
const TELEGRAF: [string, KnownSeries][] = [
  ...measurement('cpu', total, usage),
  ...measurement(EACH_CPU, { member: ['cpu'] }, usage),
  ...measurement(
    'mem',
    {},
    {
      total: 'memory_total_bytes',
      available: 'memory_available_bytes',
      free: 'memory_free_bytes',
      cached: 'memory_cached_bytes',
      buffered: 'memory_buffered_bytes',
    },
  ),
  ...measurement('swap', {}, { total: 'swap_total_bytes', used: 'swap_used_bytes', free: 'swap_free_bytes' }),
  ...measurement(
    'system',
    {},
    { load1: 'load_1', load5: 'load_5', load15: 'load_15', uptime: 'uptime_seconds', n_cpus: 'cpus' },
  ),
  ...measurement(
    'disk',
    { part: ['path'], device: ['device'], type: ['fstype'] },
    {
      total: 'size_bytes',
      used: 'used_bytes',
      free: 'available_bytes',
      inodes_total: 'inodes',
      inodes_used: 'inodes_used',
      inodes_free: 'inodes_free',
    },
  ),
  ...measurement(
    'diskio',
    // Glances says what was added since its line before, and how long ago that was.
    { part: ['name', 'disk_name'], overField: 'time_since_update' },
    { read_bytes: 'disk_read_bytes', write_bytes: 'disk_written_bytes' },
  ),
  ...measurement('diskio', { part: ['name'], factor: 0.001 }, { io_time: 'disk_busy_seconds' }),
  ...measurement(
    'net',
    { part: ['interface'] },
    {
      bytes_recv: 'interface_received_bytes',
      bytes_sent: 'interface_sent_bytes',
      err_in: 'interface_errors',
      err_out: 'interface_errors',
    },
  ),
  ...measurement('processes', {}, { total: 'processes' }),
  ...measurement('kernel', {}, { boot_time: 'boot_time_seconds' }),
  ...measurement('temp', { member: ['sensor'] }, { temp: 'temperature_celsius' }),
]

/** Microseconds. */
const PRESSURE: KnownSeries = {
  by: ['resource'],
  fields: { cpu: 'pressure_cpu_seconds', memory: 'pressure_memory_seconds', io: 'pressure_io_seconds' },
  where: { type: 'some' },
  factor: 1e-6,
}

/** As Proxmox VE and its backup server name what they know of themselves (PVE/Status/InfluxDB.pm). */
const PROXMOX: [string, KnownSeries][] = [
  ...measurement(
    'cpustat',
    { factor: 0.01 },
    {
      user: CPU_SECONDS.user,
      nice: CPU_SECONDS.nice,
      system: CPU_SECONDS.system,
      idle: CPU_SECONDS.idle,
      iowait: CPU_SECONDS.iowait,
      irq: CPU_SECONDS.irq,
      softirq: CPU_SECONDS.softirq,
      steal: CPU_SECONDS.steal,
    },
  ),
  ...measurement('cpustat', {}, { avg1: 'load_1', avg5: 'load_5', avg15: 'load_15', cpus: 'cpus' }),
  ...measurement(
    'memory',
    {},
    {
      memtotal: 'memory_total_bytes',
      memavailable: 'memory_available_bytes',
      memused: 'memory_used_bytes',
      swaptotal: 'swap_total_bytes',
      swapused: 'swap_used_bytes',
    },
  ),
  ...measurement(
    'blockstat',
    { partIs: '/' },
    {
      blocks: 'size_bytes',
      bfree: 'free_bytes',
      bavail: 'available_bytes',
      files: 'inodes',
      ffree: 'inodes_free',
    },
  ),
  ...measurement(
    'nics',
    { part: ['instance'] },
    { receive: 'interface_received_bytes', transmit: 'interface_sent_bytes' },
  ),
]

const traffic = { part: ['interface_name'] }

/** Plugins of Glances 3 and 4. Those that they share with Telegraf are listed there. */
const GLANCES: [string, KnownSeries][] = [
  ...measurement('cpu', {}, CPU_PERCENT),
  ...measurement(
    'memswap',
    {},
    {
      total: 'swap_total_bytes',
      used: 'swap_used_bytes',
      free: 'swap_free_bytes',
    },
  ),
  ...measurement('load', {}, { min1: 'load_1', min5: 'load_5', min15: 'load_15', cpucore: 'cpus' }),
  ...measurement(
    'fs',
    { part: ['mnt_point'], device: ['device_name'], type: ['fs_type'] },
    { size: 'size_bytes', used: 'used_bytes', free: 'available_bytes' },
  ),
  ...measurement('network', traffic, {
    cumulative_rx: 'interface_received_bytes',
    cumulative_tx: 'interface_sent_bytes',
    bytes_recv_gauge: 'interface_received_bytes',
    bytes_sent_gauge: 'interface_sent_bytes',
  }),
  ...measurement('processcount', {}, { total: 'processes' }),
  ...measurement('uptime', {}, { seconds: 'uptime_seconds' }),
]

/** The series by `measurement.field`. */
const KNOWN_INFLUX: KnownSeriesTable = {
  ...Object.fromEntries([...TELEGRAF, ...PROXMOX, ...GLANCES]),
  'pressure.total': PRESSURE,
}
