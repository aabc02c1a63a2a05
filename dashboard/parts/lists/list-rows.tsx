import type { ReactNode } from 'react'
import type * as z from 'zod'
import type { PageMeta } from '../../../src/core/pagination.ts'
import { Trouble } from '../feedback/trouble.tsx'
import { Pages } from '../pages.tsx'
import { Waiting } from '../panel.tsx'
import { HeldArea, type HeldRows } from './held-list.tsx'

/** The rows of one page of a list, and its pages; `none` stands in place of rows. */
export function ListRows<Row>({
  answer: { data, error },
  held,
  isLow = false,
  none,
  onPage,
  children,
}: {
  answer: { data: { data: Row[]; meta: z.infer<typeof PageMeta> } | undefined; error: Error | null }
  /** Those of a list that changes while it is read. */
  held?: HeldRows<Row>
  isLow?: boolean
  none: ReactNode
  onPage: (page: number) => void
  children: (rows: readonly Row[]) => ReactNode
}) {
  if (!data) return error ? <Trouble error={error} within /> : <Waiting lines={8} />
  const rows = held?.rows ?? data.data
  const shown = rows.length > 0 ? children(rows) : none
  return (
    <>
      {held ? (
        <HeldArea held={held} isLow={isLow}>
          {shown}
        </HeldArea>
      ) : (
        shown
      )}
      <Pages meta={data.meta} onPage={onPage} />
    </>
  )
}
