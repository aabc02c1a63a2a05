import { CPU_SECONDS, type KnownSeriesTable } from './known-series.ts'

const DEVICE = ['device']
const fileSystem = { part: ['mountpoint'], device: DEVICE, type: ['fstype'] }

/** Names of node_exporter on Linux, which Grafana Alloy's `prometheus.exporter.unix` and vmagent pass on as they are. */
export const KNOWN_NODE_EXPORTER: KnownSeriesTable = {
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
