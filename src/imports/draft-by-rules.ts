import type { MonitorType } from '../core/monitors/monitor.ts'
import type { Draft } from './draft.ts'
import type { MonitorFacts } from './draft-monitor.ts'
import { entryOf, type Fields } from './fields.ts'
import { type Rule, sentencesOf } from './reasons.ts'

/** What is known of the monitors of another service. */
export type KnownMonitors = {
  /** Types that have a counterpart here, and why others have none. */
  types: Record<string, MonitorType>
  reasons: Record<string, string>
  /** What makes a monitor something else than it was: it would cry wolf, or be silent. */
  blockers: Rule[]
  /** What comes over, but was different in a way that somebody may notice. */
  differences: Rule[]
}

/** Drafts a monitor with what is to be said of it, or skips it with the reason. */
export function draftByRules(
  draft: Draft,
  { types, reasons, blockers, differences }: KnownMonitors,
  monitor: Fields,
  { name, kind }: { name: string; kind: string },
  factsOf: (type: MonitorType) => Omit<MonitorFacts, 'name' | 'type'>,
): void {
  const type = entryOf(types, kind)
  if (!type) {
    draft.skip(name, entryOf(reasons, kind) ?? `there are no monitors of the type ${kind || 'it has'}`)
    return
  }
  const [blocker] = sentencesOf(blockers, monitor, type)
  if (blocker !== undefined) {
    draft.skip(name, blocker)
    return
  }
  const drafted = draft.monitor({ name, type, ...factsOf(type) })
  if (drafted === null) return
  for (const note of sentencesOf(differences, monitor, type)) draft.note(drafted, note)
}
