import { ConditionKind } from '../../../src/core/servers/condition.ts'

/** The chart of a server that shows the figure of each condition; null where none does. */
const CHARTS: Record<ConditionKind, string | null> = {
  silent: 'cpu',
  disk_space: 'file-systems',
  disk_full_soon: 'file-systems',
  inodes: null,
  memory: 'memory',
  cpu: 'cpu',
  load: 'load',
  swap: 'swap',
  iowait: 'cpu',
  steal: 'cpu',
  failed_units: null,
  clock_skew: null,
  temperature: 'temperature',
  container: null,
  container_restarts: null,
  unit: null,
}

/** `condition` is as incidents name it: `disk_space:/var`. */
export function chartOfCondition(condition: string): string | null {
  const kind = ConditionKind.safeParse(condition.replace(/:.*/s, '')).data
  return kind ? CHARTS[kind] : null
}
