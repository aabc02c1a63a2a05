import type { ShownShift } from '../../../src/core/on-call/shown-schedule.ts'
import { type GridDay, monthDays } from '../../data/month-grid.ts'
import { localDateOf, readerZone } from '../../data/zone-time.ts'
import { t } from '../../language/language.ts'
import { MonthHead } from '../calendar/month-head.tsx'
import { Answered } from '../feedback/answered.tsx'
import { Panel } from '../panel.tsx'
import { lookOf } from './participant-look.ts'
import { ShiftList } from './shift-list.tsx'
import type { Named, ShownSpan } from './shift-parts.ts'
import { ShiftWeeks } from './shift-weeks.tsx'

/** The time whose shifts the picture of a month shows: whole weeks, in the reader's zone. */
export function shownSpan(month: string): { from: string; until: string } {
  const days = monthDays(month, readerZone())
  const [first, last] = [days[0], days.at(-1)] as [GridDay, GridDay]
  return { from: first.from.toISOString(), until: last.to.toISOString() }
}

/** The shifts of a month, in the reader's zone: a strip for each week, or on a phone a list. Gaps are marked. */
export function ShiftMonth({
  title,
  month,
  onMonth,
  shifts,
  error,
  isStale = false,
  participants,
  overrides = [],
  chosen,
  onChoose,
}: {
  title?: string
  month: string
  onMonth: (month: string | undefined) => void
  /** Undefined while they are on their way. */
  shifts: readonly ShownShift[] | undefined
  error: unknown
  isStale?: boolean
  participants: readonly Named[]
  overrides?: readonly (ShownSpan & { participant: number })[]
  chosen?: string | undefined
  /** A shift by its start. */
  onChoose?: (startsAt: string) => void
}) {
  const zone = readerZone()
  const days = monthDays(month, zone)
  return (
    <Panel isStale={isStale}>
      <MonthHead {...{ title, month, onMonth }} />
      <Answered answer={{ data: shifts, error }} lines={10}>
        {(known) => (
          <>
            <ShiftWeeks
              {...{ days, shifts: known, participants, overrides, chosen, onChoose }}
              today={localDateOf(new Date(), zone)}
            />
            <ShiftList {...{ days, shifts: known, participants, overrides }} />
          </>
        )}
      </Answered>
      <Legend participants={participants} />
      <p className="border-t border-line px-4 py-2 text-sm text-soft">
        {t('Times are in {zone}.', { zone })}
      </p>
    </Panel>
  )
}

function Legend({ participants }: { participants: readonly Named[] }) {
  return (
    <ul
      aria-label={t('Participants')}
      className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2.5 text-sm"
    >
      {participants.map(({ key, name }) => (
        <li key={key} className="flex min-w-0 items-center gap-1.5">
          <span aria-hidden className={`size-2.5 shrink-0 rounded-full ${lookOf(key, participants).dot}`} />
          <span className="truncate">{name}</span>
        </li>
      ))}
      <li className="flex items-center gap-1.5 text-degraded">
        <span aria-hidden className="size-2.5 shrink-0 rounded-full border border-dashed border-degraded" />
        {t('Gap: no one')}
      </li>
    </ul>
  )
}
