import { MonitorRowQuery } from '../../src/contract/monitor-row-query.ts'
import type { MonitorType } from '../../src/core/monitors/monitor-types.ts'
import type { LiveStatus } from '../../src/core/monitors/status.ts'
import { RecordId } from '../../src/core/record-id.ts'
import { keptSearch } from './kept-search.ts'
import { readTagSearch, type TagSearch } from './tags/tag-search.ts'

const NAMES = ['page', 'search', 'status', 'type', 'sort', 'order'] as const
const WITH_TAGS = [...NAMES, 'tags', 'group'] as const

/** The query in the address of the monitor list, which goes to the service as it is. */
export type MonitorSearch = TagSearch & {
  page?: number | undefined
  search?: string | undefined
  status?: LiveStatus | undefined
  type?: MonitorType | undefined
  sort?: 'attention' | 'name' | 'last_checked_at' | 'created_at' | undefined
  order?: 'asc' | 'desc' | undefined
}

/** Keeps the valid parts of an address, so that an old link never leads to an error. */
export function readMonitorSearch(given: Record<string, unknown>): MonitorSearch {
  const kept: Record<string, unknown> = {}
  for (const name of NAMES) {
    const value = given[name]
    if (value === undefined || value === '') continue
    if (MonitorRowQuery.shape[name].safeParse(String(value)).success)
      kept[name] = name === 'page' ? Number(value) : value
  }
  return keptSearch<MonitorSearch>(WITH_TAGS, { ...kept, ...readTagSearch(given) })
}

/** The monitor to copy. */
export type NewMonitorSearch = { copy?: number | undefined }

export function readNewMonitorSearch({ copy }: Record<string, unknown>): NewMonitorSearch {
  const read = RecordId.safeParse(Number(copy))
  return keptSearch<NewMonitorSearch>(['copy'], read.success ? { copy: read.data } : {})
}
