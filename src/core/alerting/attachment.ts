import * as z from 'zod'

export const MAX_ATTACHMENTS = 1_000

/** A monitor, server or site that has a contact in a list of its own. */
export const Attachment = z.object({
  subject: z.enum(['monitor', 'server', 'site']),
  id: z.int(),
  name: z.string(),
})
export type Attachment = z.infer<typeof Attachment>
