import * as z from 'zod'
import { MAX_PER_PAGE, PageLinks, PageMeta } from '../core/pagination.ts'
import { MAX_RECORD_ID } from '../core/record-id.ts'

export function one<T extends z.ZodType>(record: T) {
  return z.object({ data: record })
}

/** `most` is how many there can be at once; without it, as many as there are records. */
export function many<T extends z.ZodType>(record: T, most = MAX_RECORD_ID) {
  return z.object({ data: z.array(record).max(most) })
}

export function page<T extends z.ZodType>(record: T) {
  return z.object({ data: z.array(record).max(MAX_PER_PAGE), links: PageLinks, meta: PageMeta })
}
