import type { InputField } from './fields.ts'

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
