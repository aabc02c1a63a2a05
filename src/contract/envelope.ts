import * as z from 'zod'
import { MAX_PER_PAGE, PageLinks, PageMeta } from '../core/pagination.ts'
import { MAX_RECORD_ID } from '../core/record-id.ts'
import { MAX_TEAM_TAGS } from '../core/tags/tag.ts'
import { TagGroup } from '../core/tags/tag-group.ts'

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

/** A page of subjects. `groups`: of all pages, where the rows are grouped. */
export function subjectPage<T extends z.ZodType>(record: T) {
  return page(record).extend({
    groups: z
      .array(TagGroup)
      .max(MAX_TEAM_TAGS + 1)
      .nullable(),
  })
}
