import { useEffect } from 'react'

/** Stand before the title of every screen, in this order. */
const MARKS = ['connection', 'down'] as const
type Mark = (typeof MARKS)[number]

let title = document.title
const marks = new Map<Mark, string>()

function show(): void {
  document.title = [...MARKS.flatMap((mark) => marks.get(mark) ?? []), title].join(' · ')
}

/** Sets the title of the browser's tab and history entry; null leaves it to another part of the screen. */
export function usePageTitle(own: string | null): void {
  useEffect(() => {
    if (own === null) return
    title = `${own} · Upbeat`
    show()
  }, [own])
}

/** Sets a mark before the title of every screen; null removes it. */
export function useTitleMark(mark: Mark, own: string | null): void {
  useEffect(() => {
    if (own !== null) marks.set(mark, own)
    show()
    return () => {
      marks.delete(mark)
      show()
    }
  }, [mark, own])
}
