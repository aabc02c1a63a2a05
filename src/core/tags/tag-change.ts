import * as z from 'zod'
import { said } from '../language/said.ts'
import { ofEachField, SUBJECT_KINDS } from '../maintenance/subject-kind.ts'
import { RecordId } from '../record-id.ts'
import type { FieldError } from '../validation.ts'
import { matches } from './selector.ts'
import { MAX_TAGS, MAX_TEAM_TAGS, SubjectTag, withTags } from './tag.ts'
import { sortedTags } from './tag-text.ts'

const MAX_AT_ONCE = 500

/** A change of the tags of many subjects of one kind. A tag that is added takes the place of the one with its key. */
export const TagChange = z.object({
  kind: z.enum(SUBJECT_KINDS),
  ids: z.array(RecordId).min(1).max(MAX_AT_ONCE),
  add: z.array(SubjectTag).max(MAX_TAGS).default([]),
  /** `env` removes whatever tag has this key. */
  remove: z.array(SubjectTag).max(MAX_TAGS).default([]),
})
export type TagChange = z.infer<typeof TagChange>

export function tagChangeRules({ add = [], remove = [] }: Partial<TagChange>): FieldError[] {
  if (add.length + remove.length > 0) return []
  return [{ field: 'add', message: said('must have at least 1 entry unless remove has one, got 0') }]
}

export function changedTags(tags: readonly string[], { add, remove }: Pick<TagChange, 'add' | 'remove'>) {
  const kept = tags.filter((tag) => !remove.some((selector) => matches(tag, selector)))
  return withTags(kept, add)
}

/** The tags that one list has and the other has not. */
export function differingTags(before: readonly string[], after: readonly string[]): string[] {
  return sortedTags(new Set(before).symmetricDifference(new Set(after)))
}

/** A tag in use, with how many subjects of each kind carry it. */
export const TagInUse = z.object({
  tag: z.string(),
  ...ofEachField('s', () => z.int()),
})
export type TagInUse = z.infer<typeof TagInUse>
export const TAGS_IN_USE = z.array(TagInUse).max(MAX_TEAM_TAGS)

export const MonitorTags = z.object({ id: RecordId, tags: z.array(z.string()) })
export type MonitorTags = z.infer<typeof MonitorTags>
