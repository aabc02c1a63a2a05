import * as z from 'zod'
import { formatInstant, formatInstantOrNull, Instant } from '../instant.ts'
import { MAX_CAUSE_LENGTH } from './cause.ts'

export const Incident = z.object({
  id: z.int().min(1).describe('ID'),
  started_at: Instant.describe('When the monitor went down.'),
  resolved_at: Instant.nullable().describe(
    'When it recovered or was paused; null while the incident is open.',
  ),
  duration_seconds: z.int().min(0).nullable().describe('Duration in whole seconds, once resolved.'),
  cause: z.string().meta({ maxLength: MAX_CAUSE_LENGTH }).nullable().describe('Error of the failing check.'),
  resolved: z.boolean().describe('Whether the incident is over.'),
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

/** Full seconds, never negative (the clocks of two machines may differ a little). */
export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1_000))
}
