import * as z from 'zod'
import { Instant } from '../instant.ts'
import { ConditionKind } from './threshold.ts'

/**
 * A condition that is beginning, on, or ending. Part of a server's stored state, so that a restart forgets nothing. One that
 * is on without an incident began under maintenance.
 */
export const Condition = z.object({
  kind: ConditionKind,
  /** The mount point, for a condition of file systems. */
  part: z.string().nullable(),
  phase: z.enum(['beginning', 'on', 'ending']),
  /** When its phase began: when its value crossed the level to enter or to leave, or when it counted as on. */
  since: Instant,
  incident_id: z.int().nullable(),
  warns_only: z.boolean(),
  /** While it begins or ends: when its value was known last, since a gap starts the duration again. */
  seen_at: Instant.optional(),
  /** While it is on: the level that it entered at, which shows whether the threshold was changed since. */
  entered_at_level: z.number().optional(),
})
export type Condition = z.infer<typeof Condition>

/** Names a condition within its server: `disk_space:/var`. */
export function conditionKey({ kind, part }: Pick<Condition, 'kind' | 'part'>): string {
  return part === null ? kind : `${kind}:${part}`
}

const OF_PROCESSES: ReadonlySet<ConditionKind> = new Set(['memory', 'cpu', 'load', 'swap', 'iowait'])

/** Whether it is processes that bring the condition about, so that their names belong to it. */
export function isOfProcesses({ kind }: Pick<Condition, 'kind'>): boolean {
  return OF_PROCESSES.has(kind)
}
