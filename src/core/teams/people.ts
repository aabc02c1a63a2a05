import * as z from 'zod'
import { EmailAddress } from '../alerting/contact.ts'
import { Instant } from '../instant.ts'
import { GrantAccess, Resource } from '../sign-in/oauth.ts'
import { label, MAX_NAME_LENGTH } from '../text.ts'
import { Role } from './access.ts'

export const TeamPatch = z.object({ name: label(MAX_NAME_LENGTH) }).partial()
export type TeamPatch = z.infer<typeof TeamPatch>

export const Member = z.object({
  /** The user's id. */
  id: z.int(),
  name: z.string(),
  email: z.string(),
  role: Role,
  uses_second_factor: z.boolean(),
  joined_at: Instant,
  is_you: z.boolean(),
})
export type Member = z.infer<typeof Member>

export const MemberPatch = z.object({ role: Role })
export type MemberPatch = z.infer<typeof MemberPatch>

export const InvitationCreate = z.object({ email: EmailAddress, role: Role })
export type InvitationCreate = z.infer<typeof InvitationCreate>

export const Invitation = z.object({
  id: z.int(),
  email: z.string(),
  role: Role,
  invited_by: z.string().nullable(),
  created_at: Instant,
  expires_at: Instant,
})
export type Invitation = z.infer<typeof Invitation>

/** The link appears only in this answer and in the letter; only its hash is stored. */
export const NewInvitation = Invitation.extend({ link: z.url(), is_mailed: z.boolean() })
export type NewInvitation = z.infer<typeof NewInvitation>

const MAX_TOKEN_DAYS = 3_650

export const ApiTokenCreate = z.object({
  name: label(MAX_NAME_LENGTH),
  /** Null: valid until revoked. */
  expires_in_days: z.int().min(1).max(MAX_TOKEN_DAYS).nullable().default(null),
  /** Whether it may only read, as a viewer: without it a token may do what the role of its person may. */
  is_read_only: z.boolean().default(false),
})
export type ApiTokenCreate = z.infer<typeof ApiTokenCreate>

/** The longest time for which the old token may work on. */
const MAX_OVERLAP_HOURS = 30 * 24

/** 0 ends the old token at once. */
export const ApiTokenRotation = z.object({ old_works_hours: z.int().min(0).max(MAX_OVERLAP_HOURS) })
export type ApiTokenRotation = z.infer<typeof ApiTokenRotation>

export const ApiToken = z.object({
  id: z.int(),
  name: z.string(),
  /** The last four characters, to recognize the token by. */
  ending: z.string(),
  created_by: z.string(),
  is_yours: z.boolean(),
  created_at: Instant,
  last_used_at: Instant.nullable(),
  /** The address and the program of its last use; null where nothing is known of them. */
  last_used_from: z.string().nullable(),
  last_used_by: z.string().nullable(),
  is_read_only: z.boolean(),
  expires_at: Instant.nullable(),
  revoked_at: Instant.nullable(),
  /** The resource and access of a token that a client got through OAuth; null for other tokens. */
  connection: z.object({ resource: Resource, access: GrantAccess }).nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>

/** The token appears only in this answer; only its hash is stored. */
export const NewApiToken = ApiToken.extend({ token: z.string() })
export type NewApiToken = z.infer<typeof NewApiToken>

export const SigningSecret = z.object({ signing_secret: z.string() })
export type SigningSecret = z.infer<typeof SigningSecret>
