import { Fragment, type ReactNode } from 'react'
import { Trouble } from '../feedback/trouble.tsx'
import { Waiting } from '../panel.tsx'

/** The page of a record once it is there; another record is another page. */
export function RecordScreen<Shown extends { id: number }>({
  record: { data, error },
  isPending = false,
  children,
}: {
  record: { data: { data: Shown } | undefined; error: Error | null }
  /** Something that the page begins with is still to come: what came later would move all below it. */
  isPending?: boolean
  children: (record: Shown) => ReactNode
}) {
  if (data && !isPending) return <Fragment key={data.data.id}>{children(data.data)}</Fragment>
  return error ? <Trouble error={error} /> : <Waiting lines={8} />
}
