import type { Turns } from '../../core/probing/turns.ts'

/** The terms on which a process checks, as of the last renewal of its membership. */
export type Assignment = {
  /** The membership that findings are recorded under; null where no other process could check the same. */
  membership: number | null
  /** After this, without news, another process may already be checking: no check is begun. */
  validUntilMs: number
  turns: Turns
}
