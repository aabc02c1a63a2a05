import type { Span } from '../spans.ts'

/** The subjects of a window, as numbers of targets and jobs. */
export type Whom = 'everything' | number[]

/** A row of `maintenance_windows`, with its plan as instants; null while it has none (a switch). */
export type WindowRow = {
  id: number
  isDeleted: boolean
  sinceMs: number
  plan: Span | null
  whom: Whom
}

/** A row of `maintenance_occurrences`. */
export type OccurrenceRow = Span & { window: number; whom: Whom }

/** When a window applied, and to whom. */
export type Applied = Span & { window: number; whom: Whom }

/** A change of a window, from its sending until it was certainly done or given up. */
export type Change = Span & { window: number | null; what: string; whom: Whom; isTaken: boolean }

/** A promise about a window that an answer made. */
export type Promised = Span & { window: number; isApplying: boolean; what: string }

/**
 * When windows applied, read from their rows by the words of their tables alone: what happened counts as it is written;
 * the plan counts from the window's last change on, where nothing that happened stands in its place.
 */
export function appliedSpans(windows: WindowRow[], occurrences: OccurrenceRow[]): Applied[] {
  const happened = occurrences.map((row) => {
    const window = windows.find(({ id }) => id === row.window)
    const isPresent = window && !window.isDeleted && row.fromMs >= window.sinceMs
    return isPresent ? { ...row, whom: window.whom } : row
  })
  const planned = windows.flatMap(({ id, isDeleted, sinceMs, plan, whom }) => {
    if (isDeleted || !plan) return []
    const fromMs = Math.max(plan.fromMs, sinceMs)
    const isReplaced = occurrences.some((row) => row.window === id && row.fromMs === fromMs)
    return isReplaced ? [] : [{ window: id, whom, fromMs, toMs: plan.toMs }]
  })
  return [...happened, ...planned].filter(({ fromMs, toMs }) => fromMs < toMs)
}

export function isAbout(whom: Whom, monitor: number): boolean {
  return whom === 'everything' || whom.includes(monitor)
}

/** The time in which a monitor was under maintenance: windows that follow each other are one. */
export function coverOf(applied: Applied[], monitor: number): Span[] {
  const cover: Span[] = []
  const own = applied.filter(({ whom }) => isAbout(whom, monitor)).toSorted((a, b) => a.fromMs - b.fromMs)
  for (const { fromMs, toMs } of own) {
    const last = cover.at(-1)
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else cover.push({ fromMs, toMs })
  }
  return cover
}
