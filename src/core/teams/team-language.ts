import * as z from 'zod'
import { Language } from '../language/language.ts'

/** The language of a team's alerts, digests and monthly reports. */
export const TeamLanguage = z.object({ language: Language })
export type TeamLanguage = z.infer<typeof TeamLanguage>

export const TeamLanguagePatch = TeamLanguage.partial()
export type TeamLanguagePatch = z.infer<typeof TeamLanguagePatch>
