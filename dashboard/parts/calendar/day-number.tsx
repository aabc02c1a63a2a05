import type { GridDay } from '../../data/month-grid.ts'
import { t } from '../../language/language.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

export function DayNumber({ day: { date, isInMonth }, isToday }: { day: GridDay; isToday: boolean }) {
  return (
    <span
      className={
        isToday
          ? 'rounded-full bg-accent px-1.5 font-semibold text-on-accent'
          : isInMonth
            ? 'px-0.5'
            : 'px-0.5 text-soft'
      }
    >
      {Number(date.slice(-2))}
    </span>
  )
}

/** How long a day is on which clocks change. */
export function OddHours({ day }: { day: GridDay }) {
  if (!clocksChangeOn(day)) return null
  return (
    <span className="truncate text-xs text-degraded" title={t('Clocks change on this day')}>
      {t('{hours, number} h', { hours: hoursOf(day) })}
    </span>
  )
}

export function clocksChangeOn(day: GridDay): boolean {
  return hoursOf(day) !== DAY_HOURS
}

function hoursOf({ from, to }: GridDay): number {
  return (to.getTime() - from.getTime()) / HOUR_MS
}
