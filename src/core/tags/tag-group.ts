import * as z from 'zod'
import { LiveStatus } from '../monitors/status.ts'
import { keyOf } from './tag-text.ts'

/** Subjects with the same tag of a key, or without any of that key (null). */
export const TagGroup = z.object({
  tag: z.string().nullable(),
  count: z.int(),
  /** The worst status among them, and how many have it. */
  worst: LiveStatus,
  worst_count: z.int(),
})
export type TagGroup = z.infer<typeof TagGroup>

/** The tag by which a subject belongs to a group; null if it has none of that key. */
export function groupOf(tags: readonly string[], key: string): string | null {
  return tags.find((tag) => keyOf(tag) === key) ?? null
}
