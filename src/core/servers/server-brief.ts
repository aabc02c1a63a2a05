import * as z from 'zod'
import { Instant } from '../instant.ts'
import { CheckStatus } from '../monitors/check.ts'

/** Facts of a server that every list shows. In a file of its own: the first screen of the dashboard needs no other schema. */
export const ServerBrief = z.object({
  id: z.int(),
  name: z.string(),
  host_name: z.string().nullable(),
  status: CheckStatus,
  status_since: Instant,
})
