import type * as z from 'zod'
import type { SubjectName } from '../../../src/core/maintenance/shown-window.ts'
import {
  ofEachField,
  ofEachKind,
  SUBJECT_KINDS,
  type SubjectKind,
  withoutField,
} from '../../../src/core/maintenance/subject-kind.ts'
import type { ShownComponent, ShownLayout } from '../../../src/core/status-pages/shown-page.ts'
import { Layout } from '../../../src/core/status-pages/status-page.ts'
import { type FieldErrors, parseFields } from '../../../src/core/validation.ts'
import { sayFault } from '../../language/faults.ts'
import { t } from '../../language/language.ts'

/** The rows of a page while it is edited. The key names a row, whether or not it is saved. */
export type ComponentDraft = Omit<ShownComponent, 'id' | `${SubjectKind}_id`> & {
  key: string
  id: number | null
}
export type GroupDraft = {
  key: string
  id: number | null
  name: string
  is_open: boolean
  /** Tags that it follows. */
  tags: string[]
  components: ComponentDraft[]
}
export type ItemDraft = ComponentDraft | GroupDraft
export type LayoutDraft = readonly ItemDraft[]

/** A place beside a row; `into`: the first within a group. */
export type Place = { key: string; at: 'before' | 'after' | 'into' }

export type Direction = 'up' | 'down'

export function isGroup(item: ItemDraft): item is GroupDraft {
  return 'components' in item
}

export function draftOfLayout({ items }: ShownLayout): LayoutDraft {
  return items.map((item) =>
    'component' in item
      ? componentDraft(item.component)
      : {
          ...item.group,
          key: `g${item.group.id}`,
          components: item.group.components.map(componentDraft),
        },
  )
}

function componentDraft(shown: ShownComponent): ComponentDraft {
  return { ...withoutField('_id', shown), key: `c${shown.id}` }
}

/** The layout as it is sent. */
export function layoutOf(draft: LayoutDraft): z.input<typeof Layout> {
  const sent = ({ key: _, by_tag: __, ...component }: ComponentDraft) => ({
    ...withoutField('', component),
    ...ofEachField('_id', (kind) => component[kind]?.id ?? null),
  })
  return {
    items: draft.map((item) => {
      if (!isGroup(item)) return { component: sent(item) }
      const { key: _, components, ...group } = item
      return { group: { ...group, components: components.map(sent) } }
    }),
  }
}

/** Faults by the key of the row. */
export function layoutFaults(draft: LayoutDraft): Map<string, FieldErrors> {
  const parsed = parseFields(Layout, layoutOf(draft))
  const faults = new Map<string, FieldErrors>()
  for (const [path, messages] of Object.entries(parsed.ok ? {} : parsed.faults)) {
    const [, index, , part, place] = path.split('.')
    const item = draft[Number(index)]
    const row = item && isGroup(item) && part === 'components' ? item.components[Number(place)] : item
    const field = path.split('.').at(-1) ?? ''
    // The place of the row in the whole is on nobody's mind.
    const said = messages.map((fault) => sayFault(fault, field))
    if (row) faults.set(row.key, { ...faults.get(row.key), [field]: said })
  }
  return faults
}

/** Whether a person says its state. */
export function isSetByHand(component: Pick<ComponentDraft, SubjectKind>): boolean {
  return SUBJECT_KINDS.every((kind) => component[kind] === null)
}

export function componentsIn(draft: LayoutDraft): ComponentDraft[] {
  return draft.flatMap((item) => (isGroup(item) ? item.components : [item]))
}

/** The group of a component; null for one without, and for groups. */
export function groupOf(draft: LayoutDraft, key: string): GroupDraft | null {
  return draft.filter(isGroup).find(({ components }) => components.some((one) => one.key === key)) ?? null
}

/** New components for subjects, behind everything else. */
export function addSubjects(
  draft: LayoutDraft,
  kind: SubjectKind,
  subjects: readonly SubjectName[],
): LayoutDraft {
  const known = new Set(componentsIn(draft).map((component) => component[kind]?.id))
  const added = subjects.filter(({ id }) => !known.has(id))
  const first = nextNumber(draft)
  return [
    ...draft,
    ...added.map(({ id, name }, index) =>
      newComponent(first + index, name, { [kind]: { id, name, is_deleted: false } }),
    ),
  ]
}

/** The same for subjects of all kinds, in a new group where it has a name. */
export function addInGroup(
  draft: LayoutDraft,
  group: string,
  subjects: Record<SubjectKind, readonly SubjectName[]>,
): LayoutDraft {
  const all = SUBJECT_KINDS.reduce((before, kind) => addSubjects(before, kind, subjects[kind]), draft)
  const components = all.slice(draft.length).filter((item): item is ComponentDraft => !isGroup(item))
  if (group === '' || components.length === 0) return all
  const key = `new${nextNumber(all)}`
  return [...draft, { ...newGroup(key, group), components }]
}

/** Takes away the components of a subject. */
export function removeSubject(draft: LayoutDraft, kind: SubjectKind, id: number): LayoutDraft {
  return componentsIn(draft)
    .filter((component) => component[kind]?.id === id)
    .reduce((rest, { key }) => remove(rest, key), draft)
}

export function addStatic(draft: LayoutDraft): LayoutDraft {
  return [...draft, newComponent(nextNumber(draft), '')]
}

export function addGroup(draft: LayoutDraft): LayoutDraft {
  return [...draft, newGroup(`new${nextNumber(draft)}`, '')]
}

function newGroup(key: string, name: string): GroupDraft {
  return { key, id: null, name, is_open: true, tags: [], components: [] }
}

/** Whether the tags of its group decide that it is there. */
export function isByTag(draft: LayoutDraft, { key, by_tag }: ComponentDraft): boolean {
  return by_tag && (groupOf(draft, key)?.tags.length ?? 0) > 0
}

function newComponent(
  number: number,
  name: string,
  subject: Partial<Pick<ComponentDraft, SubjectKind>> = {},
): ComponentDraft {
  const shown = { description: '', shows_uptime: true, shows_chart: false, state: 'operational' } as const
  const nothing = { by_tag: false, ...ofEachKind(() => null) }
  return { key: `new${number}`, id: null, name, ...nothing, ...subject, ...shown }
}

function nextNumber(draft: LayoutDraft): number {
  const keys = draft.flatMap((item) => [item, ...(isGroup(item) ? item.components : [])])
  return 1 + Math.max(0, ...keys.map(({ key }) => (key.startsWith('new') ? Number(key.slice(3)) : 0)))
}

export function change(
  draft: LayoutDraft,
  key: string,
  part: Partial<Omit<ComponentDraft, 'key'>> | Partial<Omit<GroupDraft, 'key'>>,
): LayoutDraft {
  return draft.map((item) => {
    if (item.key === key) return { ...item, ...part } as ItemDraft
    if (!isGroup(item)) return item
    const components = item.components.map((one) =>
      one.key === key ? ({ ...one, ...part } as ComponentDraft) : one,
    )
    return { ...item, components }
  })
}

/** Takes away a row; the components of a group stay where it was. */
export function remove(draft: LayoutDraft, key: string): LayoutDraft {
  return draft.flatMap((item): ItemDraft[] => {
    if (!isGroup(item)) return item.key === key ? [] : [item]
    if (item.key === key) return item.components
    return [{ ...item, components: item.components.filter((one) => one.key !== key) }]
  })
}

/** The row at another place. Groups stand in no group. */
export function place(draft: LayoutDraft, key: string, { key: other, at }: Place): LayoutDraft {
  const row = draft.find((item) => item.key === key) ?? componentsIn(draft).find((one) => one.key === key)
  if (!row || key === other) return draft
  const rest = draft.flatMap((item): ItemDraft[] => {
    if (item.key === key) return []
    return isGroup(item) ? [{ ...item, components: without(item.components, key) }] : [item]
  })
  if (rest.some((item) => item.key === other && !(at === 'into' && isGroup(item)))) {
    return insert(rest, row, other, at)
  }
  if (isGroup(row)) return draft
  return rest.map((item) => {
    if (!isGroup(item)) return item
    if (item.key === other) return { ...item, components: [row, ...item.components] }
    return { ...item, components: insert(item.components, row, other, at) }
  })
}

function without(components: ComponentDraft[], key: string): ComponentDraft[] {
  return components.filter((one) => one.key !== key)
}

function insert<Row extends { key: string }>(rows: Row[], row: Row, other: string, at: Place['at']): Row[] {
  return rows.flatMap((one) => {
    if (one.key !== other) return [one]
    return at === 'before' ? [row, one] : [one, row]
  })
}

/** One step: through groups, whose first and last places lead out of them. Null where it is the last step. */
export function step(draft: LayoutDraft, key: string, direction: Direction): Place | null {
  const isUp = direction === 'up'
  const group = groupOf(draft, key)
  const rows: LayoutDraft = group ? group.components : draft
  const index = rows.findIndex((row) => row.key === key)
  const next = rows[index + (isUp ? -1 : 1)]
  const at = isUp ? 'before' : 'after'
  if (!next) return group && { key: group.key, at }
  const row = rows[index]
  if (row && !isGroup(row) && isGroup(next)) {
    const last = next.components.at(-1)
    return isUp && last ? { key: last.key, at: 'after' } : { key: next.key, at: 'into' }
  }
  return { key: next.key, at }
}

/** Into a group as its last, or out of any group to the end. */
export function regroup(draft: LayoutDraft, key: string, group: string | null): LayoutDraft {
  const last = draft.filter(isGroup).find((one) => one.key === group)
  if (group === null) return place(draft, key, { key: draft.at(-1)?.key ?? key, at: 'after' })
  const component = last?.components.filter((one) => one.key !== key).at(-1)
  return place(draft, key, component ? { key: component.key, at: 'after' } : { key: group, at: 'into' })
}

/** Where a row stands, in words: `Cards: 2 of 5 in Payments`. */
export function sayPlace(draft: LayoutDraft, key: string): string {
  const group = groupOf(draft, key)
  const rows: LayoutDraft = group ? group.components : draft
  const index = rows.findIndex((row) => row.key === key)
  const name = nameOf(rows[index])
  const placed = { name, place: index + 1, count: rows.length }
  return group
    ? t('{name}: {place} of {count} in {group}', { ...placed, group: nameOf(group) })
    : t('{name}: {place} of {count}', placed)
}

export function nameOf(item: Pick<ItemDraft, 'name'> | undefined): string {
  return item?.name.trim() || t('Without a name')
}

type Box = { key: string; top: number; bottom: number }
/** `head`: the lower edge of a group's own line. */
export type ItemBox = Box & { group: { head: number; components: Box[] } | null }

/** Where a row that is let go of at a height belongs. */
export function dropAt(items: readonly ItemBox[], y: number, isGroupDragged: boolean): Place | null {
  const middle = ({ top, bottom }: Pick<Box, 'top' | 'bottom'>) => (top + bottom) / 2
  for (const { key, top, bottom, group } of items) {
    if (y > bottom) continue
    if (y < top) return { key, at: 'before' }
    if (!group || isGroupDragged) return { key, at: y < middle({ top, bottom }) ? 'before' : 'after' }
    if (y < middle({ top, bottom: group.head })) return { key, at: 'before' }
    if (y < group.head) return { key, at: 'into' }
    const below = group.components.find((one) => y < middle(one))
    if (below) return { key: below.key, at: 'before' }
    const last = group.components.at(-1)
    return last ? { key: last.key, at: 'after' } : { key, at: 'into' }
  }
  const last = items.at(-1)
  return last ? { key: last.key, at: 'after' } : null
}
