import { RecordId } from '../../../src/core/record-id.ts'
import { keptSearch } from '../kept-search.ts'

/** The start of a new post: an incident unless the address says otherwise, and the monitor that is down. */
export type NewPostSearch = { kind?: 'maintenance' | undefined; monitor?: number | undefined }

export function readNewPostSearch({ kind, monitor }: Record<string, unknown>): NewPostSearch {
  const kept: NewPostSearch = kind === 'maintenance' ? { kind } : {}
  const { data } = RecordId.safeParse(monitor)
  if (data !== undefined) kept.monitor = data
  return keptSearch(['kind', 'monitor'], kept)
}
