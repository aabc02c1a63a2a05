import { LiveStatus, liveStatus } from '../../../src/core/monitors/status.ts'
import { byNaturalOrder } from '../../../src/core/natural-order.ts'
import { isServerFound } from '../../../src/core/servers/server-search.ts'
import type { ServerRow } from '../../../src/core/servers/shown-server.ts'
import { byGroup, groupOf } from '../../../src/core/tags/tag-group.ts'
import type { ServerSearch, ServerSort } from '../../data/servers/server-search.ts'

export const PER_PAGE = 50

const URGENCY = new Map(LiveStatus.options.map((status, index) => [status, index]))

type Key = (row: ServerRow) => number | string | null

/** The orders of the list, each with the worst first. */
const SORTS: Record<ServerSort, { key: Key; first: 'asc' | 'desc' }> = {
  attention: { key: (row) => URGENCY.get(liveStatus(row)) ?? null, first: 'asc' },
  name: { key: ({ name }) => name, first: 'asc' },
  cpu: { key: ({ cpu_percent }) => cpu_percent, first: 'desc' },
  memory: { key: ({ memory_used_percent }) => memory_used_percent, first: 'desc' },
  disk: { key: ({ fullest }) => fullest?.used_percent ?? null, first: 'desc' },
  load: { key: ({ load_per_cpu }) => load_per_cpu, first: 'desc' },
  last_report_at: { key: ({ last_report_at: at }) => (at ? Date.parse(at) : null), first: 'desc' },
}

export function firstOrder(sort: ServerSort): 'asc' | 'desc' {
  return SORTS[sort].first
}

/** The servers that a search finds, in its order within its groups; those without the figure that is sorted by are last. */
export function serversFound(rows: readonly ServerRow[], search: ServerSearch): ServerRow[] {
  const found = rows.filter((row) => isServerFound(row, search))
  const { key, first } = SORTS[search.sort ?? 'attention']
  const { group } = search
  const turn = (search.order ?? first) === 'asc' ? 1 : -1
  const keyed = found.map((row) => ({ row, key: key(row), name: row.name }))
  keyed.sort((a, b) => {
    const inGroups = group === undefined ? 0 : byGroup(groupOf(a.row.tags, group), groupOf(b.row.tags, group))
    if (inGroups !== 0) return inGroups
    if (a.key === null || b.key === null)
      return Number(a.key === null) - Number(b.key === null) || byName(a, b)
    if (typeof a.key === 'string' || typeof b.key === 'string') return byName(a, b) * turn
    return a.key === b.key ? byName(a, b) : (a.key - b.key) * turn
  })
  return keyed.map(({ row }) => row)
}

function byName(a: { name: string; row: ServerRow }, b: { name: string; row: ServerRow }): number {
  return byNaturalOrder(a.name, b.name) || a.row.id - b.row.id
}

/** A page of the list, and where it is in it. A page behind the end is the last one. */
export function pageOf<Row>(rows: readonly Row[], wanted: number | undefined) {
  const last = Math.max(1, Math.ceil(rows.length / PER_PAGE))
  const page = Math.min(wanted ?? 1, last)
  const shown = rows.slice((page - 1) * PER_PAGE, page * PER_PAGE)
  const from = shown.length > 0 ? (page - 1) * PER_PAGE + 1 : null
  return {
    rows: shown,
    meta: {
      current_page: page,
      last_page: last,
      from,
      to: from === null ? null : from + shown.length - 1,
      total: rows.length,
    },
  }
}
