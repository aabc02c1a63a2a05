import type { Sample } from './series.ts'

const FILE_SYSTEM = 'file_system_used_percent:'

/** The memory that programs cannot get, by MemAvailable. */
export function memoryUsedPercent({ memory_total_bytes: total, memory_available_bytes: available }: Sample) {
  if (!total || available === undefined || available > total) return null
  return Math.round((1 - available / total) * 1_000) / 10
}

/** The load of five minutes: that of one hardly ever stays over a limit. */
export function loadPerCpu({ load_5: load }: Sample, cpus: number | null): number | null {
  return load === undefined || !cpus ? null : Math.round((load / cpus) * 100) / 100
}

/** The file system with the least room; of those that are alike, the first by name. */
export function fullestFileSystem(sample: Sample): { mount: string; used_percent: number } | null {
  const used = Object.entries(sample)
    .filter(([key]) => key.startsWith(FILE_SYSTEM))
    .map(([key, percent]) => ({ mount: key.slice(FILE_SYSTEM.length), used_percent: percent }))
    .sort((one, other) => other.used_percent - one.used_percent || (one.mount < other.mount ? -1 : 1))
  return used[0] ?? null
}
