import * as z from 'zod'
import { Instant } from '../instant.ts'

/** The way a request came in. */
export const Door = z.enum(['dashboard', 'api', 'mcp', 'cli'])
export type Door = z.infer<typeof Door>

/** Who changed what, through which door. */
export const AuditEntry = z.object({
  id: z.int(),
  at: Instant,
  /** Null for the operator at the command line. */
  actor: z.string().nullable(),
  door: Door,
  /** The operation, as the contract names it. */
  action: z.string(),
  /** What it was done to, as it was called then. */
  subject: z.string().nullable(),
  subject_id: z.int().nullable(),
  /** Names of the fields that were sent; never their values. */
  fields: z.array(z.string()),
})
export type AuditEntry = z.infer<typeof AuditEntry>
