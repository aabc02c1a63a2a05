import { SUBJECT_KINDS, type SubjectKind } from '../core/maintenance/subject-kind.ts'

/** How operations call one of a kind: in their names, their paths and their words. */
type Called = { name: string; path: string; words: string }
type CalledByKind = Record<SubjectKind, Called>

export const SUBJECTS = {
  monitor: { name: 'Monitor', path: '/monitors/{monitor}', words: 'a monitor' },
  server: { name: 'Server', path: '/servers/{server}', words: 'a server' },
  site: { name: 'Site', path: '/sites/{site}', words: 'a site' },
} as const satisfies CalledByKind

/** The incidents of the API are those of monitors, and have the short names. */
export const INCIDENTS = {
  monitor: { name: 'Incident', path: '/incidents/{incident}', words: 'an incident' },
  server: {
    name: 'ServerIncident',
    path: '/server-incidents/{serverIncident}',
    words: 'an incident of a server',
  },
  site: { name: 'SiteIncident', path: '/site-incidents/{siteIncident}', words: 'an incident of a site' },
} as const satisfies CalledByKind

/** `get*Policy` with the name of a kind in the place of `*`. */
type Named<Pattern extends string, Name extends string> = Pattern extends `${infer Before}*${infer After}`
  ? `${Before}${Name}${After}`
  : never

/** A value for each kind, by the name of its operation. */
export type OfEach<Kinds extends CalledByKind, Pattern extends string, Value> = {
  [Kind in SubjectKind as Named<Pattern, Kinds[Kind]['name']>]: Value
}

/** The name of the operation of a kind; `pattern` has `*` where the kind is named. */
export function operationOf<Kinds extends CalledByKind, Pattern extends string>(
  kinds: Kinds,
  kind: SubjectKind,
  pattern: Pattern,
): Named<Pattern, Kinds[SubjectKind]['name']> {
  return pattern.replace('*', kinds[kind].name) as Named<Pattern, Kinds[SubjectKind]['name']>
}

/** The same operation on one of each kind. */
export function onEach<
  Kinds extends CalledByKind,
  Pattern extends string,
  Path extends string,
  Shared extends object,
>(kinds: Kinds, pattern: Pattern, path: Path, summary: (words: string) => string, shared: Shared) {
  const entries = SUBJECT_KINDS.map((kind) => {
    const entry = { ...shared, path: `${kinds[kind].path}${path}`, summary: summary(kinds[kind].words) }
    return [operationOf(kinds, kind, pattern), entry]
  })
  return Object.fromEntries(entries) as {
    [Kind in SubjectKind as Named<Pattern, Kinds[Kind]['name']>]: Shared & {
      path: `${Kinds[Kind]['path']}${Path}`
      summary: string
    }
  }
}
