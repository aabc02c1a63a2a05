import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import type { ShownShift } from '../../../src/core/on-call/shown-schedule.ts'
import type { GridDay } from '../../data/month-grid.ts'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { lookOf } from './participant-look.ts'
import { isOverridden, type Named, type ShownSpan } from './shift-parts.ts'
import { saySpan } from './span-words.ts'

/** The shifts of a month one below the other: for narrow screens. */
export function ShiftList({
  days,
  shifts,
  participants,
  overrides,
}: {
  days: GridDay[]
  shifts: readonly ShownShift[]
  participants: readonly Named[]
  overrides: readonly (ShownSpan & { participant: number })[]
}) {
  const [showsAll, setShowsAll] = useState(false)
  const ofMonth = days.filter(({ isInMonth }) => isInMonth)
  const fromMs = ofMonth[0]?.from.getTime() ?? 0
  const toMs = ofMonth.at(-1)?.to.getTime() ?? 0
  const shown = shifts.filter(
    ({ starts_at, ends_at }) => Date.parse(starts_at) < toMs && Date.parse(ends_at) > fromMs,
  )
  const past = shown.filter(({ ends_at }) => Date.parse(ends_at) <= Date.now())
  // The present month begins with what runs.
  const isFolded = !showsAll && past.length > 0 && past.length < shown.length
  return (
    <div className="sm:hidden">
      {isFolded && (
        <div className="border-b border-line px-4 py-2">
          <Button size="small" onClick={() => setShowsAll(true)}>
            {t('Show earlier shifts')}
          </Button>
        </div>
      )}
      <ul aria-label={t('Shifts')} className="divide-y divide-line">
        {(isFolded ? shown.slice(past.length) : shown).map((shift) => (
          <li key={shift.starts_at} data-row className="flex items-center gap-2.5 px-4 py-2.5">
            <span
              aria-hidden
              className={`size-2.5 shrink-0 rounded-full ${shift.participant ? lookOf(shift.participant.key, participants).dot : 'border border-dashed border-degraded'}`}
            />
            <span className="min-w-0 flex-1">
              <span
                className={`flex items-center gap-1.5 font-medium break-words ${shift.participant ? '' : 'text-degraded'}`}
              >
                {shift.participant?.name ?? t('No one')}
                {isOverridden(shift, overrides) && (
                  <ArrowLeftRight aria-label={t('Override')} size={14} className="shrink-0 text-soft" />
                )}
              </span>
              <span className="block text-sm text-soft">{saySpan(shift.starts_at, shift.ends_at)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
