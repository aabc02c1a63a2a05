import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Moves the focus into the new screen, so that screen readers and Tab continue there. A field that already took the
 * focus keeps it; the first screen of a visit begins at its top, like any page.
 */
export function useArrival(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const last = useRef(path)
  useEffect(() => {
    const from = last.current
    last.current = path
    if (from === undefined || path === from) return
    const main = document.querySelector('main')
    if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
  }, [path])
}
