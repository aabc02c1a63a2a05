import * as z from 'zod'
import { Instant } from '../instant.ts'
import { AuditChange } from './audit-values.ts'

/**
 * The interface that a request came through. `address`: a secret address, without any member; `receiver`: what the service
 * of a contact answered.
 */
export const Door = z.enum(['dashboard', 'api', 'mcp', 'cli', 'address', 'receiver'])
export type Door = z.infer<typeof Door>

/** A line of a team's audit log. */
export const AuditEntry = z.object({
  id: z.int(),
  at: Instant,
  /** Null for the operator on the command line. */
  actor: z.string().nullable(),
  door: Door,
  /** The operation's name in the contract. */
  action: z.string(),
  /** The affected record's name at the time. */
  subject: z.string().nullable(),
  subject_id: z.int().nullable(),
  /** Names of the submitted fields. */
  fields: z.array(z.string()),
  /** Values of those that are no secret, where they changed. */
  changes: z.array(AuditChange),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** A member, or someone who left and changed something, by the name that they had. */
export const AuditActor = z.object({ id: z.int(), name: z.string(), is_member: z.boolean() })
export type AuditActor = z.infer<typeof AuditActor>
