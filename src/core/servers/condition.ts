import * as z from 'zod'
import { Instant } from '../instant.ts'
import { ConditionKind } from './threshold.ts'

/**
 * A condition that is beginning, on, or ending. `since`: when its value crossed the level that counts now; `incident_id`
 * once it is on. Part of a server's stored state, so that a restart forgets nothing.
 */
export const Condition = z.object({
  kind: ConditionKind,
  /** The mount point, for a condition of file systems. */
  part: z.string().nullable(),
  phase: z.enum(['beginning', 'on', 'ending']),
  since: Instant,
  incident_id: z.int().nullable(),
  warns_only: z.boolean(),
})
export type Condition = z.infer<typeof Condition>

/** Names a condition within its server: `disk_space:/var`. */
export function conditionKey({ kind, part }: Pick<Condition, 'kind' | 'part'>): string {
  return part === null ? kind : `${kind}:${part}`
}
