import { useEffect, useRef, useState } from 'react'

/**
 * Keeps an answer on show while others follow, so that no line moves from under a reader's hand or eyes. The newest one
 * takes its place when the reader asks for it (`renew`), when `mayMove` says so, and while nobody sees the page. `keep`
 * makes what is shown of the newest answer meanwhile: the same lines in the same places, with what is known of them now.
 */
export function useHeld<Answer>(
  latest: Answer,
  {
    keep,
    mayMove = () => false,
    list = '',
  }: {
    keep: (shown: Answer, latest: Answer) => Answer
    mayMove?: (shown: Answer) => boolean
    /** Names the question: the answer to another one is shown at once. */
    list?: string
  },
): {
  shown: Answer
  /** The answer that was on show before the reader asked for a newer one, or the first one. */
  comparedWith: Answer
  renew: () => void
  /** Takes the next answer as it is: the reader has changed something, and waits for it. */
  release: () => void
} {
  const [held, setHeld] = useState({ list, latest, shown: latest, comparedWith: latest, isReleased: false })
  const isAway = useAway(latest)
  const isNew = held.latest !== latest
  const isFree = isAway || mayMove(held.shown) || held.list !== list || (held.isReleased && isNew)
  const shown = isFree ? latest : isNew ? keep(held.shown, latest) : held.shown
  // React draws again at once, with what is remembered now.
  if (isNew || shown !== held.shown || held.list !== list)
    setHeld({ ...held, list, latest, shown, isReleased: held.isReleased && !isNew })
  return {
    shown,
    comparedWith: held.comparedWith,
    renew: () => setHeld({ ...held, latest, shown: latest, comparedWith: held.shown }),
    release: () => setHeld((now) => ({ ...now, isReleased: true })),
  }
}

/** Whether the page is hidden, or was and has had no newer answer since. */
function useAway(answer: unknown): boolean {
  const [left, setLeft] = useState<{ answer: unknown } | null>(null)
  const [isHidden, setHidden] = useState(false)
  const newest = useRef(answer)
  useEffect(() => {
    newest.current = answer
  }, [answer])
  useEffect(() => {
    function look() {
      const hidden = document.visibilityState === 'hidden'
      setHidden(hidden)
      if (!hidden) setLeft({ answer: newest.current })
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  if (isHidden || left === null) return isHidden
  if (left.answer === answer) return true
  setLeft(null)
  return true
}
