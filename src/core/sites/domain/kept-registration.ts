import type { FoundStatus } from '../../monitors/check.ts'
import { LOOK_EVERY_MS } from '../area.ts'
import type { AreaLook } from '../area-look.ts'
import { AGAIN_MS, WHILE_DOWN_MS } from '../look-schedule.ts'
import { DomainMemory, judgeDomain, judgeRegistered } from './expiry.ts'
import type { Registration } from './registration.ts'

/** A domain with an ending registration is asked for so often, so that its renewal is seen soon. */
const WHILE_ENDING_MS = 3_600_000

/** The word of a registry about a domain, as it is kept between two questions. */
export type KeptRegistration = {
  domain: string
  look: AreaLook<DomainMemory>
  /** The reason why nothing was learnt this time; null where something was. */
  trouble: string | null
  /** Questions in a row of which nothing was learnt. */
  troubles: number
}

/** The word about a domain that is kept once its registry was asked again. */
export function keepRegistration(
  domain: string,
  registration: Exclude<Registration, { kind: 'none' }>,
  before: KeptRegistration | null,
  now: Date,
): KeptRegistration {
  const known = before?.look.memory ?? DomainMemory.parse({})
  const look = judgeDomain({ domain, registration, byHand: null }, { ...known, warned: null }, now)
  const trouble = registration.kind === 'unknown' ? registration.reason : null
  return { domain, look, trouble, troubles: trouble === null ? 0 : (before?.troubles ?? 0) + 1 }
}

/** The milliseconds for which a registry is not asked again: as often as a site asks, and sooner while there is trouble. */
export function holdsMs({ look, troubles }: KeptRegistration): number {
  if (troubles > 0) return Math.min(WHILE_DOWN_MS.domain * 2 ** Math.min(troubles - 1, 10), AGAIN_MS.domain)
  if (look.status === 'down') return WHILE_DOWN_MS.domain
  if (look.doubt) return AGAIN_MS.domain
  return look.status === 'degraded' ? WHILE_ENDING_MS : LOOK_EVERY_MS.domain
}

/** The meaning of what is kept now, for a monitor that warns so many days before the end. */
export function judgeKept(
  { domain, look, trouble }: KeptRegistration,
  warningDays: number,
  now: Date,
): { status: FoundStatus; cause: string | null } {
  const { memory, status, cause } = look
  if (status === 'pending') return { status, cause: trouble ?? cause }
  if (memory.expires_at === null)
    return { status, cause: status === 'up' ? 'the registry does not publish when it ends' : cause }
  return judgeRegistered(domain, memory, now, { warnDays: [warningDays] })
}
