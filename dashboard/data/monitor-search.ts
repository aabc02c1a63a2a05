import { MonitorType } from '../../src/core/monitors/monitor-types.ts'
import { RecordId } from '../../src/core/record-id.ts'
import { keptSearch } from './kept-search.ts'

/** The monitor to copy, or the type to begin with. */
export type NewMonitorSearch = { copy?: number | undefined; type?: MonitorType | undefined }

export function readNewMonitorSearch({ copy, type }: Record<string, unknown>): NewMonitorSearch {
  const copied = RecordId.safeParse(Number(copy))
  const first = MonitorType.safeParse(type)
  return keptSearch<NewMonitorSearch>(['copy', 'type'], {
    ...(copied.success && { copy: copied.data }),
    ...(first.success && { type: first.data }),
  })
}
