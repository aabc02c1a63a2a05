import type { ShownSpan } from '../../../src/core/maintenance/shown-window.ts'
import { Time, TimeOfDay } from '../time.tsx'

/** A time of today, or of another day with its date. */
export function DayTime({ at }: { at: string }) {
  const date = new Date(at)
  return isSameDay(date, new Date()) ? <TimeOfDay at={date} /> : <Time at={at} as="date" />
}

/** When an occurrence begins and ends, in the reader's zone; its day once where it has one. */
export function SpanTime({ span: { starts_at, ends_at } }: { span: ShownSpan }) {
  const end = new Date(ends_at)
  return (
    <>
      <Time at={starts_at} as="date" /> –{' '}
      {isSameDay(new Date(starts_at), end) ? <TimeOfDay at={end} /> : <Time at={ends_at} as="date" />}
    </>
  )
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString()
}
