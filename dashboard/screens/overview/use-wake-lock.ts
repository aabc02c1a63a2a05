import { useEffect } from 'react'

/**
 * Keeps the screen on while the page is seen, where the browser can and the page came over TLS. Browsers give the lock up
 * when the page is hidden.
 */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | null> = Promise.resolve(null)
    function ask() {
      if (document.visibilityState === 'hidden' || !('wakeLock' in navigator)) return
      // Refused when the battery is low, for example.
      lock = navigator.wakeLock.request('screen').catch(() => null)
    }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      document.removeEventListener('visibilitychange', ask)
      void lock.then((held) => held?.release())
    }
  }, [])
}
