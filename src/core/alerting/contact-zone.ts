import * as z from 'zod'
import { TimeZone } from '../maintenance/local-time.ts'

/** The zone in which alerts to a contact give times. */
export const ContactTimeZone = z.object({
  time_zone: TimeZone.nullable().describe('Time zone of the IANA database; null for that of the team.'),
  /** The zone without one of its own; null for UTC. */
  team_time_zone: TimeZone.nullable(),
})
export type ContactTimeZone = z.infer<typeof ContactTimeZone>

export const ContactTimeZonePatch = ContactTimeZone.pick({ time_zone: true }).partial()
export type ContactTimeZonePatch = z.infer<typeof ContactTimeZonePatch>
