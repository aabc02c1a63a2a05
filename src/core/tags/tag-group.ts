import * as z from 'zod'
import { LiveStatus, liveStatus, type MonitorBrief } from '../monitors/status.ts'
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

type Grouped = { tags: readonly string[] } & Pick<MonitorBrief, 'status' | 'is_active'>

/** The tag by which a subject belongs to a group; null if it has none of that key. */
export function groupOf(tags: readonly string[], key: string): string | null {
  return tags.find((tag) => keyOf(tag) === key) ?? null
}

/** In the order of their tags; those without one come last. */
export function groupsOf(subjects: readonly Grouped[], key: string): TagGroup[] {
  const byTag = Map.groupBy(subjects, ({ tags }) => groupOf(tags, key))
  return [...byTag.entries()]
    .map(([tag, inGroup]) => ({ tag, count: inGroup.length, ...worstOf(inGroup.map(liveStatus)) }))
    .sort((one, other) => byGroup(one.tag, other.tag))
}

/** As SQL orders the same: by code points. */
export function byGroup(one: string | null, other: string | null): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return one < other ? -1 : 1
}

function worstOf(statuses: LiveStatus[]): Pick<TagGroup, 'worst' | 'worst_count'> {
  const worst = LiveStatus.options.find((status) => statuses.includes(status)) ?? 'up'
  return { worst, worst_count: statuses.filter((status) => status === worst).length }
}
