import type { Condition } from './condition.ts'
import { ConditionKind } from './threshold.ts'

/** Names of conditions for people: of a line, an incident, and in an alert. */
export const CONDITION_WORDS: Record<ConditionKind, string> = {
  silent: 'Silent',
  disk_space: 'Disk space',
  disk_full_soon: 'Disk full soon',
  inodes: 'Inodes',
  memory: 'Memory',
  cpu: 'CPU',
  load: 'Load',
  swap: 'Swap',
  iowait: 'I/O wait',
  steal: 'Steal',
  failed_units: 'Failed units',
  clock_skew: 'Clock',
  temperature: 'Temperature',
}

/** `disk_space:/var` in words: `Disk space of /var`. A kind that this version does not know keeps its raw name. */
export function sayCondition(key: string): string {
  const colon = key.indexOf(':')
  const kind = ConditionKind.safeParse(colon < 0 ? key : key.slice(0, colon)).data
  if (!kind) return key
  return sayConditionOf({ kind, part: colon < 0 ? null : key.slice(colon + 1) })
}

export function sayConditionOf({ kind, part }: Pick<Condition, 'kind' | 'part'>): string {
  return part === null ? CONDITION_WORDS[kind] : `${CONDITION_WORDS[kind]} of ${part}`
}
