import type { WindowRow } from '../../../src/core/maintenance/shown-window.ts'
import { SUBJECT_KINDS, type SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { sayKindCount, sayKindCounts } from '../../data/subjects/shown-kinds.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { sayList } from '../../language/list.ts'

type Counts = Pick<WindowRow, `${SubjectKind}_count`>

/** The subjects of a window in a few words. */
export function saySubjects(
  window: Pick<WindowRow, 'all_subjects' | 'tags' | `${SubjectKind}s`> & Counts,
): string {
  if (window.all_subjects) return t('Everything')
  if (window.tags.length > 0) return t('Everything with {tags}', { tags: sayList(window.tags) })
  const named = SUBJECT_KINDS.flatMap((kind) => window[`${kind}s`])
  const rest = countSubjects(window) - named.length
  if (named.length === 0) return saySubjectCount(window)
  const names = named.map(({ name }) => name).join(', ')
  return rest > 0 ? t('{names} and {count} more', { names, count: sayCount(rest) }) : names
}

export function countSubjects(counts: Counts): number {
  return SUBJECT_KINDS.reduce((sum, kind) => sum + counts[`${kind}_count`], 0)
}

/** `2 monitors, 1 server and 1 site`. */
export function saySubjectCount(counts: Counts): string {
  const counted = sayKindCounts((kind) => counts[`${kind}_count`])
  return counted.length > 0 ? sayList(counted) : sayKindCount('monitor', 0)
}
