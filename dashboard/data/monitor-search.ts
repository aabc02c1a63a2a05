import { RecordId } from '../../src/core/record-id.ts'
import { keptSearch } from './kept-search.ts'

/** The monitor to copy. */
export type NewMonitorSearch = { copy?: number | undefined }

export function readNewMonitorSearch({ copy }: Record<string, unknown>): NewMonitorSearch {
  const read = RecordId.safeParse(Number(copy))
  return keptSearch<NewMonitorSearch>(['copy'], read.success ? { copy: read.data } : {})
}
