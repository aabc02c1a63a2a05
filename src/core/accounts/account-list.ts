import * as z from 'zod'
import { Instant } from '../instant.ts'
import { DEFAULT_PER_PAGE, MAX_PER_PAGE, PageMeta } from '../pagination.ts'
import { Role } from '../teams/access.ts'

/** An account as the operators of the service see it. */
export const Account = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  is_operator: z.boolean(),
  is_email_verified: z.boolean(),
  uses_second_factor: z.boolean(),
  /** When the account was disabled; null while it works. */
  disabled_at: Instant.nullable(),
  created_at: Instant,
  /** When a signed-in browser was last active; null when no session is left. */
  last_seen_at: Instant.nullable(),
  teams: z.array(z.object({ id: z.int(), name: z.string(), role: Role })),
})
export type Account = z.infer<typeof Account>

export const AccountPage = z.object({
  accounts: z.array(Account).max(MAX_PER_PAGE),
  meta: PageMeta.pick({ current_page: true, last_page: true, from: true, to: true, total: true }),
})
export type AccountPage = z.infer<typeof AccountPage>

export const ACCOUNTS_PER_PAGE = DEFAULT_PER_PAGE

export const AccountPatch = z.object({ is_disabled: z.boolean(), is_operator: z.boolean() }).partial()
export type AccountPatch = z.infer<typeof AccountPatch>
