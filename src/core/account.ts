import * as z from 'zod'
import { Role } from './access.ts'
import { EmailAddress } from './contact.ts'
import { PlanName } from './plan.ts'
import { label, text } from './text.ts'

const SHORTEST_PASSWORD = 8

export const Password = text(1_000).superRefine((value, context) => {
  if (value.length < SHORTEST_PASSWORD) context.addIssue(`must have at least ${SHORTEST_PASSWORD} characters`)
})

export const UserCreate = z.object({ email: EmailAddress, name: label(255), password: Password.nullable() })
/** The operator's account and team, as the page behind the set-up link asks for them. */
export const FirstAccount = z.object({
  email: EmailAddress,
  name: label(255),
  team: label(255),
  password: Password,
})

export const TeamCreate = z.object({ name: label(255), owner: EmailAddress, plan: PlanName })
export const MemberAdd = z.object({ team: z.int(), email: EmailAddress, role: Role })
export const TokenCreate = z.object({
  team: z.int(),
  email: EmailAddress,
  name: label(255),
  expires: z.coerce.date<string | null>().nullable(),
})
