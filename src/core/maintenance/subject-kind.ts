import { phrase } from '../language/phrase.ts'

/** The kinds of what is watched. They stand in a file of their own because the first screen of the dashboard needs no schema of windows. */
export const SUBJECT_KINDS = ['monitor', 'server', 'site'] as const
export type SubjectKind = (typeof SUBJECT_KINDS)[number]
/** Kinds whose changes of status are stored; the checks of a monitor say its own. */
export type TimedKind = Exclude<SubjectKind, 'monitor'>

/** Core knows no more of a kind than this. */
type KindEntry = {
  /** Headings and lists name all of them so. */
  name: string
  /** It stands for the kind in the address of an acknowledgement. */
  letter: string
  /** A window covers no more of them by their ids. */
  maxInWindow: number
  /** Whether status pages show its warnings: those about a site are of what visitors meet, others are the team's business. */
  warnsVisitors: boolean
}

export const KIND_ENTRIES = {
  monitor: { name: phrase('Monitors'), letter: 'm', maxInWindow: 10_000, warnsVisitors: false },
  server: { name: phrase('Servers'), letter: 's', maxInWindow: 10_000, warnsVisitors: false },
  site: { name: phrase('Sites'), letter: 'w', maxInWindow: 10_000, warnsVisitors: true },
} as const satisfies Record<SubjectKind, KindEntry>

/** Each kind numbers its records by itself. */
export type SubjectRef = { kind: SubjectKind; id: number }

/** One value for each kind of subject. */
export function ofEachKind<T>(make: (kind: SubjectKind) => T): Record<SubjectKind, T> {
  return ofEachField('', make)
}

/** Waits for one value for each kind of subject, all asked for at once. */
export async function promisedOfEachKind<T>(
  make: (kind: SubjectKind) => Promise<T>,
): Promise<Record<SubjectKind, T>> {
  const made = new Map(
    await Promise.all(SUBJECT_KINDS.map(async (kind) => [kind, await make(kind)] as const)),
  )
  return ofEachKind((kind) => made.get(kind) as T)
}

/** A record has one field for each kind, named after it: `_ids` makes `monitor_ids`, `server_ids` and so on. */
export type FieldOfEach<Suffix extends string, T> = { [Kind in SubjectKind as `${Kind}${Suffix}`]: T }

export function ofEachField<Suffix extends string, T>(
  suffix: Suffix,
  make: (kind: SubjectKind) => T,
): FieldOfEach<Suffix, T> {
  const fields = SUBJECT_KINDS.map((kind) => [`${kind}${suffix}`, make(kind)])
  return Object.fromEntries(fields) as FieldOfEach<Suffix, T>
}

/** Leaves out the fields that a record has for each kind. */
export function withoutField<Suffix extends string, Whole extends object>(
  suffix: Suffix,
  whole: Whole,
): Omit<Whole, `${SubjectKind}${Suffix}`> {
  const names = new Set(SUBJECT_KINDS.map((kind) => `${kind}${suffix}`))
  const kept = Object.entries(whole).filter(([name]) => !names.has(name as `${SubjectKind}${Suffix}`))
  return Object.fromEntries(kept) as Omit<Whole, `${SubjectKind}${Suffix}`>
}

/** Each kind as headings and lists name it. */
export const SUBJECT_NAMES = ofEachKind((kind) => KIND_ENTRIES[kind].name)
