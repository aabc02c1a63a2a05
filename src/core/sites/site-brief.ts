import * as z from 'zod'
import { Instant } from '../instant.ts'
import { CheckStatus } from '../monitors/check.ts'

/** Facts of a site that every list shows. In a file of its own: the first screen of the dashboard needs no other schema. */
export const SiteBrief = z.object({
  id: z.int(),
  name: z.string(),
  url: z.string(),
  status: CheckStatus,
  status_since: Instant,
})
