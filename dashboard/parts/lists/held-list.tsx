import { type ReactNode, useRef, useState } from 'react'
import type * as z from 'zod'
import type { PageMeta } from '../../../src/core/pagination.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { changesOf, hasSame, keepRows, withNewer } from './held-rows.ts'
import { useHeld } from './use-held.ts'
import { useReading } from './use-reading.ts'

const NONE: readonly never[] = []

/** The rows of a live list in the places that they keep while somebody is at it. */
export type HeldRows<Row> = {
  rows: readonly Row[]
  /** How many rows another order waits with, which the button of the area says. */
  changed: number
  /** The keys of rows that are shown though the newest answer has them no longer: it says nothing about them. */
  left: readonly string[]
  isReading: boolean
  renew: () => void
  /** The next answer is shown as it is. */
  release: () => void
  area: ReturnType<typeof useReading<HTMLDivElement>>['area']
}

/** `list` names the question; `isBusy` says that the reader is in the middle of something, such as a selection. */
export function useHeldRows<Row>(
  latest: readonly Row[] = NONE,
  {
    keyOf,
    list,
    isBusy = false,
    isFetching,
  }: { keyOf: (row: Row) => string; list: string; isBusy?: boolean; isFetching: boolean },
): HeldRows<Row> {
  const { isReading, area } = useReading<HTMLDivElement>()
  // An answer of an earlier visit makes way for the one that is on its way already: nobody has begun to read.
  const [isOpening, setOpening] = useState(isFetching)
  if (isOpening && !isFetching) setOpening(false)
  const isRead = isReading || isBusy
  const { shown, renew, release } = useHeld(latest, {
    list,
    // Other rows come where nobody is at the list. The same ones in another order are no news that is worth a move.
    mayMove: (rows) => isOpening || (!isRead && !hasSame(rows, latest, keyOf)),
    keep: (rows, newest) => keepRows(rows, newest, keyOf),
  })
  return { rows: shown, ...changesOf(shown, latest, keyOf), isReading: isRead, renew, release, area }
}

type Answer<Row> = {
  data: { data: Row[]; meta: z.infer<typeof PageMeta> } | undefined
  error: Error | null
  isPlaceholderData: boolean
  isFetching: boolean
}
type RowOf<Given extends Answer<unknown>> = NonNullable<Given['data']>['data'][number]
/** Asks for the rows that an address names, unless it is not `enabled`; the same hook at each call. */
export type UseRows<Search, Given> = (search: Search, enabled: boolean) => Given

/** The rows that an address names, as they are now: a page says nothing about those that it no longer has. */
export function useLiveRows<Search extends object, Given extends Answer<unknown>>(
  useRows: UseRows<Search, Given>,
  search: Search,
  { keyOf, isBusy = false }: { keyOf: (row: RowOf<Given>) => string; isBusy?: boolean },
): { answer: Given; held: HeldRows<RowOf<Given>> } {
  const answer = useRows(search, true)
  const list = `${answer.isPlaceholderData} ${JSON.stringify(search)}`
  const held = useHeldRows<RowOf<Given>>(answer.data?.data, {
    keyOf,
    list,
    isBusy,
    isFetching: answer.isFetching,
  })
  const hasLeft = held.left.length > 0
  const left = useRows({ ids: held.left.join() } as Search, hasLeft)
  const newer: readonly RowOf<Given>[] = (hasLeft && left.data?.data) || NONE
  return { answer, held: { ...held, rows: withNewer(held.rows, newer, keyOf) } }
}

/** A live list, with the button that shows what waits. The button lies over the edge of the list and pushes nothing away. */
export function HeldArea({
  held: { area, changed, renew },
  isLow = false,
  children,
}: {
  held: Pick<HeldRows<never>, 'area' | 'changed' | 'renew'>
  /** Something else stands at the top of the window. */
  isLow?: boolean
  children: ReactNode
}) {
  const list = useRef<HTMLDivElement>(null)
  return (
    <div {...area}>
      <div
        className={`sticky z-10 flex h-0 justify-center ${isLow ? 'top-36 lg:top-24' : 'top-20 lg:top-6'}`}
      >
        {changed > 0 && (
          <Button
            size="small"
            tone="main"
            className="min-w-32 shrink-0 -translate-y-1/2 self-start shadow"
            onClick={(event) => {
              renew()
              // The button goes; the keyboard stays where the rows are.
              if (event.detail === 0) list.current?.focus()
            }}
          >
            {t('{count} changed', { count: sayCount(changed) })}
          </Button>
        )}
      </div>
      <div ref={list} tabIndex={-1} className="outline-none">
        {children}
      </div>
    </div>
  )
}
