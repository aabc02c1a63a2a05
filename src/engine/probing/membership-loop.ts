import { setTimeout as delay } from 'node:timers/promises'
import type { ClockSample } from '../../core/probing/clock.ts'
import { SLOTS } from '../../core/probing/slot.ts'
import { aloneIn, regionsAt, type Turns } from '../../core/probing/turns.ts'
import type { Renewal } from '../../store/probing/memberships.ts'
import type { Registry } from '../../store/probing/registry.ts'
import type { Checking } from './checking-threads.ts'
import type { Clock } from './clock.ts'
import { createScheduleReading, type OwnShare } from './schedule-reading.ts'

/** How long a membership lasts that is not renewed. */
export const LEASE_SECONDS = 4
const RENEW_MS = 1_000
const RENEW_AGAIN_MS = 250
/** How long after a renewal checks are begun: shorter than the lease, and than turns are known before they count. */
const VALID_MS = 3_000
const POLL_EVERY_RENEWALS = 10
/** Until then all threads have heard which ticks are not theirs any more. */
const HAND_OVER_AFTER_MS = 100
/** How long checks under way hold up a hand-over. */
const PATIENCE_MS = 4_000
/** How long the end of a process waits for others to take over. */
const LEAVE_MS = 9_000
const LEAVE_POLL_MS = 50
/** A clock that is wrong by more than this is the operator's concern. */
const WRONG_CLOCK_MS = 1_000
const ALL_SLOTS = Array.from({ length: SLOTS }, (_, slot) => slot)

export type Prober = {
  /** Reads these monitors again (null: whatever changed lately). */
  changed(ids: number[] | null): void
  /** A region is asked to confirm a failure; null: some may be. */
  confirm(region: string | null): void
  /** Slots have moved, or turns have changed. */
  wake(): void
  /** Hands the whole schedule over to the threads anew; resolves when that is done, or did not work. */
  reload(): Promise<void>
  /** Whether checks may be begun: the database has confirmed so lately. */
  readonly current: boolean
  /** Waits for others to take over, and they can: the database answers. */
  readonly isLeaving: boolean
  /** Hands over to others, where there are any, and stops. */
  close(): Promise<void>
}

/**
 * Takes part in probing: keeps one membership alive, checks the monitors of the slots that it is given, and hands those
 * over that others are to have.
 */
export function createProber(deps: {
  registry: Registry
  region: string
  host: string
  pid: number
  clock: Clock
  monotonicMs: () => number
  wallMs: () => number
  checking: Checking
  onTrouble: (error: unknown) => void
  note: (message: string) => void
  /** For how long it goes on with what it held last while nothing is heard; 0: only where nobody else could. */
  enduresMs?: number
}): Prober {
  const { registry, region, clock, checking, enduresMs = 0 } = deps
  const stop = new AbortController()
  let awake = new AbortController()
  let membership: number | null = null
  let validUntilMs = 0
  let turns: Turns = aloneIn(region)
  let slots = new Set<number>()
  /** Those of them that are being handed over. */
  const leaving = new Set<number>()
  let turnsFollowed = 0
  /** The last renewal was held up where it was asked for: the next one need not wait here. */
  let held = false
  let others = 0
  /** Nobody else could check what this process checks. */
  let isAlone = false
  let isLeaving = false
  let aliveMs = deps.monotonicMs()
  let renewedMs = Number.NEGATIVE_INFINITY
  /** By how much the clock of this machine was ahead when that was last said. */
  let notedAheadMs = 0
  let handingOver: Promise<void> = Promise.resolve()
  const { monotonicMs, onTrouble } = deps
  const reading = createScheduleReading({ registry, checking, share, monotonicMs, onTrouble })

  async function takePart() {
    for (let renewals = 0; !stop.signal.aborted; renewals++) {
      awake = new AbortController()
      const renewed = await renew().catch((error) => {
        deps.onTrouble(error)
        return false
      })
      if (renewals % POLL_EVERY_RENEWALS === 0) reading.changed('recent')
      if (stop.signal.aborted) return
      const waitMs = !renewed ? RENEW_AGAIN_MS : held ? 0 : RENEW_MS
      await delay(waitMs, undefined, { signal: awake.signal }).catch(() => {})
    }
  }

  async function renew(): Promise<boolean> {
    membership ??= await registry.join(deps)
    const askedMs = deps.monotonicMs()
    const renewal = await registry.renew(membership)
    if (renewal === null) {
      lose()
      return false
    }
    held = renewal.heldMs !== undefined
    const sentMs = askedMs + (renewal.heldMs ?? 0)
    followClock({ sentMs, receivedMs: deps.monotonicMs(), databaseMs: renewal.databaseMs })
    renewedMs = sentMs
    validUntilMs = sentMs + VALID_MS
    turns = renewal.turns ?? turns
    others = renewal.others
    isAlone = others === 0
    serve()
    follow(renewal)
    handOverWanted(renewal)
    if (renewal.isAsked) checking.confirm()
    if (renewal.changed === null) reading.changed('recent')
    else if (renewal.changed?.length) reading.changed(renewal.changed)
    return true
  }

  /** Somebody else has what was ours: nothing that is under way counts any more. */
  function lose() {
    deps.note(
      'others have taken over what this process checked, because nothing was heard of it: it joins again',
    )
    membership = null
    validUntilMs = 0
    renewedMs = Number.NEGATIVE_INFINITY
    isAlone = false
    slots = new Set()
    leaving.clear()
    reading.drop(ALL_SLOTS)
  }

  function serve() {
    checking.serve({ membership, validUntilMs: validUntilMs + clock.offsetMs, turns }, clock.offsetMs)
  }

  /** What is found is recorded later, where others leave room for it. Unless this process itself stood still. */
  function goOnWithoutDatabase() {
    const nowMs = deps.monotonicMs()
    if (nowMs - aliveMs > VALID_MS) {
      isAlone = false
      renewedMs = Number.NEGATIVE_INFINITY
    }
    aliveMs = nowMs
    if (membership === null || !(isAlone || nowMs - renewedMs < enduresMs)) return
    validUntilMs = nowMs + VALID_MS
    serve()
  }

  function follow(renewal: Renewal) {
    const held = new Set(renewal.slots)
    const gained = renewal.slots.filter((slot) => !slots.has(slot))
    const gone = [...slots].filter((slot) => !held.has(slot) && !leaving.has(slot))
    slots = held
    if (gone.length > 0) reading.drop(gone)
    // What could not be read before is tried again.
    void reading.read(gained)
    // Where a region is gone, what it was asked for and has not done may be ours now.
    const turned = turns.number !== turnsFollowed && turns.effectiveAtMs <= clock.now().getTime()
    if (!turned) return
    turnsFollowed = turns.number
    reading.changed('waiting')
  }

  function handOverWanted(renewal: Renewal) {
    const wanted = renewal.wanted.filter((slot) => !leaving.has(slot) && !reading.isUnderWay(slot))
    if (wanted.length === 0 || membership === null) return
    const id = membership
    for (const slot of wanted) leaving.add(slot)
    handingOver = handingOver.then(() => giveAway(id, wanted)).catch(deps.onTrouble)
  }

  async function giveAway(id: number, wanted: number[]) {
    try {
      // What has fallen due in a slot that was not read yet is left to whoever has it next, too.
      const [loaded = [], unread = []] = [true, false].map((is) =>
        wanted.filter((slot) => reading.isLoaded(slot) === is),
      )
      if (unread.length > 0) note(unread, await registry.handOver(id, unread, null, []))
      if (loaded.length === 0) return
      const fromMs = clock.now().getTime() + HAND_OVER_AFTER_MS
      const cut = await checking.handOver(loaded, fromMs, PATIENCE_MS)
      note(loaded, await registry.handOver(id, loaded, new Date(fromMs), cut))
    } finally {
      for (const slot of wanted) leaving.delete(slot)
      // What nobody wanted in the end goes on here; and there may be too many threads now.
      reading.drop(wanted)
      void reading.read(wanted.filter((slot) => slots.has(slot)))
    }
  }

  function note(given: number[], kept: number[]) {
    for (const slot of given) if (!kept.includes(slot)) slots.delete(slot)
  }

  function followClock(sample: ClockSample) {
    clock.compare(sample)
    const aheadMs = deps.wallMs() - clock.now().getTime()
    if (Math.abs(aheadMs - notedAheadMs) < WRONG_CLOCK_MS) return
    notedAheadMs = aheadMs
    deps.note(
      Math.abs(aheadMs) < WRONG_CLOCK_MS
        ? "the clock of this machine agrees with the database's again"
        : `the clock of this machine is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ` +
            `${aheadMs > 0 ? 'ahead of' : 'behind'} the database's, which checks go by: set it right`,
    )
  }

  /** Null while nothing is ours. */
  function share(): OwnShare | null {
    const staying = [...slots].filter((slot) => !leaving.has(slot))
    return membership === null || staying.length === 0 ? null : { holder: membership, slots: staying }
  }

  async function leaveInOrder() {
    if (membership === null || others === 0) return
    isLeaving = true
    await registry.announceLeaving(membership)
    const deadlineMs = deps.monotonicMs() + LEAVE_MS
    while (membership !== null && deps.monotonicMs() < deadlineMs && others > 0 && isNeeded()) {
      await delay(LEAVE_POLL_MS)
    }
    if (slots.size > 0) await checking.handOver([...slots], clock.now().getTime(), PATIENCE_MS)
  }

  function isCurrent(): boolean {
    return membership !== null && deps.monotonicMs() < validUntilMs
  }

  /** Until others have all its slots, or all its turns. */
  function isNeeded(): boolean {
    return slots.size > 0 && regionsAt(turns, clock.now().getTime()).includes(region)
  }

  reading.drop(ALL_SLOTS)
  const running = takePart()
  const ticking = setInterval(goOnWithoutDatabase, RENEW_MS)

  return {
    changed: (ids) => reading.changed(ids ?? 'recent'),
    confirm(asked) {
      if (asked === null || asked === region) checking.confirm()
    },
    wake: () => awake.abort(),
    reload: () => reading.read(slots),
    get current() {
      return isCurrent()
    },
    get isLeaving() {
      return isLeaving && isCurrent()
    },
    async close() {
      await leaveInOrder().catch(deps.onTrouble)
      isLeaving = false
      stop.abort()
      awake.abort()
      clearInterval(ticking)
      await running
      await handingOver
      await reading.close()
      await checking.close()
      if (membership !== null) await registry.leave(membership).catch(deps.onTrouble)
    },
  }
}
