import type { Counters, MachineReport, ReportSource } from '../machine-report.ts'
import {
  isFileSystemType,
  isInterface,
  MAX_DISKS,
  MAX_FILE_SYSTEMS,
  MAX_INTERFACES,
  type Part,
  type Sample,
  seriesKey,
  wholeDisks,
} from '../series.ts'
import { cpuCounters, cpuShares } from './cpu.ts'
import { FIELDS, type Gathered, type GatheredMachine, type InputField } from './known-series.ts'

/** Fields that are figures as they are. */
const AS_THEY_ARE = [
  'load_1',
  'load_5',
  'load_15',
  'uptime_seconds',
  'processes',
  'failed_units',
  'temperature_celsius',
] as const satisfies InputField[]

/** The report about a machine from one request. `dropped`: readings of parts that are not kept. */
export function reportOf(
  source: ReportSource,
  machine: GatheredMachine,
): { report: MachineReport; dropped: number } {
  const kept = keptParts(machine)
  const fields = [...machine.fields.values()]
  const isKept = ({ field, part }: Gathered) => part === null || kept[FIELDS[field].of as Part].has(part)
  const dropped = fields.filter((gathered) => !isKept(gathered)).map(({ readings }) => readings.size)
  const shown = fields.filter(isKept)
  const cpu = cpuCounters(machine)
  const { counters, rates } = counted(machine, shown, cpu)
  const cpus = together(machine, 'cpus') ?? cpu.count
  return {
    report: {
      machine: {
        source,
        host_name: machine.told.host_name ?? null,
        os: machine.told.os ?? null,
        kernel: machine.told.kernel ?? null,
        architecture: machine.told.architecture ?? null,
        cpus: cpus === null ? null : Math.min(Math.max(Math.trunc(cpus), 1), 100_000),
        machine_id: machine.told.machine_id ?? null,
        boot_id: null,
        agent_version: null,
      },
      // Senders keep reports back for a while, so that their times say nothing about the machine's clock.
      takenAt: null,
      gauges: { ...machineFigures(machine), ...fileSystemFigures(shown), ...rates },
      counters,
      top: [],
      failedUnits: [],
      hosted: null,
    },
    dropped: dropped.reduce((sum, count) => sum + count, 0),
  }
}

/** Parts that are kept of each kind, by the rules for those of the agent. */
function keptParts({ fields, fileSystems }: GatheredMachine): Record<Part, ReadonlySet<string>> {
  const names = (kind: Part) => [
    ...new Set(
      [...fields.values()].flatMap(({ field, part }) => (FIELDS[field].of === kind ? [part ?? ''] : [])),
    ),
  ]
  const first = (of: Iterable<string>, max: number) => new Set([...of].sort().slice(0, max))
  const mounts = [...fileSystems].filter(([, { type }]) => type === null || isFileSystemType(type))
  return {
    file_system: first(shownFileSystems(mounts), MAX_FILE_SYSTEMS),
    disk: first(wholeDisks(names('disk')), MAX_DISKS),
    interface: first(
      names('interface').filter((name) => isInterface(name)),
      MAX_INTERFACES,
    ),
  }
}

function machineFigures(machine: GatheredMachine): Sample {
  const sample: Sample = { ...cpuShares(machine), ...memory(machine), ...swap(machine) }
  for (const field of AS_THEY_ARE) {
    const value = together(machine, field)
    if (value !== null) sample[field] = value
  }
  const booted = newest(machine, 'boot_time_seconds')
  if (booted !== null) sample.uptime_seconds = booted.at - booted.value
  return sample
}

function memory(machine: GatheredMachine): Sample {
  const read = (field: InputField) => together(machine, field)
  const used = read('memory_used_bytes')
  const spare = [read('memory_free_bytes'), read('memory_cached_bytes'), read('memory_buffered_bytes')]
  const free = spare[0] === null ? null : spare.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
  const total = read('memory_total_bytes') ?? (used === null || free === null ? null : used + free)
  const available =
    read('memory_available_bytes') ?? (total === null ? null : used === null ? free : total - used)
  return present({ memory_total_bytes: total, memory_available_bytes: available })
}

function swap(machine: GatheredMachine): Sample {
  const [total, used, free] = (['swap_total_bytes', 'swap_used_bytes', 'swap_free_bytes'] as const).map(
    (field) => together(machine, field),
  ) as [number | null, number | null, number | null]
  return present({
    swap_total_bytes: total ?? (used === null || free === null ? null : used + free),
    swap_used_bytes: used ?? (total === null || free === null ? null : total - free),
  })
}

/** Counters, and the rates of what was told as the difference to the time before. */
function counted(
  machine: GatheredMachine,
  shown: Gathered[],
  cpu: ReturnType<typeof cpuCounters>,
): { counters: Counters; rates: Sample } {
  const times: Record<string, number> = { ...cpu.times }
  const values: Record<string, number> = { ...cpu.values }
  const rates: Sample = {}
  for (const { field, part, readings } of shown) {
    if (!FIELDS[field].counts || field.startsWith('cpu_')) continue
    const key = part === null ? field : `${field}:${part}`
    const all = [...readings.values()]
    const sum = all.reduce((total, { value }) => total + value, 0)
    const over = Math.max(...all.map((reading) => reading.over ?? 0))
    if (over > 0) Object.assign(rates, rateOf(field, part, sum / over))
    else {
      values[key] = sum
      times[key] = Math.max(...all.map(({ at }) => at))
    }
  }
  const at = newestTime(machine)
  const others = Object.entries(times).filter(([, time]) => time !== at)
  return {
    // Another set of CPUs is no longer comparable: as a restart would, it makes a gap.
    counters: { bootId: cpu.set, at, clock: 'wall', values, times: Object.fromEntries(others) },
    rates,
  }
}

/** A counter's rate, as the figure that it is kept as. */
function rateOf(field: InputField, part: string | null, perSecond: number): Sample {
  if (field === 'disk_busy_seconds') return { [`disk_busy_percent:${part}`]: Math.min(100 * perSecond, 100) }
  const pressure = /^pressure_(\w+)_seconds$/.exec(field)?.[1]
  if (pressure !== undefined) return { [`pressure_${pressure}_percent`]: Math.min(100 * perSecond, 100) }
  if (part === null) return {}
  return { [seriesKey(field as 'disk_read_bytes', part)]: perSecond }
}

function together(machine: GatheredMachine, field: InputField): number | null {
  const readings = [...(machine.fields.get(field)?.readings.values() ?? [])].map(({ value }) => value)
  if (readings.length === 0) return null
  if (FIELDS[field].together === 'sum') return readings.reduce((sum, value) => sum + value, 0)
  return readings.reduce((most, value) => Math.max(most, value))
}

function newest(machine: GatheredMachine, field: InputField): { value: number; at: number } | null {
  const readings = [...(machine.fields.get(field)?.readings.values() ?? [])]
  return readings.reduce<(typeof readings)[number] | null>(
    (best, reading) => (best === null || reading.at > best.at ? reading : best),
    null,
  )
}

function newestTime(machine: GatheredMachine): number {
  let time = Number.NEGATIVE_INFINITY
  for (const { readings } of machine.fields.values()) {
    for (const { at } of readings.values()) time = Math.max(time, at)
  }
  return time
}

function present(figures: Record<string, number | null>): Sample {
  return Object.fromEntries(
    Object.entries(figures).filter((entry): entry is [string, number] => entry[1] !== null),
  )
}

/** Mount points of which each device has one: the shortest, since others show the same space again. */
function shownFileSystems(mounts: [string, { device: string | null }][]): string[] {
  const byDevice = Map.groupBy(mounts, ([mount, { device }]) =>
    device?.startsWith('/') ? device : `mount ${mount}`,
  )
  return [...byDevice.values()].map((same) =>
    same.map(([mount]) => mount).reduce((best, mount) => (isBefore(mount, best) ? mount : best)),
  )
}

function isBefore(mount: string, other: string): boolean {
  return mount.length === other.length ? mount < other : mount.length < other.length
}

/** As `df` works them out: used of what is used or may be used, without what is reserved. */
function fileSystemFigures(gathered: Gathered[]): Sample {
  const byMount = new Map<string, Partial<Record<InputField, number>>>()
  for (const { field, part, readings } of gathered) {
    if (part === null) continue
    const known = byMount.get(part) ?? {}
    byMount.set(part, known)
    for (const { value } of readings.values()) known[field] = Math.max(known[field] ?? value, value)
  }
  const sample: Sample = {}
  for (const [mount, known] of byMount) {
    const figures = {
      file_system_size_bytes:
        known.size_bytes ?? sum(known.used_bytes, known.available_bytes, known.reserved_bytes ?? 0),
      file_system_used_percent: known.used_percent ?? shareUsed(used(known), known.available_bytes),
      inodes_used_percent:
        known.inodes_used_percent ??
        shareUsed(known.inodes_used ?? difference(known.inodes, known.inodes_free), known.inodes_free),
    }
    for (const [name, value] of Object.entries(figures)) {
      if (value !== undefined) sample[`${name}:${mount}`] = value
    }
  }
  return sample
}

function used(known: Partial<Record<InputField, number>>): number | undefined {
  return known.used_bytes ?? difference(known.size_bytes, known.free_bytes)
}

function sum(...values: (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>(
    (total, value) => (total === undefined || value === undefined ? undefined : total + value),
    0,
  )
}

function difference(all: number | undefined, rest: number | undefined): number | undefined {
  return all === undefined || rest === undefined ? undefined : all - rest
}

/** None of a file system without space, or that counts no inodes. */
function shareUsed(usedOf: number | undefined, free: number | undefined): number | undefined {
  if (usedOf === undefined || free === undefined || usedOf + free <= 0) return undefined
  return (100 * usedOf) / (usedOf + free)
}
