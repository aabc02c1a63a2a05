import { useSyncExternalStore } from 'react'

/** As wide as `md` of the styles, below which lists show cards instead of columns. */
const narrow = matchMedia('(width < 48rem)')

function listen(listener: () => void) {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the screen is as narrow as a phone's: for content that would otherwise be there twice, hidden once. */
export function useNarrow(): boolean {
  return useSyncExternalStore(listen, () => narrow.matches)
}
