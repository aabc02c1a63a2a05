import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

const SETTLED_MS = 1_000

/**
 * Loads the files of screens that the sidebar leads to, one after the other, once this one has nothing left to do; before
 * them the parts of the first screen, by `loadFirst`, and those that take keys as soon as they are asked for, by `loadNext`.
 */
export function usePreload(
  places: readonly string[],
  team: number,
  loadFirst: () => Promise<void>,
  loadNext: () => Promise<unknown>,
): void {
  const router = useRouter()
  useEffect(() => {
    let isOver = false
    async function load() {
      await loadFirst().catch(() => undefined)
      await loadNext().catch(() => undefined)
      for (const to of places) {
        if (isOver) return
        // No data: a screen asks for that itself. A file that fails to load is asked for again by the click.
        await router.preloadRoute({ to, params: { team: String(team), monitor: '0' } }).catch(() => undefined)
      }
    }
    const timer = setTimeout(load, SETTLED_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [router, places, team, loadFirst, loadNext])
}
