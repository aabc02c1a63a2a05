import { setTimeout as delay } from 'node:timers/promises'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { randomFrom } from '../support/history/checks.ts'
import type { Scope } from '../support/scope.ts'
import { gatherEvidence, isSettled } from './evidence.ts'
import { FAULTS, type Fault, type FaultKind, possibleKinds, suffer, victimsOf } from './faults.ts'
import type { Evidence } from './logs.ts'
import { isToldDown } from './sites/rows.ts'
import { buildWorld, type Plan, type World } from './world.ts'

const POLL_MS = 500

export type Orders = Plan & {
  seed: number
  faults: number
  /** How many things may be broken at once. */
  atOnce: number
  /** Bounds what each kind has for itself. */
  longestFaultMs: number
  /** After each fault, before whatever broke it breaks something else. */
  longestPauseMs: number
  /** After so many faults nothing is broken for a while, so that what is missed or doubled then has no excuse. */
  roundOf: number
  /** Resolves when that while is over. */
  quiet: (world: World) => Promise<void>
  slackMs: number
  /** Which kinds are wanted, of those that the machine allows. */
  wanted: (kind: FaultKind) => boolean
}

export type Run = {
  evidence: Evidence
  faults: Fault[]
  /** The faults that were wanted and possible. */
  kinds: FaultKind[]
  /** Everything was up and told in the end. */
  settled: boolean
  world: World
}

/** Builds a world, breaks it as often as told, lets it recover, and gathers what everybody wrote down. */
export async function runHostile(scope: Scope, orders: Orders, note: (text: string) => void): Promise<Run> {
  const kinds = possibleKinds(orders.machine, orders.wanted)
  if (kinds.length === 0) throw new Error('None of the wanted faults is possible on this machine.')
  const world = await buildWorld(scope, orders, note)
  const fromMs = Date.now()
  const random = randomFrom(orders.seed)
  world.targets.begin(world.pages, randomFrom(orders.seed + 1))
  world.jobs.begin(world.addresses, randomFrom(orders.seed + 2))
  world.people?.begin(randomFrom(orders.seed + 3))
  world.machines.begin(world.servers, world.direct, randomFrom(orders.seed + 4))
  world.websites.begin(world.sites, world.direct, randomFrom(orders.seed + 5))
  const faults: Fault[] = []
  const deck = drawFrom(kinds, random)
  while (faults.length < orders.faults) {
    const most = Math.min(orders.roundOf, orders.faults - faults.length)
    await oneRound(world, orders, deck, random, most, (fault) => {
      faults.push(fault)
      const tookMs = fault.toMs - fault.fromMs
      note(
        `${faults.length} of ${orders.faults}: ${fault.kind} (${fault.victim}), ${(tookMs / 1_000).toFixed(1)} s`,
      )
    })
    note('nothing is broken for a while')
    await orders.quiet(world)
  }
  await world.people?.end()
  note('the home page of each site fails once more, until that is told')
  const deadlineMs = Date.now() + HANG_GUARD_MS
  const wereTold = await world.websites.failAtLast(({ id }) => isToldDown(world.direct, id), deadlineMs)
  await world.websites.calm()
  await world.targets.calm()
  world.jobs.calm()
  world.machines.calm()
  note('waiting until all is up and told')
  const settled = (await waitUntilSettled(world)) && wereTold
  await world.machines.end()
  await world.websites.end()
  const evidence = await gatherEvidence(world, faults, fromMs, orders)
  return { evidence, faults, kinds, settled, world }
}

/** Several lanes break things at the same time, never one thing in two ways. */
async function oneRound(
  world: World,
  { atOnce, longestFaultMs, longestPauseMs }: Orders,
  draw: () => FaultKind,
  random: () => number,
  most: number,
  note: (fault: Fault) => void,
): Promise<void> {
  const held = new Set<string>()
  let left = most
  const lane = async () => {
    while (left > 0) {
      const kind = draw()
      const free = victimsOf(kind, world).filter((victim) => !held.has(victim))
      const victim = free[Math.trunc(random() * free.length)]
      if (victim !== undefined) {
        left--
        held.add(victim)
        note(await suffer(kind, victim, world, { longestFaultMs, random }))
        // Followers catch up for a while after the fault is over.
        if (victim === 'the database') await world.database.ensureWhole()
        held.delete(victim)
      }
      await delay(random() * longestPauseMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** Every kind as often as its share says, compared with the others, in an order that only the seed knows. */
function drawFrom(kinds: FaultKind[], random: () => number): () => FaultKind {
  const common = kinds.map((kind) => FAULTS[kind].share).reduce(greatestDivisor)
  const all = kinds.flatMap((kind) => new Array<FaultKind>(FAULTS[kind].share / common).fill(kind))
  let deck: FaultKind[] = []
  return () => {
    if (deck.length === 0) deck = [...all]
    return deck.splice(Math.trunc(random() * deck.length), 1)[0] as FaultKind
  }
}

/** The greatest common one of both numbers. */
function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/** Tells whether each target has been asked twice from now on: what it answered first is on record then. */
export function watchRecord({ targets, pages }: World): () => boolean {
  const from = targets.answers.length
  return () => {
    const asked = Map.groupBy(targets.answers.slice(from), ({ monitor }) => monitor)
    return pages.every((number) => (asked.get(number)?.length ?? 0) >= 2)
  }
}

async function waitUntilSettled(world: World): Promise<boolean> {
  const deadline = Date.now() + HANG_GUARD_MS
  const isOnRecord = watchRecord(world)
  while (!isOnRecord() || !(await isSettled(world))) {
    if (Date.now() > deadline) return false
    await delay(POLL_MS)
  }
  return true
}
