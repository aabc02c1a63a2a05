import { firstDeadline as firstDeadlineOf } from '../../core/monitors/heartbeats/heartbeat-terms.ts'
import { termsOf } from '../../core/monitors/monitor.ts'
import { isGroup } from '../../core/monitors/monitor-types.ts'
import type { Query } from '../../postgres/database.ts'
import { askForGroups, askForGroupsOf } from '../../store/monitors/groups.ts'
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
 * Stops and starts the checking of locked monitors, one or many alike. Each step takes one round trip for all of them,
 * because the recorder waits for the locks.
 */

type Clock = Pick<Services, 'now'>

/** Stops checks and resolves open incidents; statuses stay as they are. */
export async function pauseMonitors(
  { now }: Clock,
  query: Query,
  teamId: number,
  ids: number[],
): Promise<void> {
  await setActive(query, teamId, ids, false)
  await resolveIncidentsQuietly(query, ids, now())
  await beginPauses(query, ids, now())
  await askForGroupsOf(query, teamId, ids)
  await restartChecks(query, ids)
}

/** Resumes without a check of the plan's limit, because paused monitors count toward it. */
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
  await judgeGroupsAnew(query, teamId, monitors)
  await restartChecks(query, ids)
}

/** Stops checks and removes the monitors from the team; their history is kept for a restore. */
export async function removeMonitors(
  { now }: Clock,
  query: Query,
  teamId: number,
  ids: number[],
): Promise<void> {
  await markDeleted(query, teamId, ids, now())
  await resolveIncidentsQuietly(query, ids, now())
  await askForGroupsOf(query, teamId, ids)
  await restartChecks(query, ids)
}

/** Has the groups that monitors are in judged anew, and those among them: nothing checks them. */
export async function judgeGroupsAnew(
  query: Query,
  teamId: number,
  monitors: Pick<HeldMonitor, 'id' | 'type'>[],
): Promise<void> {
  await askForGroupsOf(
    query,
    teamId,
    monitors.map(({ id }) => id),
  )
  await askForGroups(
    query,
    monitors.filter(({ type }) => isGroup(type)).map(({ id }) => id),
  )
}

/** Makes schedulers reload the monitors; results of earlier revisions no longer count. */
export async function restartChecks(query: Query, ids: number[]): Promise<void> {
  await renewRevisions(query, ids)
  await announceMonitors(query, ids)
}

/** A heartbeat that starts now is waited for from now on; other types have no deadline. */
export function firstDeadline(now: Date) {
  return (monitor: Omit<HeldMonitor, 'is_active'>) => ({
    id: monitor.id,
    heartbeatDueAt: monitor.type === 'heartbeat' ? firstDeadlineOf(termsOf(monitor), now) : null,
  })
}
