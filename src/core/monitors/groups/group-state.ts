import * as z from 'zod'
import { phrase } from '../../language/phrase.ts'
import { cutCause } from '../cause.ts'
import { type CheckResult, type CheckStatus, passes } from '../check.ts'

export const MAX_PERCENT = 100
/** The bound of the members of one group. */
export const MAX_MEMBERS = 500
/** How many members that are down a cause names. */
const MAX_NAMED = 5

const Count = z.int().min(1).max(MAX_MEMBERS)
const Percent = z.int().min(1).max(MAX_PERCENT)

/** How many members must be up for a group to be up. */
export const GroupRule = z.union(
  [
    z.enum(['all', 'any']),
    z.strictObject({ at_least: Count.describe('So many members must be up.') }),
    z.strictObject({ percent: Percent.describe('This share of the members must be up.') }),
  ],
  { error: phrase('must be all, any, or an object with at_least or percent, got {got}') },
)
export type GroupRule = z.infer<typeof GroupRule>

/** A member as its group sees it. A paused one has no status that counts. */
export type MemberState = { name: string; status: CheckStatus; isActive: boolean }

/**
 * The result of a group from the states of its members, in the order in which a cause names them. Members that are paused, in
 * maintenance or pending do not count, and nobody misses them: where fewer count than must be up, all of those must be. Where
 * none counts the group is pending, and a failure that was told before is over unless its members fail as planned.
 */
export function groupResult(rule: GroupRule, members: readonly MemberState[]): CheckResult {
  const active = members.filter(({ isActive }) => isActive)
  const down = active.filter(({ status }) => status === 'down')
  const counted = down.length + active.filter(({ status }) => passes(status)).length
  if (counted === 0) {
    const isPlanned = active.some(({ status }) => status === 'maintenance')
    return { ...NOTHING_MEASURED, status: 'pending', errorMessage: NOBODY_COUNTS, membersLeave: !isPlanned }
  }
  const words = down.length > 0 ? wordsOf(down, counted) : null
  return counted - down.length >= neededOf(rule, counted)
    ? { ...NOTHING_MEASURED, status: 'up', errorMessage: null, ...(words !== null && { note: words }) }
    : { ...NOTHING_MEASURED, status: 'down', errorMessage: words }
}

export const NOBODY_COUNTS = 'no member is up or down'

const NOTHING_MEASURED = { responseTimeMs: null, httpStatusCode: null, phases: null, certificate: null }

/** How many of those that count must be up. */
function neededOf(rule: GroupRule, counted: number): number {
  if (rule === 'all') return counted
  if (rule === 'any') return 1
  if ('at_least' in rule) return Math.min(rule.at_least, counted)
  return Math.ceil((rule.percent * counted) / MAX_PERCENT)
}

/** `3 of 5 down: Checkout, Search, Login`. */
function wordsOf(down: readonly MemberState[], counted: number): string {
  const named = down.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = down.length > MAX_NAMED ? ', …' : ''
  return cutCause(`${down.length} of ${counted} down: ${named.join(', ')}${more}`)
}
