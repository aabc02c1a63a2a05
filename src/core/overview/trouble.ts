import * as z from 'zod'
import { FLAPS } from '../alerting/flapping.ts'
import { Instant } from '../instant.ts'
import { SUBJECT_KINDS } from '../maintenance/subject-kind.ts'
import { CheckStatus } from '../monitors/check.ts'
import { Holder } from '../on-call/acknowledgement.ts'

export const TroubledKind = z.enum(SUBJECT_KINDS)
export type TroubledKind = z.infer<typeof TroubledKind>

/** A subject that is down or degraded, or a monitor that cannot be judged; with the reason. */
export const Troubled = z.object({
  kind: TroubledKind,
  id: z.int(),
  name: z.string(),
  status: CheckStatus,
  since: Instant,
  ...FLAPS,
  reason: z.string().nullable(),
  /** The target of a monitor; null for a heartbeat. */
  target: z.string().nullable(),
  /** Null if nobody has its incident, or without one. */
  acknowledgement: Holder.nullable(),
})
export type Troubled = z.infer<typeof Troubled>

/** All that fails for one cause; a single subject is a group of its own. */
export const TroubleGroup = z.object({
  /** The same group has the same key in every answer. */
  key: z.string(),
  kind: TroubledKind,
  status: CheckStatus,
  /** The reason that they have in common. */
  cause: z.string().nullable(),
  /** The address or host that they have in common. */
  place: z.string().nullable(),
  /** When the newest one began, which decides the order. */
  since: Instant,
  /** When the first one began: the age of the trouble, however many follow. */
  began: Instant,
  ids: z.array(z.int()),
  /** The number of those whose incident somebody has. */
  acknowledged: z.int(),
  /** The number of those that flap. */
  flapping: z.int(),
  /** Newest first, and limited; `ids` has them all. */
  subjects: z.array(Troubled),
})
export type TroubleGroup = z.infer<typeof TroubleGroup>
