import type { MaintenanceWindow } from '../../../src/core/maintenance/window.ts'
import type { EndedBy, KeptOccurrence } from '../../../src/core/maintenance/window-record.ts'

export type KeptRow = [from: string, to: string, endedBy?: EndedBy]

/** The kept occurrences of a window, whose id is 7, with its own subjects. `on` reads a time of the table. */
export function keptRows(
  { all_subjects, monitor_ids, server_ids, site_ids }: MaintenanceWindow,
  table: KeptRow[],
  on: (time: string) => Date,
): KeptOccurrence[] {
  return table.map(([from, to, endedBy = null]) => ({
    windowId: 7,
    startsAt: on(from),
    endsAt: on(to),
    endedBy,
    all_subjects,
    monitor_ids,
    server_ids,
    site_ids,
  }))
}
