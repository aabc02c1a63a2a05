import { useEffect } from 'react'

let title = document.title
let mark: string | null = null

function show(): void {
  document.title = mark === null ? title : `${mark} · ${title}`
}

/** What the tab of the browser and its history say; null leaves it to another part of the screen. */
export function usePageTitle(own: string | null): void {
  useEffect(() => {
    if (own === null) return
    title = `${own} · Upbeat`
    show()
  }, [own])
}

/** What the tab says before the title, whatever screen is there; null for nothing. */
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
