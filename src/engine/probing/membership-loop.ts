import { SLOTS } from '../../core/probing/slot.ts'
import { regionsAt, type Turns, turnsOfOnly } from '../../core/probing/turns.ts'
import { wait } from '../../postgres/delays.ts'
import { type LoopReports, startLoop } from '../../postgres/loop.ts'
import type { Renewal } from '../../store/probing/memberships.ts'
import type { Registry } from '../../store/probing/registry.ts'
import type { CheckingThreads } from '../threads/checking-threads.ts'
import type { Clock } from './clock.ts'
import { createClockWatch } from './clock-watch.ts'
import { createRenewalValidity } from './renewal-validity.ts'
import { createScheduleReading, type OwnShare, type ScheduleReading } from './schedule-reading.ts'
import { createSlotHandOver, HAND_OVER_GRACE_MS } from './slot-hand-over.ts'

/** How long a membership lasts that is not renewed. */
export const LEASE_SECONDS = 4
const RENEW_MS = 1_000
const RENEW_AGAIN_MS = 250
const POLL_EVERY_RENEWALS = 10
/** How long the end of a process waits for others to take over. */
const LEAVE_MS = 9_000
const LEAVE_POLL_MS = 50
const TAKEN_OVER =
  'others have taken over what this process checked, because nothing was heard of it: it joins again'
const CANNOT_RECORD =
  'this process cannot record what it finds: it leaves its monitors to others until it can, and joins again then'
const ALL_SLOTS = Array.from({ length: SLOTS }, (_, slot) => slot)

export type Prober = {
  /** Reads these monitors again; null: all that changed lately. */
  changed(ids: number[] | null): void
  /** A region is asked to confirm a failure; null: some may be. */
  confirm(region: string | null): void
  /** Slots have moved, or turns have changed. */
  wake(): void
  /** Hands the whole schedule over to the threads anew; resolves when that is done, or did not work. */
  reload(): Promise<void>
  /** The sites that it may look at besides monitors; null while it has nothing, or the database has not confirmed that lately. */
  readonly holding: HeldSlots | null
  /** Whether what it holds is checked: the database has confirmed it lately, the schedule could be read, and every thread runs. */
  readonly healthy: boolean
  /** Waits for others to take over, and they can: the database answers. */
  readonly isLeaving: boolean
  /** Hands over to others, where there are any, and stops. */
  close(): Promise<void>
}

/** A part of everything that is watched, held by one membership. */
export type HeldSlots = { membership: number; slots: number[]; turns: Turns }

export type ProberDeps = {
  registry: Registry
  region: string
  host: string
  pid: number
  clock: Clock
  monotonicMs: () => number
  wallMs: () => number
  checking: CheckingThreads
  note: (message: string) => void
  /** How long it goes on with its last slots while no renewal succeeds; 0: only where no other process could. */
  enduresMs?: number
  /** False while what it finds cannot be recorded here, and perhaps elsewhere. */
  mayHold?: () => boolean
} & LoopReports

function heldBy(own: OwnShare | null, turns: Turns): HeldSlots | null {
  return own && { membership: own.holder, slots: own.slots, turns }
}

/** Null while a process has no slots to check. */
function stayingShare(
  holder: number | null,
  slots: Iterable<number>,
  isLeaving: (slot: number) => boolean,
): OwnShare | null {
  const staying = [...slots].filter((slot) => !isLeaving(slot))
  return holder === null || staying.length === 0 ? null : { holder, slots: staying }
}

/** Keeps one membership alive, checks the monitors of its slots, and hands slots over that others are to have. */
export function createProber(deps: ProberDeps): Prober {
  const { registry, region, clock, checking, monotonicMs, onTrouble, enduresMs = 0 } = deps
  let renewals = 0
  let membership: number | null = null
  let turns: Turns = turnsOfOnly(region)
  let slots = new Set<number>()
  let turnsFollowed = 0
  /** The last renewal was held up by the service: the next one need not wait here. */
  let wasHeld = false
  let others = 0
  let isLeaving = false
  const handOver = createSlotHandOver({ ...deps, reading: () => reading, slots: () => slots })
  const share = () => stayingShare(membership, slots, handOver.isLeaving)
  const reading: ScheduleReading = createScheduleReading({ ...deps, share })
  const followClock = createClockWatch(deps)
  const validity = createRenewalValidity(monotonicMs, enduresMs)
  const isCurrent = () => membership !== null && monotonicMs() < validity.untilMs
  /** Until others have all its slots, or all its turns. */
  const isNeeded = () => slots.size > 0 && regionsAt(turns, clock.now().getTime()).includes(region)

  async function takePart(): Promise<number> {
    const renewed = await renew().catch((error) => {
      onTrouble(error)
      return false
    })
    if (renewals++ % POLL_EVERY_RENEWALS === 0) reading.changed('recent')
    return !renewed ? RENEW_AGAIN_MS : wasHeld ? 0 : RENEW_MS
  }

  async function renew(): Promise<boolean> {
    // One that is alone goes on: nobody else could do better.
    if (deps.mayHold?.() === false && (membership === null || others > 0)) return await giveUp()
    membership ??= await registry.join(deps)
    const askedMs = monotonicMs()
    const renewal = await registry.renew(membership, slots)
    if (renewal === null) {
      lose(TAKEN_OVER)
      return false
    }
    wasHeld = renewal.heldMs !== undefined
    const sentMs = askedMs + (renewal.heldMs ?? 0)
    followClock({ sentMs, receivedMs: monotonicMs(), databaseMs: renewal.databaseMs })
    turns = renewal.turns ?? turns
    others = renewal.others
    validity.renew(sentMs, others === 0)
    assign()
    follow(renewal)
    handOver.begin(membership, renewal.wanted)
    if (renewal.isAsked) checking.confirm()
    if (renewal.changed === null) reading.changed('recent')
    else if (renewal.changed?.length) reading.changed(renewal.changed)
    return true
  }

  /** Where leaving fails, the membership ends by itself seconds later. */
  async function giveUp(): Promise<true> {
    const former = membership
    wasHeld = false
    if (former === null) return true
    lose(CANNOT_RECORD)
    await registry.leave(former).catch(onTrouble)
    return true
  }

  /** Another process has the slots: no check that is under way counts any more. */
  function lose(why: string) {
    deps.note(why)
    membership = null
    validity.end()
    slots = new Set()
    handOver.reset()
    reading.drop(ALL_SLOTS)
  }

  function assign() {
    checking.assign({ membership, validUntilMs: validity.untilMs + clock.offsetMs, turns }, clock.offsetMs)
  }

  /** Findings are recorded later, where others leave room for them. */
  function goOnWithoutDatabase() {
    if (validity.extend() && membership !== null) assign()
  }

  function follow(renewal: Renewal) {
    const held = renewal.slots ? new Set(renewal.slots) : slots
    const gained = [...held.difference(slots)]
    const gone = [...slots.difference(held)].filter((slot) => !handOver.isLeaving(slot))
    slots = held
    if (gone.length > 0) reading.drop(gone)
    // Slots that could not be read before are tried again.
    void reading.read(gained)
    // Where a region is gone, the checks that it was asked for and has not made may be ours now.
    const turned = turns.number !== turnsFollowed && turns.effectiveAtMs <= clock.now().getTime()
    if (!turned) return
    turnsFollowed = turns.number
    reading.changed('waiting')
  }

  async function leaveInOrder() {
    if (membership === null || others === 0) return
    isLeaving = true
    await registry.announceLeaving(membership)
    const deadlineMs = monotonicMs() + LEAVE_MS
    while (membership !== null && monotonicMs() < deadlineMs && others > 0 && isNeeded())
      await wait(LEAVE_POLL_MS)
    if (slots.size > 0) await checking.handOver([...slots], clock.now().getTime(), HAND_OVER_GRACE_MS)
  }

  reading.drop(ALL_SLOTS)
  const loop = startLoop({ ...deps, work: takePart })
  const ticking = setInterval(goOnWithoutDatabase, RENEW_MS)

  return {
    changed: (ids) => reading.changed(ids ?? 'recent'),
    confirm(asked) {
      if (asked === null || asked === region) checking.confirm()
    },
    wake: loop.wake,
    reload: () => reading.read(slots),
    get holding() {
      return heldBy(isCurrent() ? share() : null, turns)
    },
    get healthy() {
      return isCurrent() && !reading.failing && checking.running
    },
    get isLeaving() {
      return isLeaving && isCurrent()
    },
    async close() {
      await leaveInOrder().catch(onTrouble)
      isLeaving = false
      clearInterval(ticking)
      await loop.close()
      await handOver.settled()
      await reading.close()
      await checking.close()
      if (membership !== null) await registry.leave(membership).catch(onTrouble)
    },
  }
}
