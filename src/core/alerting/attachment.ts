import * as z from 'zod'
import { SUBJECT_KINDS } from '../maintenance/subject-kind.ts'

export const MAX_ATTACHMENTS = 1_000

/** A subject that has a contact in a list of its own. */
export const Attachment = z.object({
  subject: z.enum(SUBJECT_KINDS),
  id: z.int(),
  name: z.string(),
})
export type Attachment = z.infer<typeof Attachment>
