import { partName } from './parts.ts'
import {
  MAX_DISKS,
  MAX_FILE_SYSTEMS,
  MAX_INTERFACES,
  type Part,
  readSeriesKey,
  type Sample,
  SERIES,
  type Unit,
} from './series.ts'

/** Beyond these a figure is a fault of what told it, such as the 17,179,869,183 GB of a container. */
const RANGES: Record<Unit, [min: number, max: number]> = {
  percent: [0, 100],
  bytes: [0, 2 ** 60],
  bytes_per_second: [0, 1e12],
  per_second: [0, 1e9],
  seconds: [-1e10, 1e10],
  count: [0, 1e9],
  celsius: [-100, 250],
}

const MAX_PARTS: Record<Part, number> = {
  file_system: MAX_FILE_SYSTEMS,
  disk: MAX_DISKS,
  interface: MAX_INTERFACES,
}

/** A function that says whether a part has a name as it is kept, and is among the first ones of its kind that it was asked about. */
export function partsInBounds(): (of: Part, part: string) => boolean {
  const seen: Record<Part, Set<string>> = { file_system: new Set(), disk: new Set(), interface: new Set() }
  return (of, part) => {
    if (partName(part) !== part) return false
    if (seen[of].has(part)) return true
    if (seen[of].size >= MAX_PARTS[of]) return false
    seen[of].add(part)
    return true
  }
}

/** The known figures of a sample that can be true, of as many parts as are kept: the first ones. */
export function possible(sample: Sample): Sample {
  const isKept = partsInBounds()
  const entries = Object.entries(sample).filter(([key, value]) => {
    const known = readSeriesKey(key)
    if (known === null || !Number.isFinite(value)) return false
    const { unit, of } = SERIES[known.name]
    const [min, max] = RANGES[unit]
    if (value < min || value > max || (known.name === 'uptime_seconds' && value < 0)) return false
    return of === null || isKept(of, known.part ?? '')
  })
  return withoutContradictions(Object.fromEntries(entries))
}

/** No more of something is free or used than there is of it. */
function withoutContradictions(sample: Sample): Sample {
  const { memory_total_bytes: memory, swap_total_bytes: swap } = sample
  if (memory === 0) delete sample.memory_total_bytes
  if (isAbove(sample.memory_available_bytes, memory)) delete sample.memory_available_bytes
  if (isAbove(sample.swap_used_bytes, swap)) delete sample.swap_used_bytes
  return sample
}

function isAbove(value: number | undefined, bound: number | undefined): boolean {
  return value !== undefined && bound !== undefined && value > bound
}
