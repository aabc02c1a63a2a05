import type { Sample } from '../series.ts'
import type { InputField } from './fields.ts'
import type { Gathered } from './gathered.ts'

/** Mount points of which each device has one: the shortest, since others show the same space again. */
export function shownFileSystems(mounts: [string, { device: string | null }][]): string[] {
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
export function fileSystemFigures(gathered: Gathered[]): Sample {
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
