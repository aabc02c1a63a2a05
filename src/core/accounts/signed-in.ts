import * as z from 'zod'
import { Instant } from '../instant.ts'
import { Language } from '../language/language.ts'
import { Role } from '../teams/access.ts'

/** The ways to sign in that this service offers, and its public settings. Visible without signing in. */
export const SignInOptions = z.object({
  /** Whether an account exists. The first is created through the link that the service prints at startup. */
  is_set_up: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  signup: z.boolean(),
  /** Whether the service can send letters and alerts by e-mail. */
  mail: z.boolean(),
  passkeys: z.boolean(),
  /** The service's public address, used in alerts, invitations, badges and ping URLs. */
  site_url: z.url(),
  docs_url: z.url(),
})
export type SignInOptions = z.infer<typeof SignInOptions>

/** A team as one of its members sees it. */
export const OwnTeam = z.object({ id: z.int(), name: z.string(), role: Role })
export type OwnTeam = z.infer<typeof OwnTeam>

/** The signed-in user and the current session. */
export const SignedIn = z.object({
  session_id: z.int(),
  user: z.object({
    id: z.int(),
    email: z.string(),
    name: z.string(),
    /** The language that the person chose, or that a browser of theirs was the first to want; null until then. */
    language: Language.nullable(),
    /** Members of the person's teams can call it. */
    phone: z.string().nullable(),
    is_email_verified: z.boolean(),
    uses_totp: z.boolean(),
    /** False for a user who signs in only through an identity provider. */
    has_password: z.boolean(),
    /** Operators administer the whole service, independent of their role in any team. */
    is_operator: z.boolean(),
  }),
  /** The team that was opened last. */
  team_id: z.int().nullable(),
  may_make_team: z.boolean(),
  teams: z.array(OwnTeam),
})
export type SignedIn = z.infer<typeof SignedIn>

/** A browser that is signed in. */
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

/** An authenticator app being set up: its secret, and the URI that apps read from a QR code. */
export const TotpSetUp = z.object({ secret: z.string(), uri: z.string() })
export type TotpSetUp = z.infer<typeof TotpSetUp>

/** Each code works once. This is the only answer that contains them. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** The team of an invitation, and whether the current visitor can accept it as they are. */
export const InvitationPreview = z.object({
  team_name: z.string(),
  email: z.string(),
  role: Role,
  invited_by: z.string().nullable(),
  /** Null unless the visitor has the link from the letter or is signed in to that account. */
  has_account: z.boolean().nullable(),
  /** Whether a visitor without an account can create one with this link. */
  makes_account: z.boolean(),
  is_yours: z.boolean(),
})
export type InvitationPreview = z.infer<typeof InvitationPreview>
