import { shownLine } from '../language/hidden-characters.ts'

/**
 * A series is one figure of a server over time. `of`: the part of the machine that it is about, named in its key; null for
 * the machine. `step`: what values are rounded to when they are kept.
 */
type Series = { unit: Unit; of: Part | null; step: number }
export type Unit = 'percent' | 'bytes' | 'bytes_per_second' | 'per_second' | 'seconds' | 'count' | 'celsius'
export type Part = 'file_system' | 'disk' | 'interface'

const percent = { unit: 'percent', of: null, step: 0.1 } as const
const bytes = { unit: 'bytes', of: null, step: 65_536 } as const
const ofFileSystem = { of: 'file_system' } as const
const rate = { unit: 'bytes_per_second', step: 1 } as const

/** Every figure that is kept. Others are counted and dropped. The order is that of stored samples: add at the end. */
export const SERIES = {
  cpu_percent: percent,
  cpu_user_percent: percent,
  cpu_system_percent: percent,
  cpu_iowait_percent: percent,
  cpu_steal_percent: percent,
  load_1: { unit: 'count', of: null, step: 0.01 },
  load_5: { unit: 'count', of: null, step: 0.01 },
  load_15: { unit: 'count', of: null, step: 0.01 },
  memory_total_bytes: bytes,
  /** The memory that programs can still get, by MemAvailable. */
  memory_available_bytes: bytes,
  swap_total_bytes: bytes,
  swap_used_bytes: bytes,
  /** Share of time in which some task waited (PSI). */
  pressure_cpu_percent: percent,
  pressure_memory_percent: percent,
  pressure_io_percent: percent,
  uptime_seconds: { unit: 'seconds', of: null, step: 1 },
  processes: { unit: 'count', of: null, step: 1 },
  failed_units: { unit: 'count', of: null, step: 1 },
  /** The machine's clock minus ours. */
  clock_skew_seconds: { unit: 'seconds', of: null, step: 0.1 },
  temperature_celsius: { unit: 'celsius', of: null, step: 0.1 },
  file_system_size_bytes: { ...bytes, ...ofFileSystem },
  /** The used share of what is not reserved, as `df` says it. */
  file_system_used_percent: { ...percent, ...ofFileSystem },
  inodes_used_percent: { ...percent, ...ofFileSystem },
  disk_read_bytes: { ...rate, of: 'disk' },
  disk_written_bytes: { ...rate, of: 'disk' },
  disk_busy_percent: { ...percent, of: 'disk' },
  interface_received_bytes: { ...rate, of: 'interface' },
  interface_sent_bytes: { ...rate, of: 'interface' },
  interface_errors: { unit: 'per_second', of: 'interface', step: 0.1 },
} as const satisfies Record<string, Series>

export type SeriesName = keyof typeof SERIES

export const MAX_FILE_SYSTEMS = 32
export const MAX_DISKS = 16
export const MAX_INTERFACES = 16
/** The bound of the name of a mount point, disk or interface, in characters; longer ones are cut. */
export const MAX_PART_NAME_LENGTH = 128

/** Values by key (`seriesKey`). Unknown and impossible values are absent. */
export type Sample = Record<string, number>

/** `memory_total_bytes`, or `file_system_used_percent:/var` for a part of the machine. */
export function seriesKey(name: SeriesName, part?: string): string {
  return part === undefined ? name : `${name}:${part}`
}

/** Null for a key of no known series. */
export function readSeriesKey(key: string): { name: SeriesName; part: string | null } | null {
  const colon = key.indexOf(':')
  const name = colon < 0 ? key : key.slice(0, colon)
  if (!Object.hasOwn(SERIES, name)) return null
  const known = name as SeriesName
  const part = colon < 0 ? null : key.slice(colon + 1)
  return (SERIES[known].of === null) === (part === null) ? { name: known, part } : null
}

/** Mount points that a report names. */
export function mountsOf(sample: Sample): Set<string> {
  const mounts = new Set<string>()
  for (const key of Object.keys(sample)) {
    for (const name of ['file_system_used_percent', 'inodes_used_percent'] as const) {
      if (key.startsWith(`${name}:`)) mounts.add(key.slice(name.length + 1))
    }
  }
  return mounts
}

/** The memory that programs cannot get, by MemAvailable. */
export function memoryUsedPercent({ memory_total_bytes: total, memory_available_bytes: available }: Sample) {
  if (!total || available === undefined || available > total) return null
  return Math.round((1 - available / total) * 1_000) / 10
}

/** The load of five minutes: that of one hardly ever stays over a limit. */
export function loadPerCpu({ load_5: load }: Sample, cpus: number | null): number | null {
  return load === undefined || !cpus ? null : Math.round((load / cpus) * 100) / 100
}

const FILE_SYSTEM = seriesKey('file_system_used_percent', '')

/** The file system with the least room; of those that are alike, the first by name. */
export function fullestFileSystem(sample: Sample): { mount: string; used_percent: number } | null {
  const used = Object.entries(sample)
    .filter(([key]) => key.startsWith(FILE_SYSTEM))
    .map(([key, percent]) => ({ mount: key.slice(FILE_SYSTEM.length), used_percent: percent }))
    .sort((one, other) => other.used_percent - one.used_percent || (one.mount < other.mount ? -1 : 1))
  return used[0] ?? null
}

/** Mapped, stacked, virtual and removable: what they do is counted at the disks below, or is no disk's work. */
const NO_DISK = /^(loop|ram|zram|dm-|md|sr|fd|zd|bcache|drbd|mtdblock|cd|pass|ses|nvme\d+c\d)/

/**
 * Ends of virtual cables, bridges and tunnels of containers: what passes them is counted at a real interface, too. Networks of
 * Kubernetes name the ends by a hash: Cilium `lxc…`, Amazon `eni…`, Google `gke…`, Azure `azv…`, Calico `cali…`, Weave `vethwe…`.
 */
const NO_INTERFACE =
  /^(lo\d*$|veth|docker|br-|ifb|virbr|vmbr|lxcbr|lxdbr|incusbr|fwbr|fwpr|fwln|tap|vnet|cni|cali|cilium_|lxc_health|lxc[0-9a-f]{6,}|eni[0-9a-f]{6,}|gke[0-9a-f]{6,}|azv[0-9a-f]{6,}|flannel|vxlan|genev|ovs-system|ovn0|antrea-|weave|datapath|kube-bridge|kube-dummy|nodelocaldns|podman|nerdctl|dummy|sit\d|tunl\d|gre\d|gretap\d|erspan\d|ip6tnl\d|ip6gre\d|kube-ipvs|bonding_masters|awdl|llw|anpi|gif\d|stf\d|utun|pflog|pfsync|enc\d|usbus)/

/** Types of file systems whose space is not that of a disk of this machine, or cannot change. */
const NO_FILE_SYSTEM =
  /^(overlay|squashfs|tmpfs|devtmpfs|ramfs|erofs|iso9660|udf|cramfs|nfs\d?|cifs|smb\w*|fuse|fuse\..*|9p|virtiofs|afs|ceph|autofs|proc|procfs|sysfs|devfs|devpts|fdescfs|linprocfs|linsysfs|nullfs|cgroup2?|nsfs|aufs|efivarfs|none)$/

export function isFileSystemType(type: string): boolean {
  return !NO_FILE_SYSTEM.test(type)
}

/** Whole disks: a partition begins with the name of another one, as `sda1` and `nvme0n1p1` do. */
export function wholeDisks(names: readonly string[]): Set<string> {
  const all = new Set(names)
  const isPartition = (name: string) => {
    const disk = /^(.*?\d)p\d+$/.exec(name)?.[1] ?? /^(.*?\D)\d+$/.exec(name)?.[1]
    return disk !== undefined && all.has(disk)
  }
  return new Set(names.filter((name) => name !== '' && !NO_DISK.test(name) && !isPartition(name)))
}

/** `members`: those that are bonded into another one, which counts what they carry. */
export function isInterface(name: string, members: ReadonlySet<string> = new Set()): boolean {
  return name !== '' && !NO_INTERFACE.test(name) && !members.has(name)
}

/** The name of a part of a machine as it is kept, or null if nothing readable is left of it. */
export function partName(text: string): string | null {
  return readable(text, MAX_PART_NAME_LENGTH)
}

/** Text of a machine, as one line that can be stored and shown; null if nothing is left. */
export function readable(text: string, max: number): string | null {
  const trimmed = shownLine(text.toWellFormed()).trim()
  const points = trimmed.length <= max ? trimmed : [...trimmed].slice(0, max).join('').trim()
  return points === '' ? null : points
}
