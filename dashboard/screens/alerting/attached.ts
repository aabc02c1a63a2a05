import { SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import { sayKindCount } from '../../language/count.ts'
import { sayList } from '../../language/list.ts'

type Counts = { monitors_count: number; servers_count: number; sites_count: number }

/** Everything that a contact is attached to: `1 monitor, 2 servers and 1 site`; null for nothing. */
export function sayAttachments(counts: Counts): string | null {
  const said = SUBJECT_KINDS.flatMap((kind) => {
    const count = counts[`${kind}s_count`]
    return count > 0 ? [sayKindCount(kind, count)] : []
  })
  return said.length > 0 ? sayList(said) : null
}
