import type * as z from 'zod'
import type { PageMeta } from '../../src/core/pagination.ts'
import { sayCount } from '../language/count.ts'
import { t } from '../language/language.ts'
import { Button } from './button.tsx'

/** The current page of a list, with buttons to the others. */
export function Pages({
  meta,
  onPage,
}: {
  meta: Pick<z.infer<typeof PageMeta>, 'current_page' | 'last_page' | 'from' | 'to' | 'total'>
  onPage: (page: number) => void
}) {
  const { current_page: page, last_page: last, from, to, total } = meta
  if (total === 0) return null
  return (
    <nav
      aria-label={t('Pages')}
      className="flex items-center justify-between gap-3 border-t border-line px-4 py-2.5 text-sm"
    >
      <span className="text-soft">
        {t('{range} of {total}', { range: `${from ?? 0}–${to ?? 0}`, total: sayCount(total) })}
      </span>
      <span className="flex gap-2">
        <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          {t('Previous')}
        </Button>
        <Button size="small" disabled={page >= last} onClick={() => onPage(page + 1)}>
          {t('Next')}
        </Button>
      </span>
    </nav>
  )
}
