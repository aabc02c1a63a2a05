import { loadPerCpu } from '../figures.ts'
import { type Sample, type SeriesName, seriesKey } from '../series.ts'
import type { ThresholdKind } from '../threshold.ts'

/** The value that a threshold judges; `part` is the mount point, for a threshold of file systems. */
export type Reading = { kind: ThresholdKind; part: string | null; value: number }

/** Measured shares may be over 100 % by what clocks are apart. */
const MAX_PERCENT = 101

const FALLING: ReadonlySet<ThresholdKind> = new Set(['memory', 'disk_full_soon'])

/** Whether it is about what there is too little of, so that it begins at or below its level. */
export function isFalling(kind: ThresholdKind): boolean {
  return FALLING.has(kind)
}

/**
 * Values of all thresholds, from one report. Absent or impossible figures have none. `hoursUntilFull` of a mount point is
 * Infinity for a file system that is not filling up, and null where that is not known.
 */
export function readingsOf(
  sample: Sample,
  cpus: number | null,
  hoursUntilFull: (mount: string) => number | null,
): Reading[] {
  const readings: Reading[] = []
  const add = (kind: ThresholdKind, part: string | null, value: number | null) => {
    if (value !== null) readings.push({ kind, part, value })
  }
  for (const mount of mountsOf(sample)) {
    add('disk_space', mount, percentOf(sample[seriesKey('file_system_used_percent', mount)]))
    add('inodes', mount, percentOf(sample[seriesKey('inodes_used_percent', mount)]))
    add('disk_full_soon', mount, hoursUntilFull(mount))
  }
  add('memory', null, shareOf(sample, 'memory_available_bytes', 'memory_total_bytes'))
  add('cpu', null, percentOf(sample.cpu_percent))
  add('load', null, positive(loadPerCpu(sample, cpus)))
  // Without swap none of it is used, so that a condition ends when swap is switched off.
  add(
    'swap',
    null,
    sample.swap_total_bytes === 0 ? 0 : shareOf(sample, 'swap_used_bytes', 'swap_total_bytes'),
  )
  add('iowait', null, percentOf(sample.cpu_iowait_percent))
  add('steal', null, percentOf(sample.cpu_steal_percent))
  add('failed_units', null, positive(sample.failed_units))
  add('clock_skew', null, positive(Math.abs(sample.clock_skew_seconds ?? Number.NaN)))
  add('temperature', null, positive(sample.temperature_celsius))
  return readings
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

/** At or beyond the level to enter. */
export function isEntered(kind: ThresholdKind, value: number, { enter }: { enter: number }): boolean {
  return isFalling(kind) ? value <= enter : value >= enter
}

/** At or beyond the level to leave. Where levels are the same or the wrong way round, the level to enter wins. */
export function isLeft(kind: ThresholdKind, value: number, level: { enter: number; leave: number }): boolean {
  if (isEntered(kind, value, level)) return false
  return isFalling(kind) ? value >= level.leave : value <= level.leave
}

/** In percent; null unless the part is one of the whole. */
function shareOf(sample: Sample, part: SeriesName, whole: SeriesName): number | null {
  const of = sample[whole]
  return of !== undefined && of > 0 ? percentOf((100 * (sample[part] ?? Number.NaN)) / of) : null
}

function percentOf(value: number | undefined): number | null {
  return value !== undefined && value >= 0 && value <= MAX_PERCENT ? Math.min(value, 100) : null
}

/** Null unless it is a number from 0 on. */
function positive(value: number | null | undefined): number | null {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : null
}
