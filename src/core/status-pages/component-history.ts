import { DAY_MS, startOfDay } from '../history/history-span.ts'
import {
  addTimes,
  type CheckRun,
  disjoint,
  type KnownTimes,
  knownMs,
  noTime,
  type StateTimes,
  stateTimes,
  type TimeSpan,
  uptimeOf,
  type WatchedTime,
} from '../history/uptime.ts'
import { type ComponentState, type SaidState, worstState } from './component-state.ts'
import type { ComponentDay, ComponentHistory } from './page-model.ts'
import { type Impact, isOver, type PostPhase } from './post.ts'

/** The starts of the last `count` days of UTC, oldest first, today last. */
export function lastDays(now: Date, count: number): Date[] {
  return Array.from({ length: count }, (_, index) => startOfDay(now, index + 1 - count))
}

/** A day of which so much is known. The rest is unknown, from when the subject was created until now. */
export function componentDay(
  day: Date,
  known: KnownTimes | undefined,
  { createdAt, now }: { createdAt: Date; now: Date },
): ComponentDay {
  const fromMs = Math.max(day.getTime(), createdAt.getTime())
  const toMs = Math.min(day.getTime() + DAY_MS, now.getTime())
  if (!known && fromMs >= toMs) return { day, times: null }
  const times = { ...noTime(), ...known }
  return { day, times: { ...times, unknownMs: Math.max(0, toMs - fromMs - knownMs(times)) } }
}

/** `hasUptime`: false where a person says the states, which is no measurement. */
export function historyOf(days: ComponentDay[], hasUptime: boolean): ComponentHistory {
  const sum: StateTimes = { ...noTime(), unknownMs: 0 }
  for (const { times } of days) {
    if (!times) continue
    addTimes(sum, times)
    sum.unknownMs += times.unknownMs
  }
  return {
    days,
    uptime: hasUptime ? uptimeOf(sum) : null,
    maintenanceMs: sum.maintenanceMs,
    unknownMs: sum.unknownMs,
  }
}

/** A published post as far as it says states; updates in the order of their times. */
export type SaidPost = { updates: { at: Date; phase: PostPhase; impacts: readonly Impact[] }[] }

type SaidSpan = TimeSpan & { componentId: number; state: SaidState }

/** The spans in which a post said something of components: of an update until the next; the last one goes on. */
function* spansOf({ updates }: SaidPost): Generator<SaidSpan> {
  for (const [index, { at, phase, impacts }] of updates.entries()) {
    // Planned maintenance says what is to be, and a post that is over what was.
    if (isOver(phase) || phase === 'scheduled') continue
    const toMs = updates[index + 1]?.at.getTime() ?? Number.POSITIVE_INFINITY
    for (const { component_id, state } of impacts)
      yield { componentId: component_id, state, fromMs: at.getTime(), toMs }
  }
}

/** The states that posts say at an instant: of several, the worst. Components that none names are left out. */
export function saidStates(posts: readonly SaidPost[], at: Date): Map<number, ComponentState> {
  const said = new Map<number, ComponentState>()
  const atMs = at.getTime()
  for (const post of posts) {
    for (const { componentId, state, fromMs, toMs } of spansOf(post)) {
      if (fromMs > atMs || toMs <= atMs) continue
      said.set(componentId, worstState([state, said.get(componentId) ?? state]))
    }
  }
  return said
}

const COUNTED_AS = {
  operational: null,
  maintenance: 'maintenance',
  degraded: 'degraded',
  partial_outage: 'down',
  major_outage: 'down',
} as const satisfies Record<SaidState, string | null>

/** The days of a component without a monitor: it works, but for what posts said. */
export function saidDays(
  posts: readonly SaidPost[],
  component: { id: number; createdAt: Date },
  days: readonly Date[],
  now: Date,
): ComponentDay[] {
  const spans = { maintenance: [] as TimeSpan[], degraded: [] as TimeSpan[], down: [] as TimeSpan[] }
  for (const post of posts) {
    for (const { componentId, state, ...span } of spansOf(post)) {
      const counted = COUNTED_AS[state]
      if (componentId === component.id && counted) spans[counted].push(span)
    }
  }
  const createdMs = component.createdAt.getTime()
  const watched: WatchedTime = {
    runs: runsOf(createdMs, disjoint(spans.degraded.filter(({ toMs }) => toMs > createdMs))),
    incidents: spans.down,
    maintenance: spans.maintenance,
    rests: [],
    validMs: Number.POSITIVE_INFINITY,
    isHeartbeat: true,
  }
  return days.map((day) => {
    const span = {
      fromMs: Math.max(day.getTime(), createdMs),
      toMs: Math.min(day.getTime() + DAY_MS, now.getTime()),
    }
    const known = span.fromMs < span.toMs ? stateTimes(watched, span) : undefined
    return componentDay(day, known, { createdAt: component.createdAt, now })
  })
}

/** It works from its creation on, except where it is degraded. */
function runsOf(createdMs: number, degraded: readonly TimeSpan[]): CheckRun[] {
  const run = (status: CheckRun['status'], atMs: number) => ({ status, firstMs: atMs, lastMs: atMs })
  const changes = degraded.flatMap(({ fromMs, toMs }) => [
    run('degraded', Math.max(fromMs, createdMs)),
    ...(Number.isFinite(toMs) ? [run('up', Math.max(toMs, createdMs))] : []),
  ])
  return [run('up', createdMs), ...changes]
}
