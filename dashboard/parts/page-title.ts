import { useEffect } from 'react'

let title = document.title
let mark: string | null = null

function show(): void {
  document.title = mark === null ? title : `${mark} · ${title}`
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
export function useTitleMark(own: string | null): void {
  useEffect(() => {
    mark = own
    show()
    return () => {
      mark = null
      show()
    }
  }, [own])
}
