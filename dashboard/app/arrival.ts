import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Brings the focus into the new screen, so that screen readers begin there and Tab goes on from there. A field that
 * took it already keeps it; the first screen of a visit begins at its top, as every page does.
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
