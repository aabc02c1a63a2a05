import { MonitorRowQuery } from '../../src/contract/monitor-row-query.ts'
import type { MonitorType } from '../../src/core/monitors/monitor-types.ts'
import type { LiveStatus } from '../../src/core/monitors/status.ts'
import { keptSearch } from './kept-search.ts'

const NAMES = ['page', 'search', 'status', 'type', 'sort', 'order'] as const

/** The query in the address of the monitor list, which goes to the service as it is. */
export type MonitorSearch = {
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
  return keptSearch<MonitorSearch>(NAMES, kept)
}
