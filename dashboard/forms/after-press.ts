import { useCallback, useEffect, useRef } from 'react'

/**
 * Runs what is handed over: at once, or after the click when a pointer is pressed just now. What moves a button
 * between press and release would take the click away from it.
 */
export function useAfterPress(): (run: () => void) => void {
  const isPressed = useRef(false)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    const listening = new AbortController()
    function release() {
      isPressed.current = false
      // The click itself comes after the release.
      setTimeout(() => {
        for (const run of waiting.current.splice(0)) run()
      })
    }
    const options = { signal: listening.signal, capture: true }
    addEventListener('pointerdown', () => (isPressed.current = true), options)
    addEventListener('pointerup', release, options)
    addEventListener('pointercancel', release, options)
    return () => listening.abort()
  }, [])
  return useCallback((run) => {
    if (isPressed.current) waiting.current.push(run)
    else run()
  }, [])
}
