import * as z from 'zod'
import { cut } from '../text.ts'

/** A mail to a person about their account. It holds a link, so whoever reads it can act for that person. */
export const Letter = z.object({
  to: z.string(),
  title: z.string(),
  text: z.string(),
  link: z.string(),
  /** What goes in the same mail, because too many would have to go by themselves. */
  others: z.array(z.object({ title: z.string(), text: z.string(), link: z.string() })).optional(),
})
export type Letter = z.infer<typeof Letter>

/** Of a name that somebody chose, in code points. */
const MAX_NAME_IN_MAIL_LENGTH = 40

/**
 * A name in a letter to somebody who may not know whoever chose it: short, and with nothing in it that a mail reader
 * makes a link of, or that could pass for a sentence of ours.
 */
export function nameInMail(name: string): string {
  const words = name
    .replaceAll(/[^\p{L}\p{M}\p{N} '’&-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return words === '' ? 'without a name' : `“${cut(words, MAX_NAME_IN_MAIL_LENGTH)}”`
}
