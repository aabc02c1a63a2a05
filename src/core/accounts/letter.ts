import * as z from 'zod'
import { cut } from '../text.ts'

/** A mail to a person about their account. It contains a link, so anyone who reads it can act for that person. */
export const Letter = z.object({
  to: z.string(),
  title: z.string(),
  text: z.string(),
  link: z.string(),
  /** A language tag (BCP 47); English where there is none. */
  language: z.string().optional(),
  /** Further letters merged into this mail because the address is over its hourly limit. */
  others: z.array(z.object({ title: z.string(), text: z.string(), link: z.string() })).optional(),
})
export type Letter = z.infer<typeof Letter>

/** Length of a user-chosen name in a mail, in code points. */
const MAX_NAME_IN_MAIL_LENGTH = 40

/**
 * A name as it appears in a letter whose recipient may not know the person who chose it: short, and free of
 * anything a mail reader would turn into a link or that could pass for text of ours.
 */
export function nameInMail(name: string, nameless = 'without a name'): string {
  const words = name
    .replaceAll(/[^\p{L}\p{M}\p{N} '’&-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return words === '' ? nameless : `“${cut(words, MAX_NAME_IN_MAIL_LENGTH)}”`
}
