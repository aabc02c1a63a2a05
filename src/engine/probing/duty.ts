import type { Turns } from '../../core/probing/turns.ts'

/** Under what a process checks, as it was told at its last renewal. */
export type Duty = {
  /** Whose findings these are; null where nobody else could check the same. */
  membership: number | null
  /** Without news until then somebody else may be checking already: nothing is begun. */
  validUntilMs: number
  turns: Turns
}
