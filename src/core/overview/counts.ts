import type { SubjectKind } from '../maintenance/subject-kind.ts'
import { LiveStatus, type StatusCounts } from '../monitors/status.ts'
import type { Overview } from './overview.ts'

/**
 * The one definition of what the dashboard counts, which its menu, bottom bar, headings, tiles, tab and wallboard show: `down`
 * are monitors, servers and sites that are down, each once, however many of its conditions or areas are. `incidents_open` are
 * the ongoing incidents that the list of incidents has, of which one subject may have several, or a warning.
 */
export type Counted = Pick<Overview, 'counts' | 'servers' | 'sites' | 'incidents_open'>

/** The numbers of one kind of subjects. */
export function countsOf({ counts, servers, sites }: Counted, kind: SubjectKind): StatusCounts {
  return { monitor: counts, server: servers.counts, site: sites.counts }[kind]
}

/** The numbers of all kinds together. */
export function allCounts(counted: Counted): StatusCounts {
  const of = (status: LiveStatus) =>
    counted.counts[status] + counted.servers.counts[status] + counted.sites.counts[status]
  return Object.fromEntries(LiveStatus.options.map((status) => [status, of(status)])) as StatusCounts
}

export function downOf(counted: Counted): number {
  return allCounts(counted).down
}
