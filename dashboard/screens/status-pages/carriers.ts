import type { SubjectName } from '../../../src/core/maintenance/shown-window.ts'
import {
  ofEachKind,
  promisedOfEachKind,
  type SubjectKind,
} from '../../../src/core/maintenance/subject-kind.ts'
import { MAX_COMPONENTS } from '../../../src/core/status-pages/status-page.ts'
import { askForAll } from '../../data/subjects/found-subjects.ts'
import { componentsIn, type LayoutDraft } from '../../forms/status-pages/layout-draft.ts'

export type Found = Record<SubjectKind, SubjectName[]>

/** Subjects that carry some tags now: as many of each kind as a page can have. */
export async function carriersOf(team: number, tags: string[]): Promise<Found> {
  return promisedOfEachKind((kind) => askForAll(team, kind, { tags: tags.join(',') }, MAX_COMPONENTS))
}

/** Those that are not on the page. */
export function withoutKnown(found: Found, draft: LayoutDraft): Found {
  const known = componentsIn(draft)
  return ofEachKind((kind) => found[kind].filter(({ id }) => !known.some((one) => one[kind]?.id === id)))
}
