import { isFileSystemType, partName, type Sample, seriesKey } from '../series.ts'
import type { Sections } from './sections.ts'

const BLOCK_BYTES = 1024
/** Two sizes of one pool may differ by this while it is written to. */
const SAME_SHARE = 0.01

type FileSystem = {
  device: string
  mount: string
  /** Undefined where the system does not list mounts as Linux does. */
  type: string | undefined
  size: number
  used: number
  available: number
  inodesUsedPercent: number | undefined
}

/** Each file system of a disk once, however often it is mounted; `/` first, then by size. */
export function fileSystemGauges(sections: Sections): Sample {
  const types = mountTypes(sections.of('mounts'))
  const inodes = readInodes(sections.of('inodes'))
  const all = sections.of('df').flatMap((line) => readFileSystem(line, types, inodes))
  const own = withoutOverlays(onePerDevice(all.filter(isCounted)))
  const kept = mergePools(own).sort((a, b) => rank(b) - rank(a))
  const sample: Sample = {}
  for (const { mount, size, used, available, inodesUsedPercent } of kept) {
    const part = partName(mount)
    if (part === null || used + available === 0) continue
    sample[seriesKey('file_system_size_bytes', part)] = size * BLOCK_BYTES
    sample[seriesKey('file_system_used_percent', part)] = (100 * used) / (used + available)
    if (inodesUsedPercent !== undefined) sample[seriesKey('inodes_used_percent', part)] = inodesUsedPercent
  }
  return sample
}

function rank({ mount, size }: FileSystem): number {
  return mount === '/' ? Number.POSITIVE_INFINITY : size
}

/** Type by mount point; of several mounts at one place the last one covers the others. */
function mountTypes(lines: readonly string[]): Map<string, string> {
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, mount, type] = line.split(' ')
      return mount === undefined || type === undefined ? [] : [[unescaped(mount), type]]
    }),
  )
}

/** Spaces and the like, which /proc/mounts writes as `\040`. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-3][0-7]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)))
}

/** `device size used available 27% mount`, and of BSD, with `iused ifree %iused` before the mount point. */
const DF_LINE =
  /^(\S.*?)\s+(\d{1,19})\s+(\d{1,19})\s+(-?\d{1,19})\s+(?:\d+%|-)(?:\s+(\d{1,19})\s+(\d{1,19})\s+(?:\d+%|-))?\s+(\/.*)$/

function readFileSystem(line: string, types: Map<string, string>, inodes: Map<string, number>): FileSystem[] {
  const [, device, size, used, available, inodesUsed, inodesFree, mount] = DF_LINE.exec(line) ?? []
  if (device === undefined || mount === undefined) return []
  const found = {
    device,
    mount,
    type: types.get(mount),
    size: Number(size),
    used: Number(used),
    // Below zero where even what is reserved is in use.
    available: Math.max(0, Number(available)),
    inodesUsedPercent: inodes.get(mount) ?? usedPercent(Number(inodesUsed), Number(inodesFree)),
  }
  return [found]
}

/** Undefined for file systems that do not count inodes. */
function usedPercent(used: number, free: number): number | undefined {
  const percent = (100 * used) / (used + free)
  return Number.isFinite(percent) ? percent : undefined
}

function readInodes(lines: readonly string[]): Map<string, number> {
  return new Map(
    lines.flatMap((line): [string, number][] => {
      const [, used, free, mount] =
        /^\S.*?\s+\d+\s+(\d{1,19})\s+(\d{1,19})\s+(?:\d+%|-)\s+(\/.*)$/.exec(line) ?? []
      const percent = usedPercent(Number(used), Number(free))
      return mount === undefined || percent === undefined ? [] : [[mount, percent]]
    }),
  )
}

function isCounted({ device, mount, type, size }: FileSystem): boolean {
  if (size === 0) return false
  if (type === 'overlay') return mount === '/'
  return isFileSystemType(type ?? device) && !device.startsWith('map ')
}

/** The shortest mount point tells: others show a part of it. */
function onePerDevice(all: FileSystem[]): FileSystem[] {
  const byDevice = Map.groupBy(all, ({ device }) => device)
  return [...byDevice.values()].map(shortest)
}

function shortest(mounts: FileSystem[]): FileSystem {
  return mounts.reduce((best, one) => (one.mount.length < best.mount.length ? one : best))
}

/** The root of a container lies on a disk that may be mounted beside it, as /etc/hosts is. */
function withoutOverlays(all: FileSystem[]): FileSystem[] {
  const root = all.find(({ type }) => type === 'overlay')
  if (root === undefined) return all
  return all.filter((one) => one === root || one.size !== root.size || !isSame(one, root))
}

function isSame(one: FileSystem, other: FileSystem): boolean {
  return Math.abs(one.available - other.available) <= SAME_SHARE * Math.max(one.size, other.size)
}

/** Volumes of a ZFS pool or an APFS container share its space; one with a quota of its own stands for itself. */
function mergePools(all: FileSystem[]): FileSystem[] {
  const byPool = Map.groupBy(all, (one) => poolOf(one) ?? one)
  return [...byPool].flatMap(([pool, volumes]) => {
    if (typeof pool !== 'string') return volumes
    const most = Math.max(...volumes.map(({ available }) => available))
    const isOfPool = ({ available }: FileSystem) => available >= most * (1 - SAME_SHARE)
    const shared = volumes.filter(isOfPool)
    const used = shared.reduce((sum, volume) => sum + volume.used, 0)
    const merged = { ...shortest(shared), used, available: most, size: used + most }
    return [merged, ...volumes.filter((volume) => !isOfPool(volume))].map((volume) => ({
      ...volume,
      // Made as they are needed.
      inodesUsedPercent: undefined,
    }))
  })
}

function poolOf({ device, type }: FileSystem): string | null {
  if (type === 'zfs' || (type === undefined && !device.startsWith('/'))) return device.split('/')[0] ?? null
  return type === undefined ? (/^\/dev\/disk\d+(?=s\d)/.exec(device)?.[0] ?? null) : null
}
