import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import type { ShownShift } from '../../../src/core/on-call/shown-schedule.ts'
import type { GridDay } from '../../data/month-grid.ts'
import { LOCALE, t } from '../../language/language.ts'
import { DayNumber, OddHours } from '../calendar/day-number.tsx'
import { lookOf } from './participant-look.ts'
import { isOverridden, type Named, type ShownSpan } from './shift-parts.ts'
import { saySpan } from './span-words.ts'

const WEEK = 7
/** The share of a week below which a strip has no room for a letter. */
const SHORTEST_NAMED = 0.03

const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' })

type Parts = {
  shifts: readonly ShownShift[]
  participants: readonly Named[]
  overrides: readonly (ShownSpan & { participant: number })[]
  today: string
  chosen: string | undefined
  onChoose: ((startsAt: string) => void) | undefined
}

/** A strip for each week, on which every shift is as long as it lasts. One shift takes the focus; arrows move it. */
export function ShiftWeeks({ days, ...parts }: Parts & { days: GridDay[] }) {
  const [focused, setFocused] = useState<string | null>(null)
  const { shifts, chosen } = parts
  const isThere = (start: string | null | undefined) => shifts.some(({ starts_at }) => starts_at === start)
  const stop = isThere(focused) ? focused : isThere(chosen) ? chosen : shifts[0]?.starts_at

  function move(event: React.KeyboardEvent<HTMLElement>) {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
    const next = step && shifts[shifts.findIndex(({ starts_at }) => starts_at === stop) + step]
    if (!next) return
    event.preventDefault()
    setFocused(next.starts_at)
    event.currentTarget.querySelector<HTMLElement>(`[data-shift="${next.starts_at}"]`)?.focus()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div role="group" aria-label={t('Shifts')} onKeyDown={move} className="max-sm:hidden">
      {Array.from({ length: days.length / WEEK }, (_, week) => {
        const ofWeek = days.slice(week * WEEK, (week + 1) * WEEK)
        return (
          <Week
            key={ofWeek[0]?.date}
            days={ofWeek}
            isFirst={week === 0}
            stop={stop ?? undefined}
            {...parts}
          />
        )
      })}
    </div>
  )
}

function Week({
  days,
  today,
  ...parts
}: Parts & { days: GridDay[]; isFirst: boolean; stop: string | undefined }) {
  const [monday, sunday] = [days[0], days.at(-1)] as [GridDay, GridDay]
  const [fromMs, toMs] = [monday.from.getTime(), sunday.to.getTime()]
  const shown = parts.shifts.filter(
    ({ starts_at, ends_at }) => Date.parse(starts_at) < toMs && Date.parse(ends_at) > fromMs,
  )
  return (
    <div className="relative border-b border-line last:border-b-0">
      <div aria-hidden className="grid grid-cols-7 divide-x divide-line">
        {days.map((day) => (
          <DayHead key={day.date} day={day} isToday={day.date === today} />
        ))}
      </div>
      <div className="absolute inset-x-0 top-8 h-9">
        {shown.map((shift) => (
          <Strip key={shift.starts_at} shift={shift} fromMs={fromMs} toMs={toMs} {...parts} />
        ))}
      </div>
    </div>
  )
}

function DayHead({ day, isToday }: { day: GridDay; isToday: boolean }) {
  return (
    <div className="flex h-20 min-w-0 items-start gap-1.5 p-1.5 text-sm">
      <DayNumber day={day} isToday={isToday} />
      <span className="truncate text-soft">{weekday.format(new Date(`${day.date}T00:00Z`))}</span>
      <OddHours day={day} />
    </div>
  )
}

function Strip({
  shift,
  fromMs,
  toMs,
  participants,
  overrides,
  chosen,
  stop,
  isFirst,
  onChoose,
}: Omit<Parts, 'shifts' | 'today'> & {
  shift: ShownShift
  fromMs: number
  toMs: number
  stop: string | undefined
  isFirst: boolean
}) {
  const { participant, starts_at, ends_at } = shift
  const startMs = Math.max(fromMs, Date.parse(starts_at))
  const endMs = Math.min(toMs, Date.parse(ends_at))
  const share = (ms: number) => `${(100 * ms) / (toMs - fromMs)}%`
  const isContinued = Date.parse(starts_at) < fromMs
  const continues = Date.parse(ends_at) > toMs
  const look = participant
    ? `border-y border-r border-l-4 ${lookOf(participant.key, participants).bar}`
    : 'border border-dashed border-degraded text-degraded'
  const name = participant?.name ?? t('No one')
  const said = t('{name}, {span}', { name, span: saySpan(starts_at, ends_at) })
  // A shift that goes on from week to week is one stop, at its first part.
  const isStop = !isContinued || isFirst
  return (
    <button
      type="button"
      {...(isStop && { 'data-shift': starts_at })}
      tabIndex={isStop && starts_at === stop ? 0 : -1}
      aria-pressed={starts_at === chosen}
      aria-label={said}
      title={said}
      onClick={() => onChoose?.(starts_at)}
      style={{ left: share(startMs - fromMs), width: share(endMs - startMs) }}
      className={`absolute flex h-8 min-w-0 items-center gap-1 overflow-hidden px-1.5 text-left text-sm -outline-offset-2! hover:brightness-95 aria-pressed:ring-2 aria-pressed:ring-ink/40 aria-pressed:ring-inset ${look} ${isContinued ? '' : 'rounded-l'} ${continues ? '' : 'rounded-r'}`}
    >
      {isOverridden(shift, overrides) && <ArrowLeftRight aria-hidden size={14} className="shrink-0" />}
      {(endMs - startMs) / (toMs - fromMs) > SHORTEST_NAMED && <span className="truncate">{name}</span>}
    </button>
  )
}
