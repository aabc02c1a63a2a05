import * as z from 'zod'
import { AskedState } from '../accounts/asked-address.ts'
import { EmailAddress } from '../alerting/contact-values.ts'
import { Instant } from '../instant.ts'
import type { Language } from '../language/language.ts'
import type { TeamReport } from './report.ts'

/** The bound of one report, with those who have not confirmed. */
export const MAX_REPORT_RECIPIENTS = 50

export const NewRecipient = z.object({ email: EmailAddress })
export type NewRecipient = z.infer<typeof NewRecipient>

/** Gets a report each month, without an account. */
export const ReportRecipient = z.object({
  id: z.int(),
  /** Null for those who see no addresses. */
  address: z.string().nullable(),
  state: AskedState,
  created_at: Instant,
  /** When the last month was delivered. */
  last_sent_at: Instant.nullable(),
})
export type ReportRecipient = z.infer<typeof ReportRecipient>

/** A monthly mail, ready to be sent. */
export type ReportMail = {
  address: string
  /** The token of the link that ends it. */
  token: string
  name: string
  language: Language
  /** `2026-11`. */
  month: string
  report: TeamReport
}

export const RecipientAction = z.enum(['confirm', 'end'])
export type RecipientAction = z.infer<typeof RecipientAction>
