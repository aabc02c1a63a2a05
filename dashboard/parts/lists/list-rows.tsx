import type { ReactNode } from 'react'
import type * as z from 'zod'
import type { PageMeta } from '../../../src/core/pagination.ts'
import { Trouble } from '../feedback/trouble.tsx'
import { Pages } from '../pages.tsx'
import { Waiting } from '../panel.tsx'

/** The rows of one page of a list, and its pages; `none` stands in place of rows. */
export function ListRows<Row>({
  answer: { data, error },
  none,
  onPage,
  children,
}: {
  answer: { data: { data: Row[]; meta: z.infer<typeof PageMeta> } | undefined; error: Error | null }
  none: ReactNode
  onPage: (page: number) => void
  children: (rows: Row[]) => ReactNode
}) {
  if (!data) return error ? <Trouble error={error} within /> : <Waiting lines={8} />
  return (
    <>
      {data.data.length > 0 ? children(data.data) : none}
      <Pages meta={data.meta} onPage={onPage} />
    </>
  )
}
