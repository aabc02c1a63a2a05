import { readSeriesKey, type SeriesName } from '../../../src/core/servers/series.ts'
import type { Server } from './server-data.ts'

type PartFigures = { part: string } & Partial<Record<SeriesName, number>>

/** The newest figures of each file system, disk or interface, by its name. */
export function partsWith(latest: Server['latest'], names: readonly SeriesName[]): PartFigures[] {
  const parts = new Map<string, PartFigures>()
  for (const [key, value] of Object.entries(latest)) {
    const read = readSeriesKey(key)
    if (!read || read.part === null || !names.includes(read.name)) continue
    const figures = parts.get(read.part) ?? { part: read.part }
    figures[read.name] = value
    parts.set(read.part, figures)
  }
  return [...parts.values()].sort((a, b) => (a.part < b.part ? -1 : 1))
}
