import { type Said, said } from '../core/language/said.ts'
import type { MonitorType } from '../core/monitors/monitor.ts'
import type { Draft } from './draft.ts'
import type { MonitorFacts } from './draft-monitor.ts'
import { entryOf, type Fields } from './fields.ts'
import { type Rule, sentencesOf } from './reasons.ts'

/** The rules for importing the monitors of another service. */
export type KnownMonitors = {
  /** Monitor types by their names in the export. */
  types: Record<string, MonitorType>
  /** Reasons to skip the types that have no counterpart here. */
  reasons: Record<string, Said>
  /** Settings that cannot be imported: without them, the monitor would send false alerts or none. */
  blockers: Rule[]
  /** Differences that users may notice in an imported monitor. */
  differences: Rule[]
}

/** Drafts a monitor and notes its differences, or skips it with a reason. Returns the name of a drafted one. */
export function draftByRules(
  draft: Draft,
  { types, reasons, blockers, differences }: KnownMonitors,
  monitor: Fields,
  { name, kind }: { name: string; kind: string },
  factsOf: (type: MonitorType) => Omit<MonitorFacts, 'name' | 'type'> & Partial<Pick<MonitorFacts, 'type'>>,
): string | null {
  const type = entryOf(types, kind)
  if (!type) {
    draft.skip(name, entryOf(reasons, kind) ?? unknownType(kind))
    return null
  }
  const [blocker] = sentencesOf(blockers, monitor, type)
  if (blocker !== undefined) {
    draft.skip(name, blocker)
    return null
  }
  const drafted = draft.monitor({ name, type, ...factsOf(type) })
  if (drafted === null) return null
  for (const note of sentencesOf(differences, monitor, type)) draft.note(drafted, note)
  return drafted
}

function unknownType(kind: string): Said {
  return kind === ''
    ? said('there are no monitors of the type it has')
    : said('there are no monitors of the type {kind}', { kind })
}
