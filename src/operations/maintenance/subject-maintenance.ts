import { SUBJECTS } from '../../contract/subjects.ts'
import { standingAt, timesOf } from '../../core/maintenance/kept-window.ts'
import { windowAround } from '../../core/maintenance/occurrence.ts'
import type { SubjectMaintenance } from '../../core/maintenance/shown-window.ts'
import type { SubjectRef } from '../../core/maintenance/subject-kind.ts'
import { countChosen, type Subjects } from '../../core/maintenance/window.ts'
import { listStanding } from '../../store/maintenance/occurrences.ts'
import { listWindows } from '../../store/maintenance/windows.ts'
import { listPagesShowing } from '../../store/status-pages/incident-pages.ts'
import type { Services } from '../services.ts'
import { performOnEach } from '../subjects.ts'
import { presentSpan } from './present-window.ts'

export const subjectMaintenance = performOnEach(
  SUBJECTS,
  'get*Maintenance',
  async (services, { teamId }, subject) => ({
    body: { data: await readMaintenance(services, teamId, subject) },
  }),
)

async function readMaintenance(
  { db, databaseNow }: Services,
  teamId: number,
  subject: SubjectRef,
): Promise<SubjectMaintenance> {
  const windows = await listWindows(db.query, teamId, subject)
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
    current: current.map(({ window, ...span }) => ({
      ...presentSpan(span),
      window_id: window.id,
      window_name: window.name,
      note: window.note,
      covers_others: coversOthers(window),
    })),
    next: next ? { ...presentSpan(next), window_id: next.window.id, window_name: next.window.name } : null,
    pages: await listPagesShowing(db.query, teamId, subject),
  }
}

function coversOthers(window: Subjects): boolean {
  const count = countChosen(window)
  return window.all_subjects || count > 1
}
