import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Blame,
  FAILURES,
  type Facts,
  type Failure,
  judgeBlame,
  REACHED,
  REALMS,
  type Realm,
} from '../../../src/core/probing/blame.ts'

/*
 * The oracle says the same as the section on failures in other words: as reasons, the first of which that applies
 * decides. It knows nothing of the table.
 */

const NETWORKS: Realm[] = ['own network', 'IPv4', 'IPv6']
const INTERNET: Realm[] = ['IPv4', 'IPv6']

type Case = Facts & {
  /** Another target that shares a way with the failure answered. */
  hasWitness: boolean
  isOfNetworks: boolean
  isOfNames: boolean
}

const is =
  (...failures: Failure[]) =>
  (given: Case) =>
    failures.includes(given.failure)
const both =
  (...all: ((given: Case) => boolean)[]) =>
  (given: Case) =>
    all.every((one) => one(given))
const known = (reached: Facts['lately'][Realm]) => (given: Case) =>
  given.realms.some((realm) => given.lately[realm] === reached)

const REASONS: [reason: string, applies: (given: Case) => boolean, verdict: Blame][] = [
  ['what this machine lacks itself is never the target’s', is('own means'), 'inconclusive'],
  [
    'a name has no connection',
    both(is('no way', 'refused', 'silent'), (one) => one.isOfNames),
    'inconclusive',
  ],
  [
    'an address needs no name server',
    both(is('name fails', 'name servers fail'), (one) => one.isOfNetworks),
    'inconclusive',
  ],
  [
    'nothing is undecided for longer than it may be while others answer over the same way',
    both(is('no way', 'name servers fail'), (one) => one.isOverdue && one.hasWitness),
    'believed',
  ],
  [
    'a machine without a way, or without name servers, can say nothing of targets yet',
    is('no way', 'name servers fail'),
    'inconclusive',
  ],
  [
    'loopback, private networks and names inside are believed as they are',
    (one) => one.realms.some((realm) => realm === 'own network' || realm === 'inside'),
    'believed',
  ],
  ['after the bound a witness is enough', (one) => one.isOverdue && one.hasWitness, 'believed'],
  ['a moment that others shared, or in our trouble, is tried again', (one) => one.mayBeOurs, 'inconclusive'],
  ['a witness over the same way', (one) => one.hasWitness, 'believed'],
  ['those that were well lately are asked first', known('not asked'), 'ask witnesses'],
  ['what fails while nothing else can be reached is ours', known('not reached'), 'inconclusive'],
  ['a single network offers no further evidence', (one) => one.isOfNetworks, 'believed'],
  ['for a name there is still the root', (one) => one.root === 'not asked', 'ask the root'],
  ['who denies the root is sick', (one) => one.root === 'denied', 'inconclusive'],
  ['and who does not is believed', () => true, 'believed'],
]

function expected(given: Case): (typeof REASONS)[number] {
  return REASONS.find(([, applies]) => applies(given)) as (typeof REASONS)[number]
}

/** Everything that may have been reached lately, of each realm. */
function* whatWasReached(): Generator<Facts['lately']> {
  for (const own of REACHED)
    for (const IPv4 of REACHED)
      for (const IPv6 of REACHED)
        for (const inside of REACHED)
          for (const names of REACHED) yield { 'own network': own, IPv4, IPv6, inside, names }
}

const TARGETS: Realm[][] = [...REALMS.map((realm) => [realm]), INTERNET, ['own network', 'IPv4']]

/** Every failure of every target with every evidence. */
function* allCases(evidence: Iterable<Facts['lately']>): Generator<Case> {
  const all = [...evidence]
  for (const realms of TARGETS) {
    const isOfNetworks = realms.every((realm) => NETWORKS.includes(realm))
    const target = { realms, isOfNetworks, isOfNames: !isOfNetworks }
    for (const failure of FAILURES)
      for (const lately of all) {
        const hasWitness = realms.some((realm) => lately[realm] === 'reached')
        for (const root of ['not asked', 'denied', 'not denied'] as const)
          for (const mayBeOurs of [false, true])
            for (const isOverdue of [false, true])
              yield { ...target, failure, lately, hasWitness, root, mayBeOurs, isOverdue }
      }
  }
}

describe('the table of blame', () => {
  it('judges every failure of every target with every evidence as the rules in words do', () => {
    const used = new Set<string>()
    const wrong: string[] = []
    let cases = 0
    for (const facts of allCases(whatWasReached())) {
      const [reason, , verdict] = expected(facts)
      used.add(reason)
      cases++
      const judged = judgeBlame(facts)
      if (judged !== verdict) wrong.push(`${judged}, not ${verdict} (${reason}): ${JSON.stringify(facts)}`)
    }
    assert.deepEqual(wrong.slice(0, 5), [])
    assert.equal(cases, FAILURES.length * TARGETS.length * REACHED.length ** REALMS.length * 3 * 4)
    assert.deepEqual(
      REASONS.map(([reason]) => reason).filter((reason) => !used.has(reason)),
      [],
    )
  })

  it('looks at nothing that was reached over another way', () => {
    const none = Object.fromEntries(REALMS.map((realm) => [realm, 'nothing known'])) as Facts['lately']
    const leaks = new Set<string>()
    for (const facts of allCases([none]))
      for (const realm of REALMS.filter((other) => !facts.realms.includes(other)))
        for (const reached of REACHED)
          if (judgeBlame({ ...facts, lately: { ...none, [realm]: reached } }) !== judgeBlame(facts))
            leaks.add(`${facts.failure} of ${facts.realms} by ${realm}`)
    assert.deepEqual([...leaks], [])
  })
})
