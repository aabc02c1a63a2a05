import { ENGLISH, phrase } from '../language/translate.ts'
import type { Condition } from './condition.ts'
import { ConditionKind } from './condition.ts'

/** Names of conditions for people: of a line, an incident, and in an alert. */
export const CONDITION_WORDS: Record<ConditionKind, string> = {
  silent: phrase('Silent'),
  disk_space: phrase('Disk space'),
  disk_full_soon: phrase('Disk full soon'),
  inodes: phrase('Inodes'),
  memory: phrase('Memory'),
  cpu: 'CPU',
  load: phrase('Load'),
  swap: phrase('Swap'),
  iowait: phrase('I/O wait'),
  steal: phrase('Steal'),
  failed_units: phrase('Failed units'),
  clock_skew: phrase('Clock'),
  temperature: phrase('Temperature'),
  container: phrase('Container'),
  container_restarts: phrase('Restarts of containers'),
  unit: phrase('Unit of systemd'),
}

/** `disk_space:/var` in words: `Disk space of /var`. A kind that this version does not know keeps its raw name. */
export function sayCondition(key: string, t = ENGLISH.t): string {
  const colon = key.indexOf(':')
  const kind = ConditionKind.safeParse(colon < 0 ? key : key.slice(0, colon)).data
  if (!kind) return key
  return sayConditionOf({ kind, part: colon < 0 ? null : key.slice(colon + 1) }, t)
}

export function sayConditionOf({ kind, part }: Pick<Condition, 'kind' | 'part'>, t = ENGLISH.t): string {
  const condition = t(CONDITION_WORDS[kind])
  if (part === null) return condition
  if (kind === 'container') return t('Container {name}', { name: part })
  if (kind === 'container_restarts') return t('Restarts of container {name}', { name: part })
  if (kind === 'unit') return t('Unit {name}', { name: part })
  return t('{condition} of {part}', { condition, part })
}
