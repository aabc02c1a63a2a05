import * as z from 'zod'
import { TimeZone } from '../maintenance/local-time.ts'

export const ContactTimeZonePatch = z.object({
  time_zone: TimeZone.nullable()
    .describe('Time zone of the IANA database in which alerts to the contact give times; null for that of the team.')
    .optional(),
})
export type ContactTimeZonePatch = z.infer<typeof ContactTimeZonePatch>

export const ContactTimeZone = z.object({
  time_zone: TimeZone.nullable(),
  /** The one that holds without one of its own; null for UTC. */
  team_time_zone: TimeZone.nullable(),
})
export type ContactTimeZone = z.infer<typeof ContactTimeZone>
