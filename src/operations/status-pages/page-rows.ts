import { idsOf, keyOfSubject, subjectOf } from '../../core/status-pages/component-subject.ts'
import { placeLayout } from '../../core/status-pages/layout.ts'
import type { StatusPagePatch } from '../../core/status-pages/shown-page.ts'
import type { Layout } from '../../core/status-pages/status-page.ts'
import type { Query } from '../../postgres/database.ts'
import { readGroups } from '../../store/status-pages/layout.ts'
import type { PageRecord } from '../../store/status-pages/pages.ts'
import {
  readShownComponents,
  readShownSubjects,
  type ShownComponentRow,
  type ShownSubject,
} from '../../store/status-pages/shown-components.ts'

/** Changes of a page that are not saved. */
export type PageDraft = { settings: StatusPagePatch; layout: Layout | null }

export const NO_DRAFT: PageDraft = { settings: {}, layout: null }

type PageRows = { groups: Awaited<ReturnType<typeof readGroups>>; rows: ShownComponentRow[] }

const NO_SUBJECT: ShownSubject = {
  ...idsOf(null),
  subject_created_at: null,
  is_active: null,
  status: null,
  status_since: null,
}

/** The components and groups of a page. */
export async function readRows(query: Query, pageId: number, now: Date): Promise<PageRows> {
  const [groups, rows] = await Promise.all([
    readGroups(query, pageId),
    readShownComponents(query, pageId, now),
  ])
  return { groups, rows }
}

/**
 * The rows that a layout would make, with the states that they would have. New ones have ids below zero; subjects that
 * the team does not have are left out, as deleted ones are.
 */
export async function readDraftRows(
  query: Query,
  page: PageRecord,
  layout: Layout,
  at: Date,
): Promise<PageRows> {
  const placed = placeLayout(layout)
  const named = placed.components.flatMap((component) => subjectOf(component) ?? [])
  const saved = await readRows(query, page.id, at)
  const facts = new Map(
    (await readShownSubjects(query, page.teamId, named, at)).map((one) => [keyOfSubject(one), one]),
  )
  const groupsById = new Map(saved.groups.map((group) => [group.id, group]))
  const rowsById = new Map(saved.rows.map((row) => [row.id, row]))
  const now = new Date(page.updatedAt)
  const groups = placed.groups.map((group, index) => ({
    ...group,
    id: group.id ?? -1 - index,
    created_at: groupsById.get(group.id ?? 0)?.created_at ?? now,
  }))
  const rows = placed.components.flatMap(({ group, id, ...component }, index) => {
    const key = keyOfSubject(component)
    const subject = key === null ? NO_SUBJECT : facts.get(key)
    if (!subject) return []
    const { created_at, updated_at } = rowsById.get(id ?? 0) ?? { created_at: now, updated_at: now }
    const group_id = group === null ? null : (groups[group]?.id ?? null)
    return [{ ...component, ...subject, id: id ?? -1 - index, group_id, created_at, updated_at }]
  })
  return { groups, rows }
}
