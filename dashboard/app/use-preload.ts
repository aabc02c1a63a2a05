import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

const SETTLED_MS = 1_000
/** Between one look and the next at whether somebody waits for anything. */
const LOOK_MS = 100

/**
 * Loads the files of screens that the sidebar leads to, one after the other, once this one has nothing left to do; before
 * them the parts of the first screen, by `loadFirst`, and those that take keys as soon as they are asked for, by `loadNext`.
 * While a screen opens or asks for its data, it has the connection to itself.
 */
export function usePreload(
  places: readonly string[],
  team: number,
  loadFirst: () => Promise<void>,
  loadNext: () => Promise<unknown>,
): void {
  const router = useRouter()
  const queries = useQueryClient()
  useEffect(() => {
    let isOver = false
    const isWaitedFor = () => router.state.status === 'pending' || queries.isFetching() > 0
    async function load() {
      await loadFirst().catch(() => undefined)
      await loadNext().catch(() => undefined)
      for (const to of places) {
        while (!isOver && isWaitedFor()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
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
  }, [router, queries, places, team, loadFirst, loadNext])
}
