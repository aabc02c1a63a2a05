import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { sayKindCounts } from '../../data/subjects/shown-kinds.ts'
import { sayList } from '../../language/list.ts'

type Counts = Record<`${SubjectKind}s_count`, number>

/** Everything that a contact is attached to: `1 monitor, 2 servers and 1 site`; null for nothing. */
export function sayAttachments(counts: Counts): string | null {
  const said = sayKindCounts((kind) => counts[`${kind}s_count`])
  return said.length > 0 ? sayList(said) : null
}
