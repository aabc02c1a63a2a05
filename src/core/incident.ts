import * as z from 'zod'
import { formatInstant, formatInstantOrNull, Instant } from './instant.ts'

export const Incident = z.object({
  id: z.int(),
  started_at: Instant,
  resolved_at: Instant.nullable(),
  duration_seconds: z.int().nullable(),
  cause: z.string().nullable(),
  resolved: z.boolean(),
})
export type Incident = z.infer<typeof Incident>

export type IncidentRecord = { id: number; startedAt: Date; resolvedAt: Date | null; cause: string | null }

export function presentIncident(record: IncidentRecord): Incident {
  return {
    id: record.id,
    started_at: formatInstant(record.startedAt),
    resolved_at: formatInstantOrNull(record.resolvedAt),
    duration_seconds: record.resolvedAt && secondsBetween(record.startedAt, record.resolvedAt),
    cause: record.cause,
    resolved: record.resolvedAt !== null,
  }
}

/** Whole seconds, never negative (clocks of two machines may differ a little). */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1_000))
}
