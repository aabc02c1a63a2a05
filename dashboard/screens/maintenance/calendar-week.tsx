import { Link } from '@tanstack/react-router'
import type { OccurrenceRow } from '../../../src/core/maintenance/shown-window.ts'
import { type Bar, type GridDay, type GridWeek, onDay } from '../../data/month-grid.ts'
import { useTeam } from '../../data/session.ts'
import { LOCALE, t } from '../../language/language.ts'
import { clocksChangeOn, DayNumber, OddHours } from '../../parts/calendar/day-number.tsx'

/** More bars of a day are counted, and listed once the day is chosen. */
const LANES = 3

const dayName = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' })
/** Monday to Sunday: the fifth of January 2026 was a Monday. */
export const WEEKDAYS = Array.from({ length: 7 }, (_, index) => weekday.format(Date.UTC(2026, 0, 5 + index)))

const minute = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' })

const BAR_LOOKS = {
  over: 'border-line bg-sunken text-soft',
  running: 'border-transparent bg-maintenance text-panel font-medium',
  planned: 'border-maintenance bg-panel text-ink',
} as const satisfies Record<OccurrenceRow['state'], string>

/** A week of the month: its days, and bars over those that an occurrence touches. */
export function CalendarWeek({
  week: { days, bars },
  today,
  chosen,
  stop,
  onChoose,
}: {
  week: GridWeek<OccurrenceRow>
  today: string
  chosen: string
  /** The day that the Tab key leads to. */
  stop: string
  onChoose: (date: string) => void
}) {
  const shown = bars.filter(({ lane }) => lane < LANES)
  const hidden = bars.filter(({ lane }) => lane >= LANES)
  return (
    <div className="relative border-b border-line">
      <div className="grid grid-cols-7 divide-x divide-line">
        {days.map((day, place) => (
          <Day
            key={day.date}
            day={day}
            isToday={day.date === today}
            isChosen={day.date === chosen}
            isStop={day.date === stop}
            count={
              onDay(
                day,
                bars.map(({ occurrence }) => occurrence),
              ).length
            }
            more={hidden.filter(({ first, last }) => first <= place && place <= last).length}
            onChoose={() => onChoose(day.date)}
          />
        ))}
      </div>
      {shown.length > 0 && (
        <ul className="pointer-events-none absolute inset-x-0 top-8 grid grid-cols-7 gap-y-0.5">
          {shown.map((bar) => (
            <BarOf key={`${bar.occurrence.window_id} ${bar.occurrence.starts_at}`} bar={bar} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Day({
  day,
  isToday,
  isChosen,
  isStop,
  count,
  more,
  onChoose,
}: {
  day: GridDay
  isToday: boolean
  isChosen: boolean
  isStop: boolean
  count: number
  more: number
  onChoose: () => void
}) {
  const said = [
    dayName.format(new Date(`${day.date}T00:00Z`)),
    count > 0 && t('{count, plural, one {# maintenance} other {# maintenance}}', { count }),
    clocksChangeOn(day) && t('clocks change'),
  ].filter(Boolean)
  return (
    <button
      type="button"
      data-date={day.date}
      tabIndex={isStop ? 0 : -1}
      aria-pressed={isChosen}
      aria-label={said.join(', ')}
      {...(isToday && { 'aria-current': 'date' as const })}
      onClick={onChoose}
      className="flex h-32 min-w-0 flex-col items-start justify-between p-1.5 text-left -outline-offset-2! hover:bg-sunken aria-pressed:bg-sunken"
    >
      <span className="flex w-full items-center gap-1.5 text-sm">
        <DayNumber day={day} isToday={isToday} />
        <OddHours day={day} />
      </span>
      {more > 0 && <span className="text-xs text-soft">{t('+{more} more', { more })}</span>}
    </button>
  )
}

function BarOf({
  bar: { occurrence, first, last, lane, isContinued, continues },
}: {
  bar: Bar<OccurrenceRow>
}) {
  const { id } = useTeam()
  const { window_id, window_name, starts_at, state, exists } = occurrence
  const at = isContinued ? '' : `${minute.format(new Date(starts_at))} `
  const look = `pointer-events-auto block truncate rounded border px-1.5 text-xs leading-5 ${BAR_LOOKS[state]} ${isContinued ? 'rounded-l-none border-l-0' : 'ml-1'} ${continues ? 'rounded-r-none border-r-0' : 'mr-1'}`
  return (
    <li className="min-w-0" style={{ gridColumn: `${first + 1} / ${last + 2}`, gridRow: lane + 1 }}>
      {exists ? (
        <Link
          to="/teams/$team/maintenance/$window"
          params={{ team: String(id), window: String(window_id) }}
          className={`${look} hover:underline`}
          title={window_name}
        >
          {at}
          {window_name}
        </Link>
      ) : (
        <span className={look} title={window_name}>
          {at}
          {window_name}
        </span>
      )}
    </li>
  )
}
