import { disjoint, type TimeSpan } from '../history/uptime.ts'
import { ifReadable } from './cover.ts'
import { MAX_AHEAD_MS, occurrencesBetween, type WindowTimes } from './occurrence.ts'
import { chosenOf, type SubjectKind, type Subjects } from './window.ts'

/** The time that windows of a team cover, in order and without overlaps, merged once for all of its subjects of a kind. */
export type CoveredTime = {
  everything: readonly TimeSpan[]
  bySubject: ReadonlyMap<number, readonly TimeSpan[]>
}

/** The occurrences of each window in a range, whole. One whose zone this machine does not know has none. */
export function occurrencesOf<W extends WindowTimes>(
  windows: readonly W[],
  { from, to }: { from: Date; to: Date },
): { window: W; spans: TimeSpan[] }[] {
  // A conversion asks for all of a long history, in most of which there were no windows.
  const earliest = new Date(Math.max(from.getTime(), to.getTime() - MAX_AHEAD_MS))
  return windows.flatMap((window) => {
    const occurrences = ifReadable(() => occurrencesBetween(window, earliest, to)) ?? []
    if (occurrences.length === 0) return []
    const spans = occurrences.map(({ startsAt, endsAt }) => ({
      fromMs: startsAt.getTime(),
      toMs: endsAt.getTime(),
    }))
    return [{ window, spans }]
  })
}

export function coveredTime(
  windows: readonly (WindowTimes & Subjects)[],
  range: { from: Date; to: Date },
  kind: SubjectKind = 'monitor',
): CoveredTime {
  const everything: TimeSpan[] = []
  const bySubject = new Map<number, TimeSpan[]>()
  for (const { window, spans } of occurrencesOf(windows, range)) {
    if (window.all_subjects) everything.push(...spans)
    else for (const id of chosenOf(window, kind)) bySubject.set(id, (bySubject.get(id) ?? []).concat(spans))
  }
  const shared = disjoint(everything)
  return {
    everything: shared,
    bySubject: new Map([...bySubject].map(([id, spans]) => [id, disjoint([...spans, ...shared])])),
  }
}

/** The part that counts for a subject: nothing was planned for it before it was there. */
export function coveredTimeOf(
  { everything, bySubject }: CoveredTime,
  id: number,
  createdAt: Date,
): readonly TimeSpan[] {
  const createdMs = createdAt.getTime()
  const spans = bySubject.get(id) ?? everything
  const [first] = spans
  if (!first || first.fromMs >= createdMs) return spans
  return spans.flatMap(({ fromMs, toMs }) =>
    toMs > createdMs ? [{ fromMs: Math.max(fromMs, createdMs), toMs }] : [],
  )
}
