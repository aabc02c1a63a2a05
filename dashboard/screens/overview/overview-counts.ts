import type { StatusCounts } from '../../../src/core/monitors/status.ts'
import type { Overview } from '../../../src/core/overview/overview.ts'
import { sayKindCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'

type Counted = Pick<Overview, 'counts' | 'servers' | 'sites'>

export function totalOf(counts: StatusCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Monitors, servers and sites. */
export function downOf({ counts, servers, sites }: Counted): number {
  return counts.down + servers.counts.down + sites.counts.down
}

/** `3 monitors, 1 server and 1 site`, without those of which there are none. */
export function saySubjects(
  { counts, servers, sites }: Counted,
  of: (counts: StatusCounts) => number,
): string {
  const kinds = [
    ['monitor', of(counts)],
    ['server', of(servers.counts)],
    ['site', of(sites.counts)],
  ] as const
  const said = kinds.filter(([, count]) => count > 0).map(([kind, count]) => sayKindCount(kind, count))
  return sayList(said)
}

/** `3 monitors and 1 server are down.` */
export function sayDown(counted: Counted): string {
  return t('{count, plural, one {{subjects} is down.} other {{subjects} are down.}}', {
    count: downOf(counted),
    subjects: saySubjects(counted, ({ down }) => down),
  })
}
