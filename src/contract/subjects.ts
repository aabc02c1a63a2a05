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

/** What each kind has, by the names of operations. */
export type OfEach<Kinds extends CalledByKind, Before extends string, After extends string, Value> = {
  [Kind in SubjectKind as `${Before}${Kinds[Kind]['name']}${After}`]: Value
}

/** The name of the operation of a kind: what stands before and after the name of the kind is the same for all. */
export function operationOf<Kinds extends CalledByKind, Before extends string, After extends string = ''>(
  kinds: Kinds,
  kind: SubjectKind,
  before: Before,
  after = '' as After,
): keyof OfEach<Kinds, Before, After, unknown> {
  const name = `${before}${kinds[kind].name}${after}`
  return name as keyof OfEach<Kinds, Before, After, unknown>
}

/** The same operation on one of each kind. */
export function onEach<
  Kinds extends CalledByKind,
  Before extends string,
  After extends string,
  Path extends string,
  Shared extends object,
>(
  kinds: Kinds,
  [before, after]: [Before, After],
  path: Path,
  summary: (words: string) => string,
  shared: Shared,
) {
  const entries = SUBJECT_KINDS.map((kind) => {
    const entry = { ...shared, path: `${kinds[kind].path}${path}`, summary: summary(kinds[kind].words) }
    return [operationOf(kinds, kind, before, after), entry]
  })
  return Object.fromEntries(entries) as {
    [Kind in SubjectKind as `${Before}${Kinds[Kind]['name']}${After}`]: Shared & {
      path: `${Kinds[Kind]['path']}${Path}`
      summary: string
    }
  }
}
