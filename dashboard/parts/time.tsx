import { useSyncExternalStore } from 'react'
import { formatDuration } from '../../src/core/duration.ts'
import { LOCALE, t } from '../language/language.ts'

const MINUTE_MS = 60_000
const TICK_MS = 5_000

const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' })
const short = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })
const timeOfDay = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' })
const minuteOfDay = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' })
const second = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })

/** One clock for the whole page: all "2 minutes ago" move together. */
const listeners = new Set<() => void>()
let nowMs = Date.now()
setInterval(() => {
  nowMs = Date.now()
  for (const listener of listeners) listener()
}, TICK_MS)

function listen(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The current time in milliseconds; the component renders again as it passes. */
export function useNow(): number {
  return useSyncExternalStore(listen, () => nowMs)
}

/** A relative or short time in the reader's zone; the exact one appears on hover and to screen readers. */
export function Time({ at, as = 'ago' }: { at: string; as?: 'ago' | 'date' | 'second' }) {
  const now = useNow()
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)} className="whitespace-nowrap">
      {as === 'ago' ? sayAgo(date.getTime() - now) : (as === 'date' ? short : second).format(date)}
    </time>
  )
}

/** The same as text, where no element can stand. */
export function sayTime(at: string): string {
  return short.format(new Date(at))
}

/** A moment as text: the time alone where it is of today. */
export function sayMoment(atMs: number): string {
  const at = new Date(atMs)
  const isToday = at.toDateString() === new Date().toDateString()
  return (isToday ? minuteOfDay : short).format(at)
}

/** A time of day, to the minute: 03:12. */
export function TimeOfDay({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={exact.format(at)} className="whitespace-nowrap">
      {minuteOfDay.format(at)}
    </time>
  )
}

/** Day above time, two lines in every language: places that show a time later can keep both. */
export function DayAndTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)}>
      {day.format(date)} <span className="block text-sm font-normal text-soft">{timeOfDay.format(date)}</span>
    </time>
  )
}

function sayAgo(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (Math.abs(seconds) < 5) return t('just now')
  if (Math.abs(seconds) < 60) return relative.format(seconds, 'second')
  if (Math.abs(ms) < 60 * MINUTE_MS) return relative.format(Math.round(seconds / 60), 'minute')
  if (Math.abs(ms) < 36 * 60 * MINUTE_MS) return relative.format(Math.round(seconds / 3_600), 'hour')
  // Days to come are whole days left, as causes and the API count them.
  const days = seconds / 86_400
  return relative.format(days > 0 ? Math.floor(days) : Math.round(days), 'day')
}

/** The time since an instant, counting up. */
export function Since({ at }: { at: string }) {
  const now = useNow()
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)} className="whitespace-nowrap">
      {formatDuration(Math.max(0, (now - date.getTime()) / 1_000))}
    </time>
  )
}
