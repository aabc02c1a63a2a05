/** From its beginning to its end, in milliseconds since 1970. */
export type Span = { fromMs: number; toMs: number }

/** The longest part of a span, in milliseconds, that none of the others covers. */
export function longestFree(span: Span, others: Span[]): number {
  let freeFromMs = span.fromMs
  let longest = 0
  for (const other of others.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (!overlap(other, span)) continue
    longest = Math.max(longest, other.fromMs - freeFromMs)
    freeFromMs = Math.max(freeFromMs, other.toMs)
  }
  return Math.max(longest, span.toMs - freeFromMs)
}

export function widen<T extends Span>(span: T, beforeMs: number, afterMs: number): T {
  return { ...span, fromMs: span.fromMs - beforeMs, toMs: span.toMs + afterMs }
}

export function overlap(a: Span, b: Span): boolean {
  return a.fromMs <= b.toMs && b.fromMs <= a.toMs
}

export function isIn(atMs: number, span: Span): boolean {
  return atMs >= span.fromMs && atMs <= span.toMs
}

/** From its beginning to before its end. */
export function isCovered(cover: readonly Span[], atMs: number): boolean {
  return cover.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
}

/** The parts of a span that none of the others covers. */
export function freeParts<T extends Span>(span: T, others: Span[]): T[] {
  const parts: T[] = []
  let { fromMs } = span
  for (const other of others.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (other.toMs <= fromMs || other.fromMs >= span.toMs) continue
    if (other.fromMs > fromMs) parts.push({ ...span, fromMs, toMs: other.fromMs })
    fromMs = Math.max(fromMs, other.toMs)
  }
  if (fromMs < span.toMs) parts.push({ ...span, fromMs })
  return parts
}

export function lengthMs(spans: Span[]): number {
  return spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
}
