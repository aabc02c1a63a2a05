import { ifReadable } from '../maintenance/cover.ts'
import { changesBetween, isWithinHours, turnAt } from './rotation.ts'
import type { Layer } from './schedule.ts'

/** The part of a schedule that says who is on call. Of overrides that overlap, the last of the list wins. */
export type ScheduleTimes<P extends { key: number }> = {
  time_zone: string
  participants: readonly P[]
  layers: readonly Layer[]
  overrides: readonly { participant: number; startsAt: Date; endsAt: Date }[]
}

/** A time in which one participant is on call, or a gap: then it is null. */
export type Shift<P> = { participant: P | null; startsAt: Date; endsAt: Date }

const DAY_MS = 86_400_000
/** Changes are looked for in steps of this, so that what comes next is found without looking at all that follows. */
const STEP_MS = 8 * DAY_MS
/** The longest time whose shifts are worked out in one call. */
export const MAX_SHIFT_DAYS = 400
/** How far ahead the end of a shift and the next one are looked for. */
const LOOK_AHEAD_MS = 31 * DAY_MS

/**
 * The participant on call at an instant, or null in a gap. Overrides win over layers, and a layer over those before it.
 * The layers of a zone that this machine does not know have nobody on call.
 */
export function who<P extends { key: number }>(schedule: ScheduleTimes<P>, at: Date): P | null {
  const key = overrideAt(schedule, at) ?? ifReadable(() => layerAt(schedule, at.getTime()))
  return schedule.participants.find((participant) => participant.key === key) ?? null
}

/** The shifts and gaps of [from, until) in order, without a hole between: each ends where the next begins. */
export function shifts<P extends { key: number }>(
  schedule: ScheduleTimes<P>,
  from: Date,
  until: Date,
): Shift<P>[] {
  if (until.getTime() - from.getTime() > MAX_SHIFT_DAYS * DAY_MS)
    throw new RangeError(`asked for more than ${MAX_SHIFT_DAYS} days`)
  return [...shiftsFrom(schedule, from, until)]
}

/** More than the longest turn. */
const AROUND_MS = 85 * DAY_MS

/** The shifts and gaps of which any part is in [from, until), whole unless they are longer than any turn. */
export function shiftsTouching<P extends { key: number }>(
  schedule: ScheduleTimes<P>,
  from: Date,
  until: Date,
): Shift<P>[] {
  const around = shifts(schedule, new Date(from.getTime() - AROUND_MS), new Date(until.getTime() + AROUND_MS))
  return around.filter(({ startsAt, endsAt }) => startsAt < until && endsAt > from)
}

/** Null where nobody is on call, where nothing changes for a month, and where nobody comes within it. */
export type OnCall<P> = {
  participant: P | null
  until: Date | null
  /** The first that is on call after `until`: a gap may lie between. */
  next: { participant: P; startsAt: Date } | null
}

/** The participant on call now, and the one who comes next. */
export function onCallAt<P extends { key: number }>(schedule: ScheduleTimes<P>, now: Date): OnCall<P> {
  const end = new Date(now.getTime() + LOOK_AHEAD_MS)
  const onCall: OnCall<P> = { participant: who(schedule, now), until: null, next: null }
  for (const { participant, startsAt } of shiftsFrom(schedule, now, end)) {
    if (startsAt > now) onCall.until ??= startsAt
    if (startsAt > now && participant) return { ...onCall, next: { participant, startsAt } }
  }
  return onCall
}

function* shiftsFrom<P extends { key: number }>(
  schedule: ScheduleTimes<P>,
  from: Date,
  until: Date,
): Generator<Shift<P>> {
  if (from >= until) return
  let shift: Shift<P> = { participant: who(schedule, from), startsAt: from, endsAt: until }
  for (const at of changesFrom(schedule, from.getTime(), until.getTime())) {
    const participant = who(schedule, at)
    if (participant === shift.participant) continue
    yield { ...shift, endsAt: at }
    shift = { participant, startsAt: at, endsAt: until }
  }
  yield shift
}

/** The instants after `fromMs` and before `toMs` at which the participant may change, in order. */
function* changesFrom<P extends { key: number }>(
  { time_zone, layers, overrides }: ScheduleTimes<P>,
  fromMs: number,
  toMs: number,
): Generator<Date> {
  for (let stepMs = fromMs; stepMs < toMs; stepMs += STEP_MS) {
    // A change just when a step begins counts, too: only the first instant of all is none.
    const afterMs = stepMs === fromMs ? fromMs : stepMs - 1
    const beforeMs = Math.min(stepMs + STEP_MS, toMs)
    const ofLayers =
      ifReadable(() => layers.flatMap((layer) => changesBetween(layer, time_zone, afterMs, beforeMs))) ?? []
    const ofOverrides = overrides
      .flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endsAt.getTime()])
      .filter((atMs) => atMs > afterMs && atMs < beforeMs)
    const changes = [...new Set([...ofLayers, ...ofOverrides])].sort((one, other) => one - other)
    for (const atMs of changes) yield new Date(atMs)
  }
}

function overrideAt<P extends { key: number }>({ overrides }: ScheduleTimes<P>, at: Date): number | null {
  return overrides.findLast(({ startsAt, endsAt }) => startsAt <= at && at < endsAt)?.participant ?? null
}

function layerAt<P extends { key: number }>(
  { layers, time_zone }: ScheduleTimes<P>,
  atMs: number,
): number | null {
  for (const layer of layers.toReversed()) {
    if (!isWithinHours(layer.hours, time_zone, atMs)) continue
    const key = turnAt(layer, time_zone, atMs)
    if (key !== null) return key
  }
  return null
}
