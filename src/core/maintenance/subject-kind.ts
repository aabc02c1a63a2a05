import { phrase } from '../language/phrase.ts'

/** Kinds of what a window covers. In a file of its own: the first screen of the dashboard needs no schema of windows. */
export const SUBJECT_KINDS = ['monitor', 'server', 'site'] as const
export type SubjectKind = (typeof SUBJECT_KINDS)[number]

/** Each kind as headings and lists name it. */
export const SUBJECT_NAMES = {
  monitor: phrase('Monitors'),
  server: phrase('Servers'),
  site: phrase('Sites'),
} as const satisfies Record<SubjectKind, string>

/** Each kind numbers its records by itself. */
export type SubjectRef = { kind: SubjectKind; id: number }

/** One value for each kind of subject. */
export function ofEachKind<T>(make: (kind: SubjectKind) => T): Record<SubjectKind, T> {
  return { monitor: make('monitor'), server: make('server'), site: make('site') }
}
