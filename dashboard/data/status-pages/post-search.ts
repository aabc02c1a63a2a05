import { ofEachField, SUBJECT_KINDS, type SubjectRef } from '../../../src/core/maintenance/subject-kind.ts'
import { MAX_ABOUT, PostAbout } from '../../../src/core/status-pages/post-about.ts'
import { keptSearch } from '../kept-search.ts'

type AboutSearch = { [Name in keyof PostAbout]?: string | undefined }

/** The start of a new post: an incident unless the address says otherwise, and the subjects that it is about. */
export type NewPostSearch = AboutSearch & { kind?: 'maintenance' | undefined }

const LISTED = SUBJECT_KINDS.map((kind) => `${kind}s` as const)

export function readNewPostSearch(given: Record<string, unknown>): NewPostSearch {
  const kept: NewPostSearch = given.kind === 'maintenance' ? { kind: 'maintenance' } : {}
  for (const name of LISTED) {
    // The router reads a list of one id as a number.
    const text = String(given[name] ?? '')
    if (PostAbout.shape[name].safeParse(text).success && text !== '') kept[name] = text
  }
  return keptSearch<NewPostSearch>(['kind', ...LISTED], kept)
}

/** The address of a new post about these subjects. */
export function aboutSearch(subjects: readonly SubjectRef[]): AboutSearch {
  return ofEachField('s', (kind) => {
    const ids = subjects.filter((subject) => subject.kind === kind).map(({ id }) => id)
    return [...new Set(ids)].slice(0, MAX_ABOUT).join() || undefined
  })
}

/** The question for a proposal about the subjects that an address names; null where it names none. */
export function aboutOf({ kind: _, ...about }: NewPostSearch): AboutSearch | null {
  return LISTED.some((name) => about[name] !== undefined) ? about : null
}
