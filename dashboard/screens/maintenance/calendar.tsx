import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_OCCURRENCES, type OccurrenceRow } from '../../../src/core/maintenance/shown-window.ts'
import { question } from '../../data/ask.ts'
import { type GridDay, monthDays, monthOf, monthWeeks, onDay } from '../../data/month-grid.ts'
import { useTeam } from '../../data/session.ts'
import { localDateOf, readerZone } from '../../data/zone-time.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { MonthHead } from '../../parts/calendar/month-head.tsx'
import { Answered } from '../../parts/feedback/answered.tsx'
import { Panel } from '../../parts/panel.tsx'
import { CalendarDay, CalendarDays } from './calendar-days.tsx'
import { CalendarWeek, WEEKDAYS } from './calendar-week.tsx'

/** Past and planned maintenance of a month, in the reader's zone: a grid, or on a phone a list by day. */
export function MaintenanceCalendar({
  month: asked,
  onMonth,
}: {
  month: string | undefined
  onMonth: (month: string | undefined) => void
}) {
  const { id } = useTeam()
  const zone = readerZone()
  const now = new Date()
  const month = asked ?? monthOf(now, zone)
  const today = localDateOf(now, zone)
  const [chosen, setChosen] = useState<string | null>(null)
  const days = monthDays(month, zone)
  const [first, last] = [days[0], days.at(-1)] as [GridDay, GridDay]
  const answer = useQuery({
    ...question(id, 'listMaintenanceOccurrences', {
      query: { from: first.from.toISOString(), to: last.to.toISOString() },
    }),
    placeholderData: keepPreviousData,
  })
  const occurrences = answer.data?.data ?? []
  const dayOf = (date: string | null) => days.find((day) => day.date === date)
  const day = dayOf(chosen) ?? dayOf(today) ?? days.find(({ isInMonth }) => isInMonth) ?? first

  return (
    <Panel>
      <MonthHead month={month} onMonth={onMonth} />
      <Answered answer={answer} lines={10}>
        {() => (
          <div aria-busy={answer.isPlaceholderData} className={answer.isPlaceholderData ? 'opacity-60' : ''}>
            <Month {...{ days, today, occurrences, chosen: day, onChoose: setChosen }} />
            <CalendarDays days={days.filter(({ isInMonth }) => isInMonth)} occurrences={occurrences} />
          </div>
        )}
      </Answered>
      {occurrences.length >= MAX_OCCURRENCES && (
        <p className="border-t border-line px-4 py-2 text-sm text-soft">
          {t('Only the first {count} of the month are shown.', { count: sayCount(MAX_OCCURRENCES) })}
        </p>
      )}
      <p className="border-t border-line px-4 py-2 text-sm text-soft">
        {t('Times are in {zone}.', { zone })}
      </p>
    </Panel>
  )
}

function Month({
  days,
  today,
  occurrences,
  chosen,
  onChoose,
}: {
  days: GridDay[]
  today: string
  occurrences: OccurrenceRow[]
  chosen: GridDay
  onChoose: (date: string) => void
}) {
  /** One day takes the focus; the arrow keys move it, and Enter shows what is on that day. */
  const [focused, setFocused] = useState<string | null>(null)
  const stop = days.some(({ date }) => date === focused) ? focused : chosen.date

  function move(event: React.KeyboardEvent<HTMLElement>) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key]
    const next = step && days[days.findIndex(({ date }) => date === stop) + step]
    if (!next || !(event.target as HTMLElement).dataset.date) return
    event.preventDefault()
    setFocused(next.date)
    event.currentTarget.querySelector<HTMLElement>(`[data-date="${next.date}"]`)?.focus()
  }

  return (
    <div className="max-sm:hidden">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div role="group" aria-label={t('Days')} onKeyDown={move}>
        <div aria-hidden className="grid grid-cols-7 border-b border-line text-sm text-soft">
          {WEEKDAYS.map((name) => (
            <span key={name} className="px-2 py-1.5">
              {name}
            </span>
          ))}
        </div>
        {monthWeeks(days, occurrences).map((week) => (
          <CalendarWeek
            key={week.days[0]?.date}
            week={week}
            today={today}
            chosen={chosen.date}
            stop={stop ?? chosen.date}
            onChoose={(date) => {
              setFocused(date)
              onChoose(date)
            }}
          />
        ))}
      </div>
      <div aria-live="polite" className="px-4 py-3">
        <CalendarDay day={chosen} occurrences={onDay(chosen, occurrences)} />
      </div>
    </div>
  )
}
