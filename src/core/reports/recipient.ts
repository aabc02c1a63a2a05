import * as z from 'zod'
import { EmailAddress } from '../alerting/contact-values.ts'
import { Instant } from '../instant.ts'
import type { Language } from '../language/language.ts'
import type { TeamReport } from './report.ts'

/** The bound of one report, with those who have not confirmed. */
export const MAX_REPORT_RECIPIENTS = 50

export const NewRecipient = z.object({ email: EmailAddress })
export type NewRecipient = z.infer<typeof NewRecipient>

export const RecipientState = z.enum(['unconfirmed', 'confirmed', 'refused'])
export type RecipientState = z.infer<typeof RecipientState>

/** Gets a report each month, without an account. */
export const ReportRecipient = z.object({
  id: z.int(),
  /** Null for those who see no addresses. */
  address: z.string().nullable(),
  state: RecipientState,
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

/** The button that was pressed, or the one click of a mail program (RFC 8058); null for anything else. */
export function readRecipientAction(form: URLSearchParams): RecipientAction | null {
  if (form.get('List-Unsubscribe') === 'One-Click') return 'end'
  return RecipientAction.safeParse(form.get('action')).data ?? null
}
