import * as z from 'zod'
import { PageLinks, PageMeta } from '../core/pagination.ts'

export function one<T extends z.ZodType>(record: T) {
  return z.object({ data: record })
}

export function many<T extends z.ZodType>(record: T) {
  return z.object({ data: z.array(record) })
}

export function page<T extends z.ZodType>(record: T) {
  return z.object({ data: z.array(record), links: PageLinks, meta: PageMeta })
}
