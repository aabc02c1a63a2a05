import { ChevronLeft, ChevronRight } from 'lucide-react'
import { addMonths } from '../../data/month-grid.ts'
import { LOCALE, t } from '../../language/language.ts'
import { Button } from '../button.tsx'

const monthName = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The name of a month such as `2026-11`, with the ways to others; undefined is the present one. */
export function MonthHead({
  title,
  month,
  onMonth,
}: {
  /** Stands before the name. */
  title?: string | undefined
  month: string
  onMonth: (month: string | undefined) => void
}) {
  const named = monthName.format(new Date(`${month}-01T00:00Z`))
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-4 py-1">
      <h2 className={`mr-auto font-semibold ${title ? 'max-sm:basis-full' : ''}`} aria-live="polite">
        {title ? t('{title}: {month}', { title, month: named }) : named}
      </h2>
      <Button size="small" aria-label={t('Previous month')} onClick={() => onMonth(addMonths(month, -1))}>
        <ChevronLeft aria-hidden size={16} />
      </Button>
      <Button size="small" onClick={() => onMonth(undefined)}>
        {t('Today')}
      </Button>
      <Button size="small" aria-label={t('Next month')} onClick={() => onMonth(addMonths(month, 1))}>
        <ChevronRight aria-hidden size={16} />
      </Button>
    </header>
  )
}
