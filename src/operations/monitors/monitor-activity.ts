import { deadline } from '../../core/monitors/heartbeat.ts'
import { intervalSeconds } from '../../core/probing/schedule.ts'
import type { Query } from '../../postgres/database.ts'
import {
  type HeldMonitor,
  markDeleted,
  renewRevisions,
  resetStates,
  resolveIncidentsQuietly,
  setActive,
} from '../../store/monitors/monitor-changes.ts'
import { beginPauses, endPauses } from '../../store/monitors/pauses.ts'
import { announceMonitors } from '../../store/probing/schedule.ts'
import type { Services } from '../services.ts'

/*
 * What stops and starts the checking of monitors that are locked, however many: the same for one and for a
 * selection. Each takes a round trip for a step, not for a monitor, because the recorder waits for the locks.
 */

type Clock = Pick<Services, 'now'>

/** Stops checks and resolves the open incidents; statuses stay as they are. */
export async function pauseMonitors(
  { now }: Clock,
  query: Query,
  teamId: number,
  ids: number[],
): Promise<void> {
  await setActive(query, teamId, ids, false)
  await resolveIncidentsQuietly(query, ids, now())
  await beginPauses(query, ids, now())
  await startAnew(query, ids)
}

/** Paused monitors count towards the plan's limit: to resume them is no question of it. */
export async function resumeMonitors(
  { now }: Clock,
  query: Query,
  teamId: number,
  monitors: HeldMonitor[],
): Promise<void> {
  const ids = monitors.map(({ id }) => id)
  await setActive(query, teamId, ids, true)
  await resetStates(query, monitors.map(firstDeadline(now())), now())
  await endPauses(query, ids, now())
  await startAnew(query, ids)
}

/** Stops checking and takes them out of the team; their history is kept for a restore. */
export async function removeMonitors(
  { now }: Clock,
  query: Query,
  teamId: number,
  ids: number[],
): Promise<void> {
  await markDeleted(query, teamId, ids, now())
  await resolveIncidentsQuietly(query, ids, now())
  await startAnew(query, ids)
}

/** Makes schedulers take them as they are now; what was found before does not count any more. */
export async function startAnew(query: Query, ids: number[]): Promise<void> {
  await renewRevisions(query, ids)
  await announceMonitors(query, ids)
}

/** A heartbeat that begins now is due an interval later; other types have no deadline. */
export function firstDeadline(now: Date) {
  return (monitor: Omit<HeldMonitor, 'isActive'>) => ({
    id: monitor.id,
    heartbeatDueAt: monitor.type === 'heartbeat' ? deadline(now, intervalSeconds(monitor)) : null,
  })
}
