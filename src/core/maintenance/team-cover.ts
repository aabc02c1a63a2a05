import type { TimeSpan } from '../history/uptime.ts'
import { applyingTo, type Cover, coverAt, holdsAt, type WindowSpan } from './cover.ts'
import { type Occurrence, occurrencesBetween } from './occurrence.ts'
import type { JudgedWindow } from './window-record.ts'

/** Covers of several instants: results that come late alternate with others. */
const MAX_COVERS = 4
/** Occurrences are worked out for a while ahead, so that few questions need it again. */
const AHEAD_MS = 8 * 86_400_000
/** Those of longer spans are not kept: they would fill the memory. */
const MAX_KEPT_MS = 64 * 86_400_000

/** What the windows of a team mean for its monitors. Times of windows that cannot be worked out are in none. */
export type TeamCover = {
  applies(monitorId: number, at: Date): boolean
  /** Until when the answers of `applies` at this instant hold, whatever the monitor. */
  holdsUntil(at: Date): Date
  /** The last end of an occurrence of the monitor after one instant and up to another. */
  lastEnd(monitorId: number, after: Date, upTo: Date): Date | null
  /** Occurrences of the monitor that touch [from, to), whole, in order of their starts. */
  spansOf(monitorId: number, from: Date, to: Date): TimeSpan[]
}

/** Keeps what it works out: many monitors are asked about, one after the other. */
export function teamCover(windows: readonly JudgedWindow[]): TeamCover {
  const everything = windows.filter(({ all_subjects }) => all_subjects)
  const byMonitor = windowsByMonitor(windows)
  const spans = new Map<JudgedWindow, WindowSpan>()
  const occurrences = new Map<JudgedWindow, TimeSpan & { found: Occurrence[] }>()
  let covers: Cover<JudgedWindow>[] = []

  function coverOf(at: Date): Cover<JudgedWindow> {
    const known = covers.find((cover) => holdsAt(cover, at))
    if (known) return known
    const cover = coverAt(windows, at, spans)
    covers = [cover, ...covers].slice(0, MAX_COVERS)
    return cover
  }

  function* touching(monitorId: number, from: Date, to: Date): Generator<Occurrence> {
    for (const windowsOf of [byMonitor.get(monitorId) ?? [], everything])
      for (const window of windowsOf)
        for (const occurrence of occurrencesOf(window, from.getTime(), to.getTime()))
          if (occurrence.startsAt < to && occurrence.endsAt > from) yield occurrence
  }

  function occurrencesOf(window: JudgedWindow, fromMs: number, toMs: number): Occurrence[] {
    const known = occurrences.get(window)
    if (known && known.fromMs <= fromMs && known.toMs >= toMs) return known.found
    const range = {
      fromMs: Math.min(fromMs, known?.fromMs ?? fromMs),
      toMs: Math.max(toMs + AHEAD_MS, known?.toMs ?? 0),
    }
    if (range.toMs - range.fromMs > MAX_KEPT_MS) return readableBetween(window, fromMs, toMs)
    const found = readableBetween(window, range.fromMs, range.toMs)
    occurrences.set(window, { ...range, found })
    return found
  }

  return {
    applies: (monitorId, at) => applyingTo(coverOf(at), monitorId).length > 0,
    holdsUntil: (at) => coverOf(at).until,
    lastEnd(monitorId, after, upTo) {
      let last: Date | null = null
      for (const { endsAt } of touching(monitorId, after, upTo))
        if (endsAt <= upTo && (!last || endsAt > last)) last = endsAt
      return last
    },
    spansOf(monitorId, from, to) {
      const found = [...touching(monitorId, from, to)].map(({ startsAt, endsAt }) => ({
        fromMs: startsAt.getTime(),
        toMs: endsAt.getTime(),
      }))
      return found.sort((one, other) => one.fromMs - other.fromMs)
    },
  }
}

function windowsByMonitor(windows: readonly JudgedWindow[]): Map<number, JudgedWindow[]> {
  const byMonitor = new Map<number, JudgedWindow[]>()
  for (const window of windows) {
    for (const id of window.all_subjects ? [] : window.monitor_ids) {
      const known = byMonitor.get(id)
      if (known) known.push(window)
      else byMonitor.set(id, [window])
    }
  }
  return byMonitor
}

/** None where the zone of the window is unknown to this machine, as in `coverAt`. */
function readableBetween(window: JudgedWindow, fromMs: number, toMs: number): Occurrence[] {
  try {
    return occurrencesBetween(window, new Date(fromMs), new Date(toMs))
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}
