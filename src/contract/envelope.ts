import * as z from 'zod'
import { MAX_PER_PAGE, PageLinks, PageMeta } from '../core/pagination.ts'
import { MAX_RECORD_ID } from '../core/record-id.ts'

export function one<T extends z.ZodType>(record: T) {
  return z.object({ data: record })
}

/** `max` bounds the length of the list; by default only the number of record ids does. */
export function many<T extends z.ZodType>(record: T, max = MAX_RECORD_ID) {
  return z.object({ data: z.array(record).max(max) })
}

export function page<T extends z.ZodType>(record: T) {
  return z.object({ data: z.array(record).max(MAX_PER_PAGE), links: PageLinks, meta: PageMeta })
}
