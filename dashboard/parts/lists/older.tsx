import { useMemo, useState } from 'react'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'
import { type HeldRows, useHeldRows } from './held-list.tsx'

/** A list that is asked for part by part, newest first. */
type Parts<Row> = {
  data: { pages: readonly { data: readonly Row[] }[] } | undefined
  hasNextPage: boolean
  isFetching: boolean
  isFetchingNextPage: boolean
  isPlaceholderData: boolean
  fetchNextPage: () => Promise<unknown>
}

const asAnswered = <Row,>(rows: readonly Row[]) => rows

/**
 * The newest rows of a list, which keep their places while somebody is at them, with a button below them for more. `list`
 * names the question, and `inOrder` sorts what all parts have; it is the same function at each call.
 */
export function useOlder<Row>(
  answer: Parts<Row>,
  {
    first,
    more,
    keyOf,
    list = '',
    inOrder = asAnswered,
  }: {
    first: number
    more: number
    keyOf: (row: Row) => string
    list?: string
    inOrder?: (rows: readonly Row[]) => readonly Row[]
  },
) {
  const [count, setCount] = useState(first)
  const { data, hasNextPage, isFetching, isFetchingNextPage, isPlaceholderData, fetchNextPage } = answer
  const rows = useMemo(() => inOrder(data?.pages.flatMap((part) => [...part.data]) ?? []), [data, inOrder])
  const newest = useMemo(() => rows.slice(0, count), [rows, count])
  // More of them are asked for by the reader, and shown at once.
  const asked = `${list} ${count} ${isPlaceholderData}`
  const held: HeldRows<Row> = useHeldRows(newest, { keyOf, list: asked, isFetching })
  async function showOlder() {
    if (rows.length < count + more && hasNextPage) await fetchNextPage()
    setCount(count + more)
  }
  return {
    held,
    /** Goes back to the first rows. */
    startOver: () => setCount(first),
    older: (hasNextPage || rows.length > count) && (
      <div className="border-t border-line p-2 text-center">
        <Button tone="quiet" busy={isFetchingNextPage} onClick={() => void showOlder()}>
          {t('Show older')}
        </Button>
      </div>
    ),
  }
}
