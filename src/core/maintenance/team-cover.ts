import { disjoint, type TimeSpan } from '../history/uptime.ts'
import { applyingTo, type Cover, coverAt, holdsAt, type WindowSpan } from './cover.ts'
import { occurrencesOf } from './covered-time.ts'
import { chosenOf, ofEachKind, type SubjectKind } from './window.ts'
import type { JudgedWindow } from './window-record.ts'

/** Covers of several instants: results that come late alternate with others. */
const MAX_COVERS = 4
const DAY_MS = 86_400_000
/** Covered time is worked out for a while around a question, so that few others need it again. */
const BEHIND_MS = DAY_MS
const AHEAD_MS = 8 * DAY_MS
/** Occurrences that ended longer ago than this have no say in a verdict: those of years would fill the memory. */
export const MAX_BACK_MS = 64 * DAY_MS
const MAX_KEPT_MS = MAX_BACK_MS + 4 * AHEAD_MS

/** The meaning of a team's windows for its subjects of one kind. Windows that cannot be worked out here mean nothing. */
export type SubjectCover = {
  applies(id: number, at: Date): boolean
  /** Until when the answers of `applies` at this instant hold, whatever the subject. */
  holdsUntil(at: Date): Date
  /** The last instant at which windows of the subject ended after one time and up to another. */
  lastEnd(id: number, after: Date, upTo: Date): Date | null
  /** The time that is covered in [from, to), and what it touches, in order and without overlaps. */
  spansOf(id: number, from: Date, to: Date): TimeSpan[]
}

export type TeamCover = Record<SubjectKind, SubjectCover>

/** Occurrences of each window that is for chosen subjects, and those of all others merged. */
type Covered = TimeSpan & { own: Map<JudgedWindow, TimeSpan[]>; shared: TimeSpan[] }

/** Keeps what it works out: many subjects are asked about, one after the other. */
export function teamCover(windows: readonly JudgedWindow[]): TeamCover {
  const spans = new Map<JudgedWindow, WindowSpan>()
  let covers: Cover<JudgedWindow>[] = []
  let covered: Covered | null = null

  function coverOf(at: Date): Cover<JudgedWindow> {
    const known = covers.find((cover) => holdsAt(cover, at))
    if (known) return known
    const cover = coverAt(windows, at, spans)
    covers = [cover, ...covers].slice(0, MAX_COVERS)
    return cover
  }

  function coveredBetween(fromMs: number, toMs: number): Covered {
    if (covered && covered.fromMs <= fromMs && covered.toMs >= toMs) return covered
    const around = { fromMs: fromMs - BEHIND_MS, toMs: toMs + AHEAD_MS }
    const both = {
      fromMs: Math.min(around.fromMs, covered?.fromMs ?? around.fromMs),
      toMs: Math.max(around.toMs, covered?.toMs ?? around.toMs),
    }
    covered = workOut(both.toMs - both.fromMs > MAX_KEPT_MS ? around : both)
    return covered
  }

  function workOut(range: TimeSpan): Covered {
    const found = occurrencesOf(windows, { from: new Date(range.fromMs), to: new Date(range.toMs) })
    const own = found.filter(({ window }) => !window.all_subjects)
    const shared = found.filter(({ window }) => window.all_subjects)
    return {
      ...range,
      own: new Map(own.map(({ window, spans }) => [window, spans])),
      shared: disjoint(shared.flatMap(({ spans }) => spans)),
    }
  }

  function ofKind(kind: SubjectKind): SubjectCover {
    const bySubject = windowsBySubject(windows, kind)

    function spansOf(id: number, from: Date, to: Date): TimeSpan[] {
      const toMs = to.getTime()
      const fromMs = Math.max(from.getTime(), toMs - MAX_BACK_MS - AHEAD_MS)
      const { own, shared } = coveredBetween(fromMs, toMs)
      const touches = (span: TimeSpan) => span.fromMs < toMs && span.toMs > fromMs
      const chosen = (bySubject.get(id) ?? []).flatMap((window) => own.get(window) ?? [])
      return chosen.length === 0 ? shared.filter(touches) : disjoint([...chosen, ...shared]).filter(touches)
    }

    return {
      applies: (id, at) => applyingTo(coverOf(at), kind, id).length > 0,
      holdsUntil: (at) => coverOf(at).until,
      lastEnd(id, after, upTo) {
        const ended = spansOf(id, after, upTo).filter(({ toMs }) => toMs <= upTo.getTime())
        const last = ended.at(-1)
        return last ? new Date(last.toMs) : null
      },
      spansOf,
    }
  }

  return ofEachKind(ofKind)
}

function windowsBySubject(windows: readonly JudgedWindow[], kind: SubjectKind): Map<number, JudgedWindow[]> {
  const bySubject = new Map<number, JudgedWindow[]>()
  for (const window of windows) {
    for (const id of window.all_subjects ? [] : chosenOf(window, kind)) {
      const known = bySubject.get(id)
      if (known) known.push(window)
      else bySubject.set(id, [window])
    }
  }
  return bySubject
}
