import * as z from 'zod'

/** A mail to a person about their account. It holds a link, so whoever reads it can act for that person. */
export const Letter = z.object({ to: z.string(), title: z.string(), text: z.string(), link: z.string() })
export type Letter = z.infer<typeof Letter>
