import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'

/**
 * The search and the filters of a list, in the columns given. On a narrow screen the filters are folded behind a button
 * that says how many are in use.
 */
export function Filters({
  search,
  used,
  columns,
  children,
}: {
  /** Never folded. */
  search?: ReactNode
  used: number
  columns: string
  children: ReactNode
}) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <search className={`mb-4 grid gap-3 ${columns}`}>
      <div className="flex items-end gap-2 lg:contents">
        {search && <div className="min-w-0 flex-1 lg:contents">{search}</div>}
        <Button
          className="lg:hidden"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden size={16} />
          {used > 0 ? t('Filters ({count})', { count: used }) : t('Filters')}
        </Button>
      </div>
      <div id={id} className={`${isOpen ? 'grid grid-cols-2 items-end gap-3' : 'hidden'} lg:contents`}>
        {children}
      </div>
    </search>
  )
}

/** How many of the given filters are in use. */
export function countUsed(...filters: unknown[]): number {
  return filters.filter((filter) => filter !== undefined).length
}
