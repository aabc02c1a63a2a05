import {
  type Blame,
  type Facts,
  judgeBlame,
  type KnownOfOthers,
  type Realm,
} from '../../core/probing/blame.ts'
import type { Target } from './known-targets.ts'
import type { Sharing } from './lulls.ts'
import type { PlacedFailure } from './realms.ts'
import type { Failing } from './undecided.ts'
import { isWay, type PeerEvidence, type Ways, wayTo } from './ways.ts'

/** A silence that several others shared is believed at the next attempt. */
const SHARED_SILENCES = 1
/** While nothing at all answers for a while, again and again, a few attempts more are needed to meet a better time. */
const LULLS_IN_A_ROW = 3

const FAMILIES = ['IPv4', 'IPv6'] as const

export type Weighed = { verdict: Blame; facts: Facts; sharing: Sharing }

export type FactsDeps = {
  ways: Ways
  /** Whether the name server that knew no such name denies the root as well; resolves soon after the signal aborts. */
  isRootDenied: (name: string, signal: AbortSignal) => Promise<boolean>
  monotonicMs: () => number
  others: () => Promise<PeerEvidence[]>
}

/** Judges failures by the table of blame, and asks for what it wants to know first. */
export function createFactGatherer({ ways, isRootDenied, monotonicMs, others }: FactsDeps) {
  return async (
    target: Target,
    { failure, failing, isSilence }: PlacedFailure,
    name: string,
    startedMs: number,
    signal: AbortSignal,
  ): Promise<Weighed> => {
    const isShareable = isSilence && failing.some(({ realm }) => isWay(realm))
    const usual = isShareable ? noteSilence(target) : []
    let facts: Facts = {
      ...{ failure, realms: failing.map(({ realm }) => realm), root: 'not asked', isOverdue: false },
      lately: latelyOf(failing, () => 'not asked'),
      mayBeOurs: wereInTrouble(failing, startedMs),
    }
    let verdict = judgeBlame(facts)
    while (verdict === 'ask witnesses' || verdict === 'ask the root') {
      if (verdict === 'ask witnesses') facts = await askWitnesses(facts, failing, startedMs, signal)
      else facts = await askRoot(facts, failing, name, startedMs, signal)
      verdict = judgeBlame(facts)
    }
    // The name servers leave one alone that denies everything, so that the next attempt asks a better one.
    if (failure === 'name fails' && facts.lately.names === 'not reached') await isRootDenied(name, signal)
    if (verdict !== 'believed' || !isShareable) return { verdict, facts, sharing: 'none' }
    const sharing = await sharingOf(target, failing, usual, startedMs)
    if (sharing !== 'none') facts = { ...facts, mayBeOurs: true }
    return { verdict: judgeBlame(facts), facts, sharing }
  }

  async function askWitnesses(
    facts: Facts,
    failing: readonly Failing[],
    startedMs: number,
    signal: AbortSignal,
  ): Promise<Facts> {
    const looks = failing.map(({ realm, place }) =>
      isWay(realm) ? ways[realm].look(place, signal) : 'nothing known',
    )
    const known = await Promise.all(looks)
    const lately = latelyOf(failing, (index) => known[index] ?? 'nothing known')
    const telling = failing.filter(({ realm }) => lately[realm] === 'reached')
    return { ...facts, lately, mayBeOurs: wereInTrouble(telling.length > 0 ? telling : failing, startedMs) }
  }

  async function askRoot(
    facts: Facts,
    failing: readonly Failing[],
    name: string,
    startedMs: number,
    signal: AbortSignal,
  ): Promise<Facts> {
    const isDenied = await isRootDenied(name, signal)
    if (!isDenied) ways.names.noteWell()
    return {
      ...facts,
      root: isDenied ? 'denied' : 'not denied',
      mayBeOurs: wereInTrouble(failing, startedMs),
    }
  }

  /**
   * A target fell silent that was well until now: it is no measure for the silence of others until it answers again.
   * Returns where it was reached last.
   */
  function noteSilence(target: Target): string[] {
    if (target.usual === null) return []
    const { network } = target.usual
    ways[wayTo(network)].lulls.noteStumble(network, monotonicMs())
    target.usual = null
    return [network]
  }

  /** How far others shared a silence, as far as that still excuses it. Look-ups share the line with both families. */
  async function sharingOf(
    target: Target,
    failing: readonly Failing[],
    usual: readonly string[],
    startedMs: number,
  ): Promise<Sharing> {
    if (target.excused >= LULLS_IN_A_ROW) return 'none'
    const isFirst = target.excused < SHARED_SILENCES
    const peers = isFirst ? await others() : []
    const own = [...failing.map(({ place }) => place), ...usual]
    const shared = FAMILIES.filter((way) =>
      failing.some(({ realm }) => realm === way || realm === 'names'),
    ).map((way) =>
      ways[way].lulls.sharing(
        own,
        startedMs,
        peers.flatMap((peer) => peer[way].stumbles),
      ),
    )
    if (shared.includes('all')) return 'all'
    return isFirst && shared.includes('some') ? 'some' : 'none'
  }

  function wereInTrouble(failing: readonly Failing[], startedMs: number): boolean {
    const troubled = failing.flatMap(({ realm }) => (isWay(realm) ? ways[realm].wasInTrouble(startedMs) : []))
    return troubled.length > 0 && troubled.every(Boolean)
  }
}

/** The same facts once others of these realms have answered for as long as anything may be undecided. */
export function overdue(facts: Facts, failing: readonly Failing[]): Facts {
  return { ...facts, lately: latelyOf(failing, () => 'reached'), isOverdue: true }
}

/** The facts about realms where nothing failed are not asked for: they count for nothing. */
function latelyOf(failing: readonly Failing[], reached: (index: number) => KnownOfOthers): Facts['lately'] {
  const lately: Record<Realm, KnownOfOthers> = {
    ...{ 'own network': 'nothing known', IPv4: 'nothing known', IPv6: 'nothing known' },
    ...{ inside: 'nothing known', names: 'nothing known' },
  }
  for (const [index, { realm }] of failing.entries()) lately[realm] = reached(index)
  return lately
}
