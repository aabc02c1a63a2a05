import { CPU_PERCENT, CPU_SECONDS, type KnownSeriesTable } from './known-series.ts'

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

export const KNOWN_OPENTELEMETRY: KnownSeriesTable = { ...HOST_METRICS, ...PROXMOX }
