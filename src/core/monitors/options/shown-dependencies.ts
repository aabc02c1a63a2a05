import * as z from 'zod'
import { CheckStatus } from '../check.ts'

export const MAX_DEPENDENTS_SHOWN = 100

const Named = z.object({ id: z.int(), name: z.string() })

/** The monitors above and below one, also by way of others, as its page and those of its incidents show them. */
export const MonitorDependencies = z.object({
  /** Those above that are down, or fail under maintenance: alerts wait for them. */
  holders: z.array(Named),
  /** Those below that are active, the ones first whose alert waits. */
  dependents: z.array(Named.extend({ status: CheckStatus, is_held: z.boolean() })),
  dependents_count: z.int(),
  /** Those of a group, in trouble first; none of other monitors. */
  members: z.array(Named.extend({ status: CheckStatus, is_active: z.boolean() })),
  members_count: z.int(),
})
export type MonitorDependencies = z.infer<typeof MonitorDependencies>

/** Whether the alert of an incident waits, or came to nobody: its subject flapped; `by`: the monitor that it waited for last. */
export const IncidentHold = z.object({
  is_untold: z.boolean(),
  is_flapping: z.boolean(),
  by: Named.nullable(),
})
export type IncidentHold = z.infer<typeof IncidentHold>
