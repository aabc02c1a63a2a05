import * as z from 'zod'
import { Instant } from '../instant.ts'
import { Role } from '../teams/access.ts'

/** What this service offers to everybody, signed in or not. */
export const WaysIn = z.object({
  /** Whether there is an account. The first one is made by the link that the service prints when it starts. */
  is_set_up: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  signup: z.boolean(),
  /** Whether letters and alerts by e-mail can be sent. */
  mail: z.boolean(),
  passkeys: z.boolean(),
  /** The address that everybody is given: in alerts, invitations, badges and for pings. */
  site_url: z.url(),
  docs_url: z.url(),
})
export type WaysIn = z.infer<typeof WaysIn>

/** A team as one of its members sees it. */
export const OwnTeam = z.object({ id: z.int(), name: z.string(), role: Role })
export type OwnTeam = z.infer<typeof OwnTeam>

/** Who is signed in, and where. */
export const SignedIn = z.object({
  session_id: z.int(),
  user: z.object({
    id: z.int(),
    email: z.string(),
    name: z.string(),
    is_email_verified: z.boolean(),
    uses_totp: z.boolean(),
    /** False for who only ever signs in by a provider. */
    has_password: z.boolean(),
    /** Of the whole service, whatever the role in a team. */
    is_operator: z.boolean(),
  }),
  /** The team that was looked at last. */
  team_id: z.int().nullable(),
  may_make_team: z.boolean(),
  teams: z.array(OwnTeam),
})
export type SignedIn = z.infer<typeof SignedIn>

/** A browser in which one is signed in. */
export const OwnSession = z.object({
  id: z.int(),
  is_current: z.boolean(),
  address: z.string(),
  user_agent: z.string(),
  created_at: Instant,
  last_used_at: Instant,
  expires_at: Instant,
})
export type OwnSession = z.infer<typeof OwnSession>

export const NewPasskey = z.object({ id: z.int(), name: z.string() })
export const Passkey = NewPasskey.extend({ created_at: Instant, last_used_at: Instant.nullable() })
export type Passkey = z.infer<typeof Passkey>

/** An app that is being set up: its secret, and the address that apps read from a QR code. */
export const TotpSetUp = z.object({ secret: z.string(), uri: z.string() })
export type TotpSetUp = z.infer<typeof TotpSetUp>

/** Each works once; they are in this answer and nowhere else. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** Into what an invitation leads, and whether whoever looks can take it as they are. */
export const InvitationLook = z.object({
  team_name: z.string(),
  email: z.string(),
  role: Role,
  invited_by: z.string().nullable(),
  /** Null: only who has the link of the letter, or is signed in to that account, is told. */
  has_account: z.boolean().nullable(),
  /** Whether somebody who has no account can make one by this link. */
  makes_account: z.boolean(),
  is_yours: z.boolean(),
})
export type InvitationLook = z.infer<typeof InvitationLook>
