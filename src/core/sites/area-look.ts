import type { FoundStatus } from '../monitors/check.ts'
import type { AreaFindings } from './crawl-digest.ts'
import type { CutReason } from './cut-reason.ts'

/**
 * The meaning of a look at an area, before incidents and maintenance are considered. Each area has a pure function from what was
 * found, what was remembered and the time to this.
 */
export type AreaLook<Memory extends object> = {
  /** `pending`: nothing is known this time, so the area stays what it was. */
  status: FoundStatus
  /** One sentence: why it is not up, or what is known. */
  cause: string | null
  /** The cause as data, where it is that a crawl is not whole. */
  causeReasons?: readonly CutReason[]
  /** Kept for the next look. */
  memory: Memory
  /** A warning to send now, besides what follows from the status: the next threshold, a change, a digest. */
  warning: string | null
  /** Trouble, short of down, that the next look is to confirm before it is told. */
  doubt?: string | null
  /** The findings of a crawl that its alert names. */
  findings?: AreaFindings
}
