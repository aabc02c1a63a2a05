import { useState } from 'react'

/**
 * Keeps rows in place while the same ones arrive in another order, so that no row moves from under the pointer. `list`
 * names what is shown; another list, or other rows, appear in the order of the service.
 */
export function useSteadyOrder<Row extends { id: number }>(
  rows: Row[],
  list: string,
): { rows: Row[]; isOutOfOrder: boolean; sortAnew: () => void } {
  const ids = rows.map(({ id }) => id)
  const [shown, setShown] = useState({ list, ids })
  const places = new Map(shown.ids.map((id, place) => [id, place]))
  const isSame = shown.list === list && ids.length === places.size && ids.every((id) => places.has(id))
  const sortAnew = () => setShown({ list, ids })
  // React draws again at once, with what is remembered now.
  if (!isSame) sortAnew()
  const placeOf = ({ id }: Row) => places.get(id) ?? 0
  const steady = isSame ? [...rows].sort((a, b) => placeOf(a) - placeOf(b)) : rows
  return { rows: steady, isOutOfOrder: steady.some(({ id }, index) => id !== ids[index]), sortAnew }
}
