import * as z from 'zod'
import { Language } from '../language/language.ts'
import { TimeZone } from '../maintenance/local-time.ts'

/** The language of a team's alerts, digests and monthly reports, and the zone in which its alerts and digests give times. */
export const TeamLanguage = z.object({
  language: Language,
  time_zone: TimeZone.nullable().describe('Time zone of the IANA database; null for UTC.'),
})
export type TeamLanguage = z.infer<typeof TeamLanguage>

export const TeamLanguagePatch = TeamLanguage.partial()
export type TeamLanguagePatch = z.infer<typeof TeamLanguagePatch>
