import { ifReadable } from '../maintenance/cover.ts'
import { isWithinHours, type LayerSpan, spansBetween, turnAt } from './rotation.ts'
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
/** Shifts are worked out in steps of this, so that the next one is found without looking at all that follow. */
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
  const byKey = new Map(schedule.participants.map((participant) => [participant.key, participant]))
  let shift: Shift<P> | null = null
  for (const { key, atMs } of holdersFrom(schedule, from.getTime(), until.getTime())) {
    const participant = (key !== null && byKey.get(key)) || null
    if (shift && participant === shift.participant) continue
    const startsAt = new Date(atMs)
    if (shift) yield { ...shift, endsAt: startsAt }
    shift = { participant, startsAt, endsAt: until }
  }
  if (shift) yield shift
}

/**
 * The key of the participant on call from `fromMs` on, and at every instant at which it may change: as `who` says it, in
 * one walk over the spans of all layers and overrides.
 */
function* holdersFrom<P extends { key: number }>(
  schedule: ScheduleTimes<P>,
  fromMs: number,
  toMs: number,
): Generator<{ key: number | null; atMs: number }> {
  for (let stepMs = fromMs; stepMs < toMs; stepMs += STEP_MS) {
    const beforeMs = Math.min(stepMs + STEP_MS, toMs)
    // Each list wins over those before it.
    const lists = spanLists(schedule, stepMs, beforeMs)
    const edges = lists.flat().flatMap((span) => [span.fromMs, span.toMs])
    const within = edges.filter((atMs) => atMs > stepMs && atMs < beforeMs).sort((one, other) => one - other)
    const places = lists.map(() => 0)
    for (const atMs of new Set([stepMs, ...within])) {
      let key: number | null = null
      for (let index = lists.length - 1; index >= 0 && key === null; index--) {
        const list = lists[index] ?? []
        let place = places[index] ?? 0
        while ((list[place]?.toMs ?? Number.POSITIVE_INFINITY) <= atMs) place++
        places[index] = place
        const span = list[place]
        if (span && span.fromMs <= atMs) key = span.key
      }
      yield { key, atMs }
    }
  }
}

function spanLists<P extends { key: number }>(
  { time_zone, layers, overrides }: ScheduleTimes<P>,
  fromMs: number,
  toMs: number,
): LayerSpan[][] {
  const ofLayers = ifReadable(() => layers.map((layer) => spansBetween(layer, time_zone, fromMs, toMs))) ?? []
  const ofOverrides = overrides
    .map(({ participant, startsAt, endsAt }) => ({
      key: participant,
      fromMs: startsAt.getTime(),
      toMs: endsAt.getTime(),
    }))
    .filter((span) => span.fromMs < toMs && span.toMs > fromMs)
  return [...ofLayers, ...ofOverrides.map((span) => [span])]
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
