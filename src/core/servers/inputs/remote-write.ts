import { fact, gathering, knownFacts } from './gather.ts'
import { CPU_SECONDS, type KnownSeriesTable } from './known-series.ts'
import { type InputReading, MAX_POINT_LABELS, type SenderFacts } from './point.ts'
import { decode, type MessageType } from './protobuf.ts'

const LABEL: MessageType = { 1: { name: 'name', is: 'string' }, 2: { name: 'value', is: 'string' } }
const SAMPLE: MessageType = { 1: { name: 'value', is: 'double' }, 2: { name: 'timestamp', is: 'int64' } }
const TIME_SERIES: MessageType = {
  1: { name: 'labels', is: () => LABEL, repeated: true },
  2: { name: 'samples', is: () => SAMPLE, repeated: true },
}
/** https://prometheus.io/docs/specs/prw/remote_write_spec/ (1.0): histograms, exemplars and metadata are of no use here. */
const WRITE_REQUEST: MessageType = { 1: { name: 'timeseries', is: () => TIME_SERIES, repeated: true } }

type TimeSeries = {
  labels?: { name?: string; value?: string }[]
  samples?: { value?: number; timestamp?: number }[]
}

/**
 * Series that say something only together: a sum over some of the CPUs, or some of the file systems, is none. Prometheus
 * cuts scrapes into requests of a number of samples, wherever that falls.
 */
const WHOLE_ONLY = [
  'node_cpu_',
  'node_filesystem_',
  'node_systemd_unit_',
  'node_hwmon_temp_',
  'node_thermal_zone_',
]

/** Reads what Prometheus, Alloy and vmagent pass on of node_exporter, after it is unpacked. `now`: epoch seconds. */
export function readRemoteWrite(body: Uint8Array, { now }: { now: number }): InputReading {
  let request: { timeseries?: TimeSeries[] }
  try {
    request = decode(body, WRITE_REQUEST)
  } catch {
    return { fault: 'the body is no WriteRequest of the Prometheus remote write protocol, version 1.0' }
  }
  const gathered = gathering('prometheus', KNOWN_NODE_EXPORTER, now)
  const series = (request.timeseries ?? []).map(readSeries)
  const isCut = cutGroups(series)
  for (const { name, labels, samples } of series) {
    const told = factsIn(labels)
    if (isAboutMachine(name)) gathered.tell(told)
    for (const { value = 0, timestamp = 0 } of samples) {
      if (isCut(name, labels, timestamp)) gathered.drop(1, name)
      else gathered.add({ name, labels, value, at: timestamp / 1000, over: null }, told)
    }
  }
  return { ...gathered.finish(), rejected: null }
}

type Series = {
  name: string
  labels: Record<string, string>
  samples: { value?: number; timestamp?: number }[]
}

function readSeries({ labels: pairs = [], samples = [] }: TimeSeries): Series {
  const taken = pairs.slice(0, MAX_POINT_LABELS + 1)
  const labels = Object.fromEntries(taken.map(({ name = '', value = '' }) => [name, value]))
  return { name: labels.__name__ ?? '', labels, samples }
}

/**
 * Says of which groups a request may hold only a part. Samples of a scrape have one time, and stay in order: a group is
 * whole when others of its scrape stand before and behind it.
 */
function cutGroups(series: Series[]): (name: string, labels: Series['labels'], timestamp: number) => boolean {
  const scrapes = new Map<string, Span>()
  const groups = new Map<string, Span>()
  const scrapeOf = (labels: Series['labels'], timestamp: number) => `${timestamp} ${labels.instance ?? ''}`
  series.forEach(({ name, labels, samples }, index) => {
    const group = groupOf(name)
    for (const { timestamp = 0 } of samples) {
      const scrape = scrapeOf(labels, timestamp)
      widen(scrapes, scrape, index)
      if (group !== undefined) widen(groups, `${group} ${scrape}`, index)
    }
  })
  return (name, labels, timestamp) => {
    const group = groupOf(name)
    if (group === undefined) return false
    const scrape = scrapeOf(labels, timestamp)
    const [all, own] = [scrapes.get(scrape), groups.get(`${group} ${scrape}`)]
    return all === undefined || own === undefined || all.first >= own.first || all.last <= own.last
  }
}

type Span = { first: number; last: number }

function widen(spans: Map<string, Span>, key: string, index: number): void {
  const span = spans.get(key)
  if (span === undefined) spans.set(key, { first: index, last: index })
  else span.last = index
}

function groupOf(name: string): string | undefined {
  return WHOLE_ONLY.find((group) => name.startsWith(group))
}

function isAboutMachine(name: string): boolean {
  return name === 'node_uname_info' || name === 'node_os_info'
}

/** Every series says which target it is of; only one says what that calls itself. */
function factsIn(labels: Record<string, string>): SenderFacts {
  const isUname = labels.__name__ === 'node_uname_info'
  return knownFacts({
    machine_id: fact(labels.instance),
    host_name: isUname ? fact(labels.nodename) : null,
    kernel: isUname ? fact(labels.release) : null,
    architecture: isUname ? fact(labels.machine) : null,
    os: labels.__name__ === 'node_os_info' ? fact(labels.pretty_name) : null,
  })
}

const DEVICE = ['device']
const fileSystem = { part: ['mountpoint'], device: DEVICE, type: ['fstype'] }

/** Names of node_exporter on Linux, which Grafana Alloy's `prometheus.exporter.unix` and vmagent pass on as they are. */
const KNOWN_NODE_EXPORTER: KnownSeriesTable = {
  node_cpu_seconds_total: { by: ['mode'], fields: CPU_SECONDS, member: ['cpu'] },
  node_load1: { field: 'load_1' },
  node_load5: { field: 'load_5' },
  node_load15: { field: 'load_15' },
  node_memory_MemTotal_bytes: { field: 'memory_total_bytes' },
  node_memory_MemAvailable_bytes: { field: 'memory_available_bytes' },
  node_memory_MemFree_bytes: { field: 'memory_free_bytes' },
  node_memory_Cached_bytes: { field: 'memory_cached_bytes' },
  node_memory_Buffers_bytes: { field: 'memory_buffered_bytes' },
  node_memory_SwapTotal_bytes: { field: 'swap_total_bytes' },
  node_memory_SwapFree_bytes: { field: 'swap_free_bytes' },
  node_boot_time_seconds: { field: 'boot_time_seconds' },
  node_processes_pids: { field: 'processes' },
  node_systemd_unit_state: { field: 'failed_units', member: ['name'], where: { state: 'failed' } },
  node_hwmon_temp_celsius: { field: 'temperature_celsius', member: ['chip', 'sensor'] },
  node_thermal_zone_temp: { field: 'temperature_celsius', member: ['type', 'zone'] },
  node_pressure_cpu_waiting_seconds_total: { field: 'pressure_cpu_seconds' },
  node_pressure_memory_waiting_seconds_total: { field: 'pressure_memory_seconds' },
  node_pressure_io_waiting_seconds_total: { field: 'pressure_io_seconds' },
  node_filesystem_size_bytes: { field: 'size_bytes', ...fileSystem },
  node_filesystem_free_bytes: { field: 'free_bytes', ...fileSystem },
  node_filesystem_avail_bytes: { field: 'available_bytes', ...fileSystem },
  node_filesystem_files: { field: 'inodes', ...fileSystem },
  node_filesystem_files_free: { field: 'inodes_free', ...fileSystem },
  node_disk_read_bytes_total: { field: 'disk_read_bytes', part: DEVICE },
  node_disk_written_bytes_total: { field: 'disk_written_bytes', part: DEVICE },
  node_disk_io_time_seconds_total: { field: 'disk_busy_seconds', part: DEVICE },
  node_network_receive_bytes_total: { field: 'interface_received_bytes', part: DEVICE },
  node_network_transmit_bytes_total: { field: 'interface_sent_bytes', part: DEVICE },
  node_network_receive_errs_total: { field: 'interface_errors', part: DEVICE },
  node_network_transmit_errs_total: { field: 'interface_errors', part: DEVICE },
}
