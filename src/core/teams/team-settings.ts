import * as z from 'zod'
import { TeamConfirmation } from '../monitors/confirmation.ts'
import { OnCallSettings } from '../on-call/policy.ts'
import { TeamLanguage } from './team-language.ts'

/** The settings by which a team is alerted, together, as files and the command line have them: confirmation, reminders, flapping, language. */
export const TeamSettings = z.object({
  ...TeamConfirmation.shape,
  ...OnCallSettings.shape,
  ...TeamLanguage.shape,
})
export type TeamSettings = z.infer<typeof TeamSettings>

/** Those that a file or a command names; all others stay as they are. */
export const TeamSettingsPatch = TeamSettings.partial().strict()
export type TeamSettingsPatch = z.infer<typeof TeamSettingsPatch>

export const SETTINGS_NEED_MACHINE =
  'settings of the team are not part of the API: use them on the machine of the service, with --team and --email (docs/command-line.md)'
