import { useEffect, useRef, useState } from 'react'

/** An entry that is on show, with its own time, by the clock of the service. */
type Timed = { at: string }

/**
 * Keeps an answer on show while others follow, so that no line moves from under a reader's eyes. The newest one takes its
 * place when the reader asks for it (`renew`), and while nobody sees the page. `fill` is what an answer without lines
 * makes way for: what is shown then must fit into the place that was kept.
 */
export function useHeld<Answer extends Timed>(
  latest: Answer,
  fill: (shown: Answer, latest: Answer) => Answer,
): { shown: Answer; newSince: string; renew: () => void } {
  // Everything that began after `newSince` is marked as new.
  const [held, setHeld] = useState({ shown: latest, newSince: latest.at })
  const isAway = useAway(latest.at)
  const next = isAway ? latest : fill(held.shown, latest)
  // React draws again at once, with what is remembered now.
  if (next !== held.shown) setHeld({ ...held, shown: next })
  return {
    shown: next,
    newSince: held.newSince,
    renew: () => setHeld({ shown: latest, newSince: held.shown.at }),
  }
}

/** Whether the page is hidden, or was and has had no newer answer since. */
function useAway(at: string): boolean {
  const [leftAt, setLeftAt] = useState<string | null>(null)
  const [isHidden, setHidden] = useState(false)
  const newest = useRef(at)
  useEffect(() => {
    newest.current = at
  }, [at])
  useEffect(() => {
    function look() {
      const hidden = document.visibilityState === 'hidden'
      setHidden(hidden)
      if (!hidden) setLeftAt(newest.current)
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  if (isHidden || leftAt === null) return isHidden
  if (leftAt === at) return true
  setLeftAt(null)
  return true
}
