import { LOOK_EVERY_MS, type SiteArea } from './area.ts'
import type { AreaLook } from './area-look.ts'
import type { AreaStanding } from './verdict.ts'

const MINUTE_MS = 60_000

/**
 * From a look that finds an area down to the one that decides. A single look may have met the one bad server of many, or a
 * registry in trouble, and the next one by schedule is far away. A home page is looked at three times at once instead.
 */
export const SECOND_LOOK_MS = { certificate: 5 * MINUTE_MS, dns: LOOK_EVERY_MS.dns, domain: 60 * MINUTE_MS }
/** A look counts as the second one this much before its time: schedules and clocks are not that exact. */
const EARLY = 0.9
/** Times SECOND_LOOK_MS, after which a doubt that no look could settle is too old to count. */
const OLD = 4

/** Trouble that one look has seen, and that the next one is to confirm. */
export type Doubt = { cause: string; since: Date }

/**
 * Whether a look counts. The first one that finds an area down does not: nothing is known from it, and what was remembered
 * stays. `doubt` is to be kept until the next look.
 */
export function awaitSecondLook<Memory extends object>(
  before: Pick<AreaStanding, 'area' | 'status' | 'hasOpenIncident'> & {
    doubt: Doubt | null
    memory: Memory
  },
  look: AreaLook<Memory>,
  at: Date,
): { look: AreaLook<Memory>; doubt: Doubt | null } {
  const waitMs = secondLookMs(before.area)
  if (waitMs === null) return { look, doubt: null }
  const known = before.doubt !== null && ageMs(before.doubt, at) <= OLD * waitMs ? before.doubt : null
  if (look.status === 'pending') return { look, doubt: known }
  if (look.status !== 'down') return { look, doubt: stillOf(look.doubt, known, at) }
  if (before.hasOpenIncident || before.status === 'down' || before.status === 'maintenance')
    return { look, doubt: null }
  if (known !== null && ageMs(known, at) >= EARLY * waitMs) return { look, doubt: null }
  const cause = look.cause ?? ''
  return {
    look: { status: 'pending', cause, memory: before.memory, warning: null },
    doubt: { cause, since: known?.since ?? at },
  }
}

/** Null for areas that a single look decides. */
export function secondLookMs(area: SiteArea): number | null {
  return area in SECOND_LOOK_MS ? SECOND_LOOK_MS[area as keyof typeof SECOND_LOOK_MS] : null
}

function stillOf(cause: string | null | undefined, known: Doubt | null, at: Date): Doubt | null {
  if (!cause) return null
  return { cause, since: known?.cause === cause ? known.since : at }
}

function ageMs({ since }: Doubt, at: Date): number {
  return at.getTime() - since.getTime()
}
