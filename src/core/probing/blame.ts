/*
 * Whose fault a failed check is. The engine gathers the facts; this table judges them. A witness counts only for what
 * shares its way, so of everything that was reached lately only the realm of the target itself is looked at.
 */

/** How a check can fail without an answer of the application. */
export const FAILURES = [
  /** This machine lacked a descriptor, a port, memory or time. */
  'own means',
  /** This machine itself knows no way to the address: no route, no network, no address of the family. */
  'no way',
  /** Our name servers answer about nothing, the root included. */
  'name servers fail',
  /** The name servers find no address of this name. */
  'name fails',
  /** Something on the way, or the target, turned the connection away at once. */
  'refused',
  'silent',
] as const
export type Failure = (typeof FAILURES)[number]

/**
 * Places that share one way. Each address family of the internet is one, and so are the names of public domains. This machine
 * and private networks (`own network`) and the names that lead there (`inside`) are a way only to themselves.
 */
export const REALMS = ['own network', 'IPv4', 'IPv6', 'inside', 'names'] as const
export type Realm = (typeof REALMS)[number]

/** The realms that are ways out of this machine, and can be down as a whole. */
export const WAYS = ['IPv4', 'IPv6', 'names'] as const
export type Way = (typeof WAYS)[number]

/** Knowledge of the other targets of a realm, unrelated to the one that failed, since that failure began. */
export const REACHED = ['reached', 'not asked', 'not reached', 'nothing known'] as const
export type KnownOfOthers = (typeof REACHED)[number]

export type Facts = {
  failure: Failure
  /** The realms of the addresses that failed, or of the name: at most one of each address family. */
  realms: readonly Realm[]
  lately: Readonly<Record<Realm, KnownOfOthers>>
  /** Whether the name servers deny that the root exists, which none does that works. */
  root: 'not asked' | 'denied' | 'not denied'
  /** Our way was in trouble, or others fell silent, for a part of the time of this check. */
  mayBeOurs: boolean
  /** The target has been undecided for as long as it may be, while others of its realm answered all the time. */
  isOverdue: boolean
}

export type Blame = 'believed' | 'inconclusive' | 'ask witnesses' | 'ask the root'

/** The evidence that it takes to believe a failure. `never` also marks what cannot be. */
type Need = 'nothing' | 'a witness' | 'a witness, or the root' | 'a lasting witness' | 'never'

const NEEDS: Record<Failure, Record<Realm, Need>> = {
  'own means': row('never', 'never', 'never', 'never'),
  'no way': row('a lasting witness', 'a lasting witness', 'never', 'never'),
  'name servers fail': row('never', 'never', 'a lasting witness', 'a lasting witness'),
  'name fails': row('never', 'never', 'nothing', 'a witness, or the root'),
  refused: row('nothing', 'a witness', 'never', 'never'),
  silent: row('nothing', 'a witness', 'never', 'never'),
}

function row(own: Need, internet: Need, inside: Need, names: Need): Record<Realm, Need> {
  return { 'own network': own, IPv4: internet, IPv6: internet, inside, names }
}

/** Judges one failure by what is known so far, or says what to ask first. */
export function judgeBlame(facts: Facts): Blame {
  const { failure, realms, lately, root, mayBeOurs, isOverdue } = facts
  const needs = realms.map((realm) => NEEDS[failure][realm])
  if (needs.includes('nothing')) return 'believed'
  const asked = realms.filter((realm) => NEEDS[failure][realm] !== 'never')
  // One way that works is enough: a family that is lost here says nothing about a target that has both.
  const reached = REACHED.find((known) => asked.some((realm) => lately[realm] === known))
  if (reached === undefined) return 'inconclusive'
  if (isOverdue && reached === 'reached') return 'believed'
  if (needs.includes('a lasting witness') || mayBeOurs) return 'inconclusive'
  if (reached === 'not asked') return 'ask witnesses'
  if (reached === 'not reached') return 'inconclusive'
  if (reached === 'reached' || !needs.includes('a witness, or the root')) return 'believed'
  if (root === 'not asked') return 'ask the root'
  return root === 'denied' ? 'inconclusive' : 'believed'
}
