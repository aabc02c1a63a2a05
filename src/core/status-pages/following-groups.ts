import { SUBJECT_KINDS, type SubjectKind } from '../maintenance/subject-kind.ts'
import { carries } from '../tags/selector.ts'
import { keyOf, keyOfSubject, type SubjectIds } from './component-subject.ts'
import type { PlacedLayout } from './layout.ts'
import { Component, MAX_COMPONENTS } from './status-page.ts'

/** A group that follows tags if it has any. */
export type FollowingGroup = { id: number; tags: readonly string[] }
/** `by_tag`: it stands in a group because its subject carries the tags, and goes without them. */
export type FollowedComponent = SubjectIds & { id: number; group_id: number | null; by_tag: boolean }
export type Carrier = { id: number; name: string; tags: readonly string[] }
export type Carriers = Record<SubjectKind, readonly Carrier[]>

export type Following = {
  /** Ids of components whose subjects lost the tags of their group. */
  leaving: number[]
  /** Components that stand in their group by its tags from now on, or no longer do and stay. */
  marked: { id: number; by_tag: boolean }[]
  /** In the order of the groups, then of the carriers. */
  joining: (Component & { group_id: number })[]
}

/**
 * The changes that bring a page in line with the subjects that carry the tags of its groups. A subject that is on the page already joins no
 * group, and the first of two groups takes one that carries the tags of both. Public names are those of the subjects.
 */
export function followGroups(
  groups: readonly FollowingGroup[],
  components: readonly FollowedComponent[],
  carriers: Carriers,
): Following {
  const groupsById = new Map(groups.map((group) => [group.id, group]))
  const tagsOf = tagsBySubject(carriers)
  const following: Following = { leaving: [], marked: [], joining: [] }
  const shown = new Set<string>()
  for (const { id, group_id, by_tag, ...ids } of components) {
    const key = keyOfSubject(ids)
    const selectors = groupsById.get(group_id ?? 0)?.tags ?? []
    const isWanted = selectors.length > 0 && key !== null && carries(tagsOf.get(key) ?? [], selectors)
    if (by_tag && selectors.length > 0 && !isWanted) {
      following.leaving.push(id)
      continue
    }
    if (by_tag !== isWanted) following.marked.push({ id, by_tag: isWanted })
    if (key !== null) shown.add(key)
  }
  let left = MAX_COMPONENTS - (components.length - following.leaving.length)
  for (const { id: group_id, tags } of groups) {
    if (tags.length === 0) continue
    for (const kind of SUBJECT_KINDS) {
      for (const carrier of carriers[kind]) {
        const key = keyOf({ kind, id: carrier.id })
        if (left === 0 || shown.has(key) || !carries(carrier.tags, tags)) continue
        shown.add(key)
        left--
        following.joining.push({ ...componentOf(kind, carrier), group_id })
      }
    }
  }
  return following
}

/**
 * A layout with the components of its groups that follow tags and that it leaves out: those that joined while a person
 * edited the page. Only without its tags a subject leaves such a group.
 */
export function withFollowed(
  layout: PlacedLayout,
  stored: readonly (Component & FollowedComponent)[],
  carriers: Carriers,
): PlacedLayout {
  const placed = new Set(layout.components.map(({ id }) => id))
  const shown = new Set(layout.components.map(keyOfSubject))
  const tagsOf = tagsBySubject(carriers)
  const kept = stored.flatMap(({ group_id, by_tag, ...component }) => {
    const key = keyOfSubject(component)
    const group = layout.groups.findIndex(({ id }) => id !== null && id === group_id)
    const selectors = layout.groups[group]?.tags ?? []
    if (!by_tag || placed.has(component.id) || key === null || shown.has(key) || selectors.length === 0)
      return []
    return carries(tagsOf.get(key) ?? [], selectors) ? [{ ...component, group }] : []
  })
  const room = Math.max(0, MAX_COMPONENTS - layout.components.length)
  const last = layout.components.length
  return {
    groups: layout.groups,
    components: [
      ...layout.components,
      ...kept.slice(0, room).map((component, index) => ({ ...component, position: last + index })),
    ],
  }
}

function tagsBySubject(carriers: Carriers): Map<string, readonly string[]> {
  return new Map(
    SUBJECT_KINDS.flatMap((kind) =>
      carriers[kind].map(({ id, tags }) => [keyOf({ kind, id }), tags] as const),
    ),
  )
}

function componentOf(kind: SubjectKind, { id, name }: Carrier): Component {
  return Component.parse({ monitor_id: null, name, [`${kind}_id`]: id })
}
