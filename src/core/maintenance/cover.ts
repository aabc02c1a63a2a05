import { type Occurrence, occurrencesBetween, type WindowTimes } from './occurrence.ts'
import { chosenOf, ofEachKind, SUBJECT_KINDS, type SubjectKind, type Subjects } from './window.ts'

/** The length of a computed span at most, so that even a window that is over is asked again only this often. */
const LOOK_MS = 8 * 86_400_000

/** The occurrence of a window, or its absence, at every instant from `from` to before `until`. */
export type WindowSpan = { occurrence: Occurrence | null; from: Date; until: Date }

/**
 * The span of a window around an instant. A caller that keeps it asks the rule again only for an instant outside.
 */
export function windowSpanAt(window: WindowTimes, instant: Date): WindowSpan {
  const atMs = instant.getTime()
  let from = new Date(atMs - LOOK_MS)
  let until = new Date(atMs + LOOK_MS)
  for (const occurrence of occurrencesBetween(window, from, until)) {
    const { startsAt, endsAt } = occurrence
    if (startsAt <= instant && endsAt > instant) return { occurrence, from: startsAt, until: endsAt }
    if (endsAt <= instant) from = endsAt
    else if (startsAt < until) until = startsAt
  }
  return { occurrence: null, from, until }
}

/** An occurrence and its window. */
export type Applying<W> = { window: W; occurrence: Occurrence }

/**
 * The windows of a team that apply at every instant from `from` to before `until`. Those that end last come first.
 */
export type Cover<W> = {
  everything: Applying<W>[]
  chosen: Record<SubjectKind, Map<number, Applying<W>[]>>
  /**
   * Windows that cannot be worked out here, as a stored zone is unknown to the zone database of this machine. They apply
   * to nothing: a failure too many is told, and nothing stops being recorded.
   */
  unreadable: W[]
  from: Date
  until: Date
}

/**
 * The cover of all windows of a team at an instant. For as long as it holds, asking for a subject is a look into a map,
 * however many windows there are. `spans` keeps those of single windows from one call to the next: pass the same
 * map again, and a new one when windows have changed.
 */
export function coverAt<W extends WindowTimes & Subjects>(
  windows: readonly W[],
  instant: Date,
  spans = new Map<W, WindowSpan>(),
): Cover<W> {
  const cover: Cover<W> = {
    everything: [],
    chosen: ofEachKind(() => new Map()),
    unreadable: [],
    from: new Date(instant.getTime() - LOOK_MS),
    until: new Date(instant.getTime() + LOOK_MS),
  }
  const applying: Applying<W>[] = []
  for (const window of windows) {
    const known = spans.get(window)
    const span = known && holdsAt(known, instant) ? known : ifReadable(() => windowSpanAt(window, instant))
    if (!span) {
      cover.unreadable.push(window)
      continue
    }
    spans.set(window, span)
    const { occurrence, from, until } = span
    if (from > cover.from) cover.from = from
    if (until < cover.until) cover.until = until
    if (occurrence) applying.push({ window, occurrence })
  }
  applying.sort((one, other) => other.occurrence.endsAt.getTime() - one.occurrence.endsAt.getTime())
  for (const one of applying) {
    if (one.window.all_subjects) {
      cover.everything.push(one)
      continue
    }
    for (const kind of SUBJECT_KINDS) {
      for (const id of chosenOf(one.window, kind)) addTo(cover.chosen[kind], id, one)
    }
  }
  return cover
}

/** The answer of a rule about a window; null where the zone of the window is unknown to this machine. */
export function ifReadable<T>(ask: () => T): T | null {
  try {
    return ask()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Whether a span or cover that was computed for another instant holds at this one. */
export function holdsAt({ from, until }: { from: Date; until: Date }, instant: Date): boolean {
  return from <= instant && instant < until
}

/** Every window that applies to a subject. It is under maintenance while there is one. */
export function applyingTo<W>(
  { everything, chosen }: Cover<W>,
  kind: SubjectKind,
  id: number,
): Applying<W>[] {
  const own = chosen[kind].get(id)
  return own ? [...own, ...everything] : everything
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
