import { type FocusEvent, useEffect, useRef, useState } from 'react'

/** A row that shows more of itself, or a menu of one. */
const OPEN = 'details[open], [aria-expanded=true]'

/**
 * Whether somebody is at a list: the pointer is over it, it is scrolled, the keyboard is in it, a text of it is selected,
 * or one of its rows is open. The area is the element around it, which gets `area`.
 */
export function useReading<Area extends HTMLElement>() {
  const ref = useRef<Area>(null)
  const [isOver, setOver] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const [isScrolled, setScrolled] = useState(false)
  const [isMarked, setMarked] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const look = () => {
      const selection = document.getSelection()
      setScrolled(window.scrollY > 0)
      setMarked(Boolean(selection && !selection.isCollapsed && ref.current?.contains(selection.anchorNode)))
      setOpen(Boolean(ref.current?.querySelector(OPEN)))
    }
    // A press opens it before the next frame.
    const lookSoon = () => requestAnimationFrame(look)
    // Whether the page is scrolled takes its layout, which the next frame makes anyhow.
    const first = lookSoon()
    // A toggle does not bubble.
    const events = ['scroll', 'selectionchange', 'toggle'] as const
    for (const event of events) document.addEventListener(event, look, { capture: true, passive: true })
    document.addEventListener('click', lookSoon)
    return () => {
      cancelAnimationFrame(first)
      document.removeEventListener('click', lookSoon)
      for (const event of events) document.removeEventListener(event, look, { capture: true })
    }
  }, [])
  return {
    isReading: isOver || hasFocus || isScrolled || isMarked || isOpen,
    area: {
      ref,
      onPointerEnter: () => setOver(true),
      onPointerLeave: () => setOver(false),
      // A press of the pointer leaves a focus that nobody sees: the pointer itself says where the reader is.
      onFocus: ({ target }: FocusEvent) => setFocus(target.matches(':focus-visible')),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<Area>) => {
        if (!currentTarget.contains(relatedTarget)) setFocus(false)
      },
    },
  }
}
