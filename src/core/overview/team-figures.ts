import * as z from 'zod'
import { Instant } from '../instant.ts'
import { Expiry } from '../sites/shown-site.ts'

/** The entries of each list: the first thing in the morning, not a report. */
export const MAX_FIGURED = 5

const Figured = z.object({ id: z.int(), name: z.string() })

/** How a team's monitors did lately, for the overview. Shares are of time (core/history/uptime.ts), 0 to 1. */
export const TeamFigures = z.object({
  /** Uptime and response times reach up to this full hour; null while no hour is summed up. */
  until: Instant.nullable(),
  /** The uptime of all monitors together. */
  uptime: z.object({ '24h': z.number().nullable(), '7d': z.number().nullable() }),
  incidents_24h: z.int(),
  /** Monitors by the mean response time of the checks that passed in 24 hours. */
  slowest: z.array(Figured.extend({ mean_ms: z.int() })),
  /** Monitors by the incidents that began in 24 hours, from two on. */
  flapping: z.array(Figured.extend({ incidents: z.int() })),
  /** Certificates and domains, soonest first. */
  expiring: z.array(Expiry),
})
export type TeamFigures = z.infer<typeof TeamFigures>
