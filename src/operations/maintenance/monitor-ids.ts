import { Refusal } from '../../core/errors.ts'
import type { MonitorName } from '../../core/maintenance/shown-window.ts'
import type { Query } from '../../postgres/database.ts'
import { knownMonitors } from '../../store/maintenance/subjects.ts'

const MAX_NAMED = 10

/** The monitors of these ids, by name. Refuses those that are not the team's. */
export async function refuseUnknownMonitors(
  query: Query,
  teamId: number,
  ids: readonly number[],
): Promise<MonitorName[]> {
  const monitors = await knownMonitors(query, teamId, ids)
  const known = new Set(monitors.map(({ id }) => id))
  const unknown = [...new Set(ids)].filter((id) => !known.has(id))
  if (unknown.length === 0) return monitors
  const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : ''
  const got = `${unknown.slice(0, MAX_NAMED).join(', ')}${more}`
  throw Refusal.invalid({ monitor_ids: [`monitor_ids must be IDs of monitors of the team, got ${got}`] })
}
