import * as z from 'zod'
import { EmailAddress } from '../alerting/contact.ts'
import { WrittenPhoneNumber } from '../alerting/contact-values.ts'
import { Language } from '../language/language.ts'
import { Password, TriedPassword } from '../sign-in/password.ts'
import { Role } from '../teams/access.ts'
import { PlanName } from '../teams/plan.ts'
import { label, MAX_NAME_LENGTH, text } from '../text.ts'

export const UserCreate = z.object({
  email: EmailAddress,
  name: label(MAX_NAME_LENGTH),
  password: Password.nullable(),
})
/** The first operator's account and team, as the setup page submits them. */
export const FirstAccount = z.object({
  email: EmailAddress,
  name: label(MAX_NAME_LENGTH),
  team: label(MAX_NAME_LENGTH),
  password: Password,
})

/** Self-registration, where sign-up is open. */
export const SignUp = z.object({ name: label(MAX_NAME_LENGTH), email: EmailAddress, password: Password })
export type SignUp = z.infer<typeof SignUp>

export const SignIn = z.object({
  email: EmailAddress,
  password: TriedPassword,
  /** A code from the authenticator app or a recovery code; required if the account has a second factor. */
  code: text(100).nullable().default(null),
})
export type SignIn = z.infer<typeof SignIn>

export const PasswordChange = z.object({ current_password: TriedPassword, password: Password })
export type PasswordChange = z.infer<typeof PasswordChange>

export const PasswordProof = z.object({ password: TriedPassword })
/** `code` is required if the account has an authenticator app; a recovery code works too. */
export const PersonProof = z.object({ password: TriedPassword, code: text(100).nullable().default(null) })
export type PersonProof = z.infer<typeof PersonProof>
export const CodeProof = z.object({ code: text(100) })
export const FullProof = z.object({ password: TriedPassword, code: text(100) })

/** A browser's passkey response (WebAuthn, `PublicKeyCredential.toJSON()`); the library validates it. */
export const PasskeyResponse = z.looseObject({ id: text(2_000) })
export type PasskeyResponse = z.infer<typeof PasskeyResponse>
export const PasskeyCreate = z.object({ name: label(MAX_NAME_LENGTH), response: PasskeyResponse })
export type PasskeyCreate = z.infer<typeof PasskeyCreate>
export const PasskeySignIn = z.object({ response: PasskeyResponse })

/** The password and a code, each required if the account has one. */
export const OwnDeletion = z.object({
  password: text(1_000).nullable().default(null),
  code: text(100).nullable().default(null),
})
export type OwnDeletion = z.infer<typeof OwnDeletion>

/** The name and the phone number that others see, and the language of letters about the account. */
export const PersonPatch = z
  .object({ name: label(MAX_NAME_LENGTH), language: Language, phone: WrittenPhoneNumber.nullable() })
  .partial()
export type PersonPatch = z.infer<typeof PersonPatch>

/** The new address of an account, and proof that the account's holder asks for it. */
export const EmailChange = PersonProof.extend({ email: EmailAddress })
export type EmailChange = z.infer<typeof EmailChange>

export const PasswordReset = z.object({ email: EmailAddress })
export const TeamChoice = z.object({ team_id: z.int() })

/** A team that a user creates for themselves. */
export const OwnTeamCreate = z.object({ name: label(MAX_NAME_LENGTH) })
export type OwnTeamCreate = z.infer<typeof OwnTeamCreate>

export const InvitationLink = z.object({ token: text(200) })
export type InvitationLink = z.infer<typeof InvitationLink>
export const InvitationJoin = z.object({ token: text(200), name: label(MAX_NAME_LENGTH), password: Password })
export type InvitationJoin = z.infer<typeof InvitationJoin>

export const TeamCreate = z.object({ name: label(MAX_NAME_LENGTH), owner: EmailAddress, plan: PlanName })
export const MemberAdd = z.object({ team: z.int(), email: EmailAddress, role: Role })
export const TokenCreate = z.object({
  team: z.int(),
  email: EmailAddress,
  name: label(MAX_NAME_LENGTH),
  expires: z.coerce.date<string | null>().nullable(),
})
