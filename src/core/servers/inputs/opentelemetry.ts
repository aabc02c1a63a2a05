import { fact, type Gathering, gathering, knownFacts } from './gather.ts'
import { CPU_PERCENT, CPU_SECONDS, type KnownSeriesTable } from './known-series.ts'
import { type InputReading, MAX_POINT_LABELS, type SenderFacts } from './point.ts'
import { decode, type MessageType } from './protobuf.ts'

const DELTA = [1, 'AGGREGATION_TEMPORALITY_DELTA']

/** A JSON value of somebody else: anything may be missing, or be something else. */
type Loose = { readonly [key: string]: unknown }

/** Reads an ExportMetricsServiceRequest of OTLP. `isJson`: else it is protobuf. `now`: epoch seconds. */
export function readOpenTelemetry(
  body: Uint8Array,
  { now, isJson }: { now: number; isJson: boolean },
): InputReading {
  const request = isJson ? fromJson(body) : fromProtobuf(body)
  if ('fault' in request) return { fault: String(request.fault) }
  const gathered = gathering('opentelemetry', KNOWN_OPENTELEMETRY, now)
  for (const resourceMetrics of list(request.resourceMetrics)) {
    const told = factsIn(labelsOf(object(resourceMetrics.resource).attributes))
    gathered.tell(told)
    for (const { metrics } of list(resourceMetrics.scopeMetrics)) {
      for (const metric of list(metrics)) addMetric(gathered, metric, told)
    }
  }
  return { ...gathered.finish(), rejected: null }
}

function fromJson(body: Uint8Array): Loose {
  try {
    const request: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof request === 'object' && request !== null && !Array.isArray(request)) {
      const { resourceMetrics } = request as Loose
      return { resourceMetrics }
    }
  } catch {
    // Said below.
  }
  return { fault: 'the body is no JSON object of an ExportMetricsServiceRequest' }
}

function fromProtobuf(body: Uint8Array): Loose {
  try {
    return decode(body, METRICS_REQUEST)
  } catch {
    return { fault: 'the body is no ExportMetricsServiceRequest in protobuf' }
  }
}

/** Histograms and summaries are of no known series. */
function addMetric(gathered: Gathering, metric: Loose, told: SenderFacts): void {
  const name = text(metric.name) ?? ''
  const sum = object(metric.sum)
  const isDelta = DELTA.includes(sum.aggregationTemporality as never)
  const others = [metric.histogram, metric.exponentialHistogram, metric.summary]
  for (const other of others) gathered.drop(list(object(other).dataPoints).length, name)
  for (const points of [object(metric.gauge).dataPoints, sum.dataPoints]) {
    for (const point of list(points)) {
      const at = seconds(point.timeUnixNano)
      const since = seconds(point.startTimeUnixNano)
      const labels = labelsOf(point.attributes)
      const over = isDelta && at !== null && since !== null && at > since ? at - since : null
      const value = isDelta && over === null ? Number.NaN : number(point.asDouble ?? point.asInt)
      gathered.add({ name, labels, value, at, over }, told)
    }
  }
}

/** Attributes that detectors of the Collector and of SDKs give a machine, and Proxmox its node. */
function factsIn(attributes: Record<string, string>): SenderFacts {
  return knownFacts({
    host_name: fact(attributes['host.name'] ?? attributes['proxmox.node']),
    machine_id: fact(attributes['host.id']),
    os: fact(attributes['os.description']),
    architecture: fact(attributes['host.arch']),
  })
}

function labelsOf(attributes: unknown): Record<string, string> {
  const pairs = list(attributes).slice(0, MAX_POINT_LABELS + 1)
  return Object.fromEntries(
    pairs.map(({ key, value }) => {
      const { stringValue, intValue, boolValue, doubleValue } = object(value)
      return [text(key) ?? '', String(stringValue ?? intValue ?? boolValue ?? doubleValue ?? '')]
    }),
  )
}

function list(value: unknown): Loose[] {
  return Array.isArray(value) ? value.map(object) : []
}

function object(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {}
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** JSON has 64-bit integers as strings, and some senders as numbers. */
function number(value: unknown): number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? Number(value) : Number.NaN
}

/** Epoch seconds of nanoseconds; null for none. */
function seconds(nanoseconds: unknown): number | null {
  const value = number(nanoseconds)
  return Number.isFinite(value) && value > 0 ? value / 1e9 : null
}

/**
 * The part that is read of opentelemetry/proto/metrics/v1/metrics.proto and its neighbors, under the names of their JSON.
 * https://github.com/open-telemetry/opentelemetry-proto
 */
const ANY_VALUE: MessageType = {
  1: { name: 'stringValue', is: 'string' },
  2: { name: 'boolValue', is: 'bool' },
  3: { name: 'intValue', is: 'int64' },
  4: { name: 'doubleValue', is: 'double' },
}

const KEY_VALUE: MessageType = { 1: { name: 'key', is: 'string' }, 2: { name: 'value', is: () => ANY_VALUE } }

const NUMBER_DATA_POINT: MessageType = {
  2: { name: 'startTimeUnixNano', is: 'fixed64' },
  3: { name: 'timeUnixNano', is: 'fixed64' },
  4: { name: 'asDouble', is: 'double' },
  6: { name: 'asInt', is: 'sfixed64' },
  7: { name: 'attributes', is: () => KEY_VALUE, repeated: true },
}

const dataPoints = { name: 'dataPoints', is: () => NUMBER_DATA_POINT, repeated: true } as const

const METRIC: MessageType = {
  1: { name: 'name', is: 'string' },
  5: { name: 'gauge', is: () => ({ 1: dataPoints }) },
  7: { name: 'sum', is: () => ({ 1: dataPoints, 2: { name: 'aggregationTemporality', is: 'uint32' } }) },
}

const RESOURCE: MessageType = { 1: { name: 'attributes', is: () => KEY_VALUE, repeated: true } }
const SCOPE_METRICS: MessageType = { 2: { name: 'metrics', is: () => METRIC, repeated: true } }

const RESOURCE_METRICS: MessageType = {
  1: { name: 'resource', is: () => RESOURCE },
  2: { name: 'scopeMetrics', is: () => SCOPE_METRICS, repeated: true },
}

/** ExportMetricsServiceRequest. */
const METRICS_REQUEST: MessageType = {
  1: { name: 'resourceMetrics', is: () => RESOURCE_METRICS, repeated: true },
}

/** Names of attributes as the Collector's hostmetrics receiver has them, then as semantic conventions of later years do. */
const CPU = ['cpu', 'cpu.logical_number', 'system.cpu.logical_number']
const CPU_MODE = ['state', 'cpu.mode', 'system.cpu.state']
const MEMORY_STATE = ['state', 'system.memory.state']
const SWAP_STATE = ['state', 'system.paging.state']
const DEVICE = ['device', 'system.device', 'network.interface.name']
const DIRECTION = ['direction', 'disk.io.direction', 'network.io.direction']

const cpuTime = { by: CPU_MODE, fields: CPU_SECONDS, member: CPU }
const cpuShare = { by: CPU_MODE, fields: CPU_PERCENT, member: CPU, factor: 100 }
const fileSystem = {
  part: ['mountpoint', 'system.filesystem.mountpoint'],
  device: DEVICE,
  type: ['type', 'system.filesystem.type'],
}
const fileSystemState = { ...fileSystem, by: ['state', 'system.filesystem.state'] }
const traffic = { receive: 'interface_received_bytes', transmit: 'interface_sent_bytes' } as const

/** https://opentelemetry.io/docs/specs/semconv/system/system-metrics/ and the scrapers of the hostmetrics receiver. */
const HOST_METRICS: KnownSeriesTable = {
  'system.cpu.time': cpuTime,
  'cpu.time': cpuTime,
  'system.cpu.utilization': cpuShare,
  'cpu.utilization': cpuShare,
  'system.cpu.logical.count': { field: 'cpus' },
  'system.cpu.load_average.1m': { field: 'load_1' },
  'system.cpu.load_average.5m': { field: 'load_5' },
  'system.cpu.load_average.15m': { field: 'load_15' },
  'system.memory.usage': {
    by: MEMORY_STATE,
    fields: {
      total: 'memory_total_bytes',
      used: 'memory_used_bytes',
      free: 'memory_free_bytes',
      cached: 'memory_cached_bytes',
      buffered: 'memory_buffered_bytes',
      buffers: 'memory_buffered_bytes',
    },
  },
  'system.memory.limit': { field: 'memory_total_bytes' },
  'system.linux.memory.available': { field: 'memory_available_bytes' },
  'system.memory.linux.available': { field: 'memory_available_bytes' },
  'system.paging.usage': {
    by: SWAP_STATE,
    fields: { used: 'swap_used_bytes', free: 'swap_free_bytes' },
    member: DEVICE,
  },
  'system.filesystem.usage': {
    ...fileSystemState,
    fields: { used: 'used_bytes', free: 'available_bytes', reserved: 'reserved_bytes' },
  },
  'system.filesystem.inodes.usage': {
    ...fileSystemState,
    fields: { used: 'inodes_used', free: 'inodes_free' },
  },
  'system.disk.io': {
    by: DIRECTION,
    fields: { read: 'disk_read_bytes', write: 'disk_written_bytes' },
    part: DEVICE,
  },
  'system.disk.io_time': { field: 'disk_busy_seconds', part: DEVICE },
  'system.network.io': { by: DIRECTION, fields: traffic, part: DEVICE },
  'system.network.errors': { field: 'interface_errors', part: DEVICE, member: DIRECTION },
  'system.processes.count': { field: 'processes', member: ['status'] },
  'system.uptime': { field: 'uptime_seconds' },
}

/** Clock ticks, of which Linux counts a hundred a second whatever the machine. */
const ticks = { factor: 0.01 }
const root = { partIs: '/' }

/** As Proxmox VE 9 builds them from what `pvestatd` knows of its node (PVE/Status/OpenTelemetry.pm). */
const PROXMOX: KnownSeriesTable = {
  proxmox_node_uptime: { field: 'uptime_seconds' },
  ...Object.fromEntries(
    (['user', 'nice', 'system', 'idle', 'iowait', 'irq', 'softirq', 'steal'] as const).map((mode) => [
      `proxmox_node_cpustat_${mode}_total`,
      { field: CPU_SECONDS[mode], ...ticks },
    ]),
  ),
  proxmox_node_cpustat_avg1: { field: 'load_1' },
  proxmox_node_cpustat_avg5: { field: 'load_5' },
  proxmox_node_cpustat_avg15: { field: 'load_15' },
  proxmox_node_cpustat_cpus: { field: 'cpus' },
  proxmox_node_memory_memtotal: { field: 'memory_total_bytes' },
  proxmox_node_memory_memavailable: { field: 'memory_available_bytes' },
  proxmox_node_memory_memused: { field: 'memory_used_bytes' },
  proxmox_node_memory_swaptotal: { field: 'swap_total_bytes' },
  proxmox_node_memory_swapused: { field: 'swap_used_bytes' },
  proxmox_node_blockstat_blocks: { field: 'size_bytes', ...root },
  proxmox_node_blockstat_bfree: { field: 'free_bytes', ...root },
  proxmox_node_blockstat_bavail: { field: 'available_bytes', ...root },
  proxmox_node_blockstat_files: { field: 'inodes', ...root },
  proxmox_node_blockstat_ffree: { field: 'inodes_free', ...root },
  proxmox_node_network_receive_total: { field: 'interface_received_bytes', part: ['device'] },
  proxmox_node_network_transmit_total: { field: 'interface_sent_bytes', part: ['device'] },
}

const KNOWN_OPENTELEMETRY: KnownSeriesTable = { ...HOST_METRICS, ...PROXMOX }
