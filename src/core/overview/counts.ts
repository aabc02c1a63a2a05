import { SUBJECT_KINDS, type SubjectKind } from '../maintenance/subject-kind.ts'
import { LiveStatus, type StatusCounts } from '../monitors/status.ts'
import type { Overview } from './overview.ts'

/**
 * The one definition of what the dashboard counts, which its menu, bottom bar, headings, tiles, tab and wallboard show: `down`
 * are subjects that are down, each once, however many of its conditions or areas are. `incidents_open` are
 * the ongoing incidents that the list of incidents has, of which one subject may have several, or a warning.
 */
export type Counted = Pick<Overview, 'counts' | `${Exclude<SubjectKind, 'monitor'>}s` | 'incidents_open'>

/** The numbers of one kind of subjects. Those of monitors stand at the top, as monitors were there first. */
export function countsOf(counted: Counted, kind: SubjectKind): StatusCounts {
  return kind === 'monitor' ? counted.counts : counted[`${kind}s`].counts
}

/** The numbers of all kinds together. */
export function allCounts(counted: Counted): StatusCounts {
  const of = (status: LiveStatus) =>
    SUBJECT_KINDS.reduce((sum, kind) => sum + countsOf(counted, kind)[status], 0)
  return Object.fromEntries(LiveStatus.options.map((status) => [status, of(status)])) as StatusCounts
}

export function downOf(counted: Counted): number {
  return allCounts(counted).down
}
