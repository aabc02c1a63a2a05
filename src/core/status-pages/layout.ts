import { type Said, said } from '../language/said.ts'
import { ofEachKind } from '../maintenance/subject-kind.ts'
import { SUBJECT_KINDS, type SubjectKind } from '../maintenance/window.ts'
import type { Faults } from '../validation.ts'
import { type Component, type Group, type Layout, MAX_COMPONENTS, MAX_GROUPS } from './status-page.ts'

/** Groups, and components without one, are placed on the page; other components within their group. */
export type PlacedGroup = Omit<Group, 'components'> & { position: number }
/** `group`: index of its group; null for one without. */
export type PlacedComponent = Component & { position: number; group: number | null }
export type PlacedLayout = { groups: PlacedGroup[]; components: PlacedComponent[] }

/** Ids that a layout may name. */
export type LayoutIds = { groups: number[]; components: number[] } & Record<`${SubjectKind}s`, number[]>

/** A layout as rows. */
export function placeLayout({ items }: Layout): PlacedLayout {
  const placed: PlacedLayout = { groups: [], components: [] }
  for (const [position, item] of items.entries()) {
    if ('component' in item) {
      placed.components.push({ ...item.component, position, group: null })
      continue
    }
    const { components, ...group } = item.group
    const index = placed.groups.push({ ...group, position }) - 1
    for (const [place, component] of components.entries())
      placed.components.push({ ...component, position: place, group: index })
  }
  return placed
}

/** Faults of a layout beyond its schema, by the path of the field. */
export function layoutFaults({ items }: Layout, known: LayoutIds): Faults {
  const faults: Faults = {}
  const seen = { group: new Set<number>(), component: new Set<number>() }
  const ids = {
    group: new Set(known.groups),
    component: new Set(known.components),
    ...ofEachKind((kind) => new Set(known[`${kind}s`])),
  }
  let components = 0

  function refuse(path: string, message: Said) {
    faults[path] = [message]
  }

  function askId(kind: 'group' | 'component', id: number | null, path: string) {
    if (id === null) return
    if (!ids[kind].has(id))
      refuse(path, said('must be the ID of a {kind} of this page, or null, got {got}', { kind, got: id }))
    else if (seen[kind].has(id)) refuse(path, said('must stand once, got {got} again', { got: id }))
    seen[kind].add(id)
  }

  function ask(component: Component, path: string) {
    components++
    askId('component', component.id, `${path}.id`)
    let first: SubjectKind | null = null
    for (const kind of SUBJECT_KINDS) {
      const id = component[`${kind}_id`]
      if (id === null) continue
      if (!ids[kind].has(id))
        refuse(
          `${path}.${kind}_id`,
          said('must be the ID of a {kind} of the team, or null, got {got}', { kind, got: id }),
        )
      else if (first !== null)
        refuse(
          `${path}.${kind}_id`,
          said('must be null where {field} is not, got {got}', { field: `${first}_id`, got: id }),
        )
      first ??= kind
    }
  }

  let groups = 0
  for (const [index, item] of items.entries()) {
    const path = `items.${index}`
    if ('component' in item) {
      ask(item.component, `${path}.component`)
      continue
    }
    groups++
    askId('group', item.group.id, `${path}.group.id`)
    for (const [place, component] of item.group.components.entries())
      ask(component, `${path}.group.components.${place}`)
  }
  if (groups > MAX_GROUPS)
    refuse('items', said('must have at most {max} groups, got {got}', { max: MAX_GROUPS, got: groups }))
  else if (components > MAX_COMPONENTS)
    refuse(
      'items',
      said('must have at most {max} components, got {got}', { max: MAX_COMPONENTS, got: components }),
    )
  return faults
}

type Place = { position: number; id: number }

/** Rows as a layout, from top to bottom. */
export function arrange<G extends Place, C extends Place & { group_id: number | null }>(
  groups: readonly G[],
  components: readonly C[],
): ({ group: G; components: C[] } | { component: C })[] {
  const inOrder = [...components].sort(byPlace)
  const within = Map.groupBy(inOrder, ({ group_id }) => group_id)
  const items = [
    ...groups.map((group) => ({
      ...placeOf(group),
      item: { group, components: within.get(group.id) ?? [] },
    })),
    ...(within.get(null) ?? []).map((component) => ({ ...placeOf(component), item: { component } })),
  ]
  return items.sort(byPlace).map(({ item }) => item)
}

function placeOf({ position, id }: Place): Place {
  return { position, id }
}

function byPlace(a: Place, b: Place): number {
  return a.position - b.position || a.id - b.id
}
