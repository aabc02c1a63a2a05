import type { StatusCounts } from '../../../src/core/monitors/status.ts'
import { type Counted, countsOf, downOf } from '../../../src/core/overview/counts.ts'
import { sayKindCounts } from '../../data/subjects/shown-kinds.ts'
import { t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'

export function totalOf(counts: StatusCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** `3 monitors, 1 server and 1 site`, without those of which there are none. */
export function saySubjects(counted: Counted, of: (counts: StatusCounts) => number): string {
  return sayList(sayKindCounts((kind) => of(countsOf(counted, kind))))
}

/** `3 monitors and 1 server are down.` */
export function sayDown(counted: Counted): string {
  return t('{count, plural, one {{subjects} is down.} other {{subjects} are down.}}', {
    count: downOf(counted),
    subjects: saySubjects(counted, ({ down }) => down),
  })
}
