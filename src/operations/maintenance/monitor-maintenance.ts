import { standingAt, timesOf } from '../../core/maintenance/kept-window.ts'
import { windowAround } from '../../core/maintenance/occurrence.ts'
import { listStanding } from '../../store/maintenance/occurrences.ts'
import { listWindows } from '../../store/maintenance/windows.ts'
import type { Implementation } from '../implementation.ts'
import { presentSpan } from './present-window.ts'

export const getMonitorMaintenance: Implementation<'getMonitorMaintenance'> = {
  async perform({ db, databaseNow }, { actor: { teamId }, record }) {
    const windows = await listWindows(db.query, teamId, record.id)
    const now = databaseNow()
    const ids = windows.map(({ id }) => id)
    const kept = Map.groupBy(
      await listStanding(db.query, teamId, standingAt(now), ids),
      ({ windowId }) => windowId,
    )
    const around = windows.map((window) => ({
      window,
      ...windowAround(timesOf({ window, kept: kept.get(window.id) ?? [] }), now),
    }))
    const current = around
      .flatMap(({ window, current }) => (current ? { window, ...current } : []))
      .sort((one, other) => other.endsAt.getTime() - one.endsAt.getTime())
    const [next] = around
      .flatMap(({ window, next }) => (next ? { window, ...next } : []))
      .sort((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
    return {
      body: {
        data: {
          current: current.map(({ window: { id, name, note, all_subjects, monitor_ids }, ...span }) => ({
            ...presentSpan(span),
            window_id: id,
            window_name: name,
            note,
            covers_others: all_subjects || monitor_ids.length > 1,
          })),
          next: next
            ? { ...presentSpan(next), window_id: next.window.id, window_name: next.window.name }
            : null,
        },
      },
    }
  },
}
