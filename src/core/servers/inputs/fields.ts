import type { Part } from '../series.ts'

/**
 * A field is what points of every input are read into. One or more of them make a figure that is kept: a file system's
 * used percent, for one, comes from what is used and what is free. `together`: what becomes of several readings of a field,
 * such as those of each CPU.
 */
type FieldOf = { of: Part | null; counts: boolean; together: 'sum' | 'greatest' }

const gauge = { of: null, counts: false, together: 'sum' } as const
const greatest = { of: null, counts: false, together: 'greatest' } as const
const counter = { of: null, counts: true, together: 'sum' } as const
const ofFileSystem = { of: 'file_system', counts: false, together: 'greatest' } as const
const ofDisk = { of: 'disk', counts: true, together: 'sum' } as const
const ofInterface = { of: 'interface', counts: true, together: 'sum' } as const

export const FIELDS = {
  cpu_user_seconds: counter,
  cpu_system_seconds: counter,
  cpu_idle_seconds: counter,
  cpu_iowait_seconds: counter,
  cpu_steal_seconds: counter,
  cpu_user_percent: gauge,
  cpu_system_percent: gauge,
  cpu_idle_percent: gauge,
  cpu_iowait_percent: gauge,
  cpu_steal_percent: gauge,
  cpus: greatest,
  load_1: greatest,
  load_5: greatest,
  load_15: greatest,
  memory_total_bytes: greatest,
  memory_available_bytes: greatest,
  /** Without what the system would give back, such as caches. */
  memory_used_bytes: greatest,
  memory_free_bytes: greatest,
  memory_cached_bytes: greatest,
  memory_buffered_bytes: greatest,
  swap_total_bytes: gauge,
  swap_used_bytes: gauge,
  swap_free_bytes: gauge,
  uptime_seconds: greatest,
  /** Epoch seconds. */
  boot_time_seconds: greatest,
  processes: gauge,
  failed_units: gauge,
  temperature_celsius: greatest,
  pressure_cpu_seconds: counter,
  pressure_memory_seconds: counter,
  pressure_io_seconds: counter,
  size_bytes: ofFileSystem,
  used_bytes: ofFileSystem,
  /** The share that everybody may use. */
  available_bytes: ofFileSystem,
  /** With what is reserved. */
  free_bytes: ofFileSystem,
  reserved_bytes: ofFileSystem,
  used_percent: ofFileSystem,
  inodes: ofFileSystem,
  inodes_used: ofFileSystem,
  inodes_free: ofFileSystem,
  inodes_used_percent: ofFileSystem,
  disk_read_bytes: ofDisk,
  disk_written_bytes: ofDisk,
  disk_busy_seconds: ofDisk,
  interface_received_bytes: ofInterface,
  interface_sent_bytes: ofInterface,
  interface_errors: ofInterface,
} as const satisfies Record<string, FieldOf>

export type InputField = keyof typeof FIELDS
