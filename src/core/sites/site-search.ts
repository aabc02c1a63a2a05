import { type LiveStatus, liveStatus } from '../monitors/status.ts'
import { carries, readSelectors } from '../tags/selector.ts'
import type { SiteRow } from './shown-site.ts'

/** Whether a search in the list of sites finds one: its status, its tags, and each word in its name or address. */
export function isSiteFound(
  row: Pick<SiteRow, 'name' | 'url' | 'is_active' | 'status' | 'tags'>,
  {
    search = '',
    status,
    tags = '',
  }: { search?: string | undefined; status?: LiveStatus | string | undefined; tags?: string | undefined },
): boolean {
  if (status && liveStatus(row) !== status) return false
  if (!carries(row.tags, readSelectors(tags) ?? [])) return false
  const text = `${row.name} ${row.url}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
