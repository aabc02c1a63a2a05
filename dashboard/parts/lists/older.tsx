import { useState } from 'react'
import { t } from '../../language/language.ts'
import { Button } from '../button.tsx'

/** A list that is asked for part by part. */
type Parts = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }

/** The newest rows of a list, with a button below them for more. */
export function useOlder<Row>(
  rows: readonly Row[],
  { hasNextPage, isFetchingNextPage, fetchNextPage }: Parts,
  { first, more }: { first: number; more: number },
) {
  const [count, setCount] = useState(first)
  async function showOlder() {
    if (rows.length < count + more && hasNextPage) await fetchNextPage()
    setCount(count + more)
  }
  return {
    newest: rows.slice(0, count),
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
