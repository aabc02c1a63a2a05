import { placeLayout } from '../../core/status-pages/layout.ts'
import type { StatusPagePatch } from '../../core/status-pages/shown-page.ts'
import type { Layout } from '../../core/status-pages/status-page.ts'
import type { Query } from '../../postgres/database.ts'
import { readGroups } from '../../store/status-pages/layout.ts'
import type { PageRecord } from '../../store/status-pages/pages.ts'
import {
  readShownComponents,
  readShownMonitors,
  type ShownComponentRow,
  type ShownMonitor,
} from '../../store/status-pages/shown-components.ts'

/** Changes of a page that are not saved. */
export type PageDraft = { settings: StatusPagePatch; layout: Layout | null }

export const NO_DRAFT: PageDraft = { settings: {}, layout: null }

type PageRows = { groups: Awaited<ReturnType<typeof readGroups>>; rows: ShownComponentRow[] }

const NO_MONITOR: ShownMonitor = {
  monitor_id: null,
  monitor_created_at: null,
  is_active: null,
  status: null,
  status_since: null,
}

/** The components and groups of a page. */
export async function readRows(query: Query, pageId: number): Promise<PageRows> {
  const [groups, rows] = await Promise.all([readGroups(query, pageId), readShownComponents(query, pageId)])
  return { groups, rows }
}

/**
 * The rows that a layout would make, with the states that they would have. New ones have ids below zero; monitors that
 * the team does not have are left out, as deleted ones are.
 */
export async function readDraftRows(query: Query, page: PageRecord, layout: Layout): Promise<PageRows> {
  const placed = placeLayout(layout)
  const named = placed.components.flatMap(({ monitor_id }) => monitor_id ?? [])
  const [saved, facts] = await Promise.all([
    readRows(query, page.id),
    readShownMonitors(query, page.teamId, [...new Set(named)]),
  ])
  const groupsById = new Map(saved.groups.map((group) => [group.id, group]))
  const rowsById = new Map(saved.rows.map((row) => [row.id, row]))
  const factsOf = new Map(facts.map((one) => [one.monitor_id, one]))
  const now = new Date(page.updatedAt)
  const groups = placed.groups.map((group, index) => ({
    ...group,
    id: group.id ?? -1 - index,
    created_at: groupsById.get(group.id ?? 0)?.created_at ?? now,
  }))
  const rows = placed.components.flatMap(({ group, id, monitor_id, ...component }, index) => {
    const monitor = monitor_id === null ? NO_MONITOR : factsOf.get(monitor_id)
    if (!monitor) return []
    const { created_at, updated_at } = rowsById.get(id ?? 0) ?? { created_at: now, updated_at: now }
    const group_id = group === null ? null : (groups[group]?.id ?? null)
    return [{ ...component, ...monitor, id: id ?? -1 - index, group_id, created_at, updated_at }]
  })
  return { groups, rows }
}
