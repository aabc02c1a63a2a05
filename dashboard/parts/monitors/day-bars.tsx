import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { LOCALE, t } from '../../language/language.ts'
import { BAR_FILL } from './uptime-bars.tsx'
import { barPaths, HEIGHT, sayDay, sayDays, WIDTH } from './uptime-days.ts'

const DAY_MS = 86_400_000

const dayName = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/**
 * Bars of days as wide as their place, the newest last, with the figures of one day in words below them. Keys move from day
 * to day, as on a slider. Until the days are there, their place is kept.
 */
export function DayBars({
  days,
  maintenance,
  onChoose,
}: {
  days: readonly (number | null)[] | undefined
  /** Seconds of each day. */
  maintenance: readonly number[] | undefined
  /** The start of the day, in milliseconds; without it days cannot be chosen. */
  onChoose?: (dayMs: number) => void
}) {
  const [pointed, setPointed] = useState<number | null>(null)
  const count = days?.length ?? 0
  const last = Math.max(0, count - 1)
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const startOf = (index: number) => today - (last - index) * DAY_MS
  const said = (index: number) =>
    `${dayName.format(startOf(index))}: ${sayDay(days?.[index] ?? null, maintenance?.[index] ?? 0)}`

  function at({ clientX, currentTarget }: PointerEvent<HTMLElement>) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * count))))
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') return onChoose?.(startOf(pointed ?? last))
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    setPointed(Math.max(0, Math.min(last, (pointed ?? last) + steps)))
  }

  return (
    <div className="border-t border-line px-4 pt-3 pb-2" aria-busy={days === undefined}>
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('Uptime, day by day')}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={pointed ?? last}
        aria-valuetext={days ? said(pointed ?? last) : t('Loading')}
        onKeyDown={press}
        onBlur={() => setPointed(null)}
        onPointerMove={at}
        onPointerLeave={() => setPointed(null)}
        onClick={() => pointed !== null && onChoose?.(startOf(pointed))}
        className={`h-9 ${onChoose ? 'cursor-pointer' : ''}`}
      >
        {days && (
          <svg
            viewBox={`0 0 ${count * WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
            className="h-full w-full"
          >
            {pointed !== null && (
              <rect x={pointed * WIDTH - 0.75} width={WIDTH} height={HEIGHT} className="fill-sunken" />
            )}
            {barPaths(days, maintenance ?? []).map(({ tone, path }) => (
              <path key={tone} d={path} className={BAR_FILL[tone]} />
            ))}
          </svg>
        )}
      </div>
      <p className="mt-1 flex h-5 justify-between gap-3 text-sm text-soft">
        <span aria-hidden="true" className={pointed === null ? '' : 'max-sm:hidden'}>
          {t('90 days ago')}
        </span>
        <span className="truncate">
          {pointed === null ? (
            <span className="sr-only">{days && sayDays(days, maintenance ?? [])}</span>
          ) : (
            said(pointed)
          )}
        </span>
        <span aria-hidden="true" className={pointed === null ? '' : 'max-sm:hidden'}>
          {t('Today')}
        </span>
      </p>
    </div>
  )
}
