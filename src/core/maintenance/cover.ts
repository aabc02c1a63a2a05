import { type Occurrence, occurrencesBetween, type WindowTimes } from './occurrence.ts'
import type { Subjects } from './window.ts'

/** How far a stretch is worked out, so that even a window that is over is asked again only this often. */
const LOOK_MS = 8 * 86_400_000

/** What holds for a window at every instant from one to before another. */
export type Stretch = { occurrence: Occurrence | null; from: Date; until: Date }

/**
 * What holds for a window at an instant, and for how long around it: whoever keeps it asks the rule again only for an
 * instant outside.
 */
export function stretchAt(window: WindowTimes, instant: Date): Stretch {
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

/** An occurrence with the window that it is of. */
export type Applying<W> = { window: W; occurrence: Occurrence }

/**
 * What holds for all windows of a team at every instant from one to before another. Windows that end last come first.
 */
export type Cover<W> = {
  everything: Applying<W>[]
  byMonitor: Map<number, Applying<W>[]>
  /**
   * Windows that cannot be worked out here, as a stored zone is unknown to the zone database of this machine. They apply
   * to nothing: a failure too many is told, and nothing stops being recorded.
   */
  unreadable: W[]
  from: Date
  until: Date
}

/**
 * What all windows of a team cover at an instant. For as long as it holds, asking for a monitor is a look into a map,
 * however many windows there are. `stretches` keeps those of single windows from one call to the next: pass the same
 * map again, and a new one when windows have changed.
 */
export function coverAt<W extends WindowTimes & Subjects>(
  windows: readonly W[],
  instant: Date,
  stretches = new Map<W, Stretch>(),
): Cover<W> {
  const cover: Cover<W> = {
    everything: [],
    byMonitor: new Map(),
    unreadable: [],
    from: new Date(instant.getTime() - LOOK_MS),
    until: new Date(instant.getTime() + LOOK_MS),
  }
  const applying: Applying<W>[] = []
  for (const window of windows) {
    const known = stretches.get(window)
    const stretch = known && holdsAt(known, instant) ? known : readableStretchAt(window, instant)
    if (!stretch) {
      cover.unreadable.push(window)
      continue
    }
    stretches.set(window, stretch)
    const { occurrence, from, until } = stretch
    if (from > cover.from) cover.from = from
    if (until < cover.until) cover.until = until
    if (occurrence) applying.push({ window, occurrence })
  }
  applying.sort((one, other) => other.occurrence.endsAt.getTime() - one.occurrence.endsAt.getTime())
  for (const one of applying) {
    if (one.window.all_subjects) cover.everything.push(one)
    else for (const id of one.window.monitor_ids) addTo(cover.byMonitor, id, one)
  }
  return cover
}

function readableStretchAt(window: WindowTimes, instant: Date): Stretch | null {
  try {
    return stretchAt(window, instant)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Whether what was worked out for another instant says what holds at this one. */
export function holdsAt({ from, until }: { from: Date; until: Date }, instant: Date): boolean {
  return from <= instant && instant < until
}

/** Every window that applies to a monitor. It is under maintenance while there is one. */
export function applyingTo<W>({ everything, byMonitor }: Cover<W>, monitorId: number): Applying<W>[] {
  const own = byMonitor.get(monitorId)
  return own ? [...own, ...everything] : everything
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
