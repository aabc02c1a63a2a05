import { useEffect } from 'react'

/** What the tab of the browser and its history say; null leaves it to another part of the screen. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${title} · Upbeat`
  }, [title])
}
