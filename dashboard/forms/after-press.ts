import { useCallback, useEffect, useRef } from 'react'

/**
 * Runs a function at once, or after the click while a pointer is pressed: moving a button between press and release
 * would lose the click.
 */
export function useAfterPress(): (run: () => void) => void {
  const isPressed = useRef(false)
  const waiting = useRef<(() => void)[]>([])
  useEffect(() => {
    const listening = new AbortController()
    function release() {
      isPressed.current = false
      // The click event follows the release.
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
