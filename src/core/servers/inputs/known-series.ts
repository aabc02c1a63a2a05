import type { Part } from '../series.ts'
import type { SenderFacts } from './point.ts'

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
  /** It leaves out what the system would give back, such as caches. */
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
  /** Reserved space is part of it. */
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

/**
 * How points of one name are read: as `field`, or as one of `fields` by the value of a label. Labels have several names, by
 * who sends them: the first one that a point has counts.
 */
export type KnownSeries = {
  field?: InputField
  by?: readonly string[]
  fields?: Readonly<Record<string, InputField>>
  /** Labels that name the part of the machine. */
  part?: readonly string[]
  /** The part's name where no label has it. */
  partIs?: string
  /** Labels, all of which tell readings of one field apart that belong together, such as those of each CPU. */
  member?: readonly string[]
  /** The device below a file system, and its type. */
  device?: readonly string[]
  type?: readonly string[]
  /** The factor of a value. */
  factor?: number
  /** The field of the same line that has the seconds over which a value was counted, where the line has it. */
  overField?: string
  /** Labels that a point must have with these values. */
  where?: Readonly<Record<string, string>>
}

export type KnownSeriesTable = Readonly<Record<string, KnownSeries>>

/** Modes of a CPU that are told as part of another one: the kernel counts interrupts as its own work. */
export const CPU_SECONDS = {
  user: 'cpu_user_seconds',
  nice: 'cpu_user_seconds',
  system: 'cpu_system_seconds',
  kernel: 'cpu_system_seconds',
  interrupt: 'cpu_system_seconds',
  irq: 'cpu_system_seconds',
  softirq: 'cpu_system_seconds',
  idle: 'cpu_idle_seconds',
  wait: 'cpu_iowait_seconds',
  iowait: 'cpu_iowait_seconds',
  steal: 'cpu_steal_seconds',
} as const satisfies Record<string, InputField>

export const CPU_PERCENT = {
  user: 'cpu_user_percent',
  nice: 'cpu_user_percent',
  system: 'cpu_system_percent',
  kernel: 'cpu_system_percent',
  interrupt: 'cpu_system_percent',
  irq: 'cpu_system_percent',
  softirq: 'cpu_system_percent',
  idle: 'cpu_idle_percent',
  wait: 'cpu_iowait_percent',
  iowait: 'cpu_iowait_percent',
  steal: 'cpu_steal_percent',
} as const satisfies Record<string, InputField>

/** `member`: what tells it from other readings of the same field. `over`: as of a point. */
export type GatheredReading = { member: string; value: number; at: number; over: number | null }

/** The value of one field in a request, for one part of the machine. `group`: the CPU, of readings of CPUs. */
export type Gathered = {
  field: InputField
  part: string | null
  readings: Map<string, GatheredReading & { group: string }>
}

/** Everything that a request holds about one machine. */
export type GatheredMachine = {
  told: SenderFacts
  fields: Map<string, Gathered>
  /** The facts of each mount point. */
  fileSystems: Map<string, { device: string | null; type: string | null }>
  count: number
}
