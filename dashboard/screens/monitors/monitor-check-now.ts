import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import { ask } from '../../data/ask.ts'

const POLL_MS = 500
const MAX_MS = 30_000

/** Requests a check of a monitor and resolves with it; null if none arrived in time. */
export function useCheckNow(team: number, id: number) {
  const queries = useQueryClient()
  const gone = useRef<AbortController>(null)
  useEffect(() => () => gone.current?.abort(), [])
  return useMutation({
    mutationFn: async (): Promise<CheckDetail | null> => {
      gone.current?.abort()
      gone.current = new AbortController()
      const { data } = await ask(team, 'checkMonitorNow', { id })
      // A check that was already under way counts, too.
      return newestAfter(team, id, data.newer_than ?? '', gone.current.signal)
    },
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [ofTeam, operation, ofMonitor] }) =>
          ofTeam === team &&
          ofMonitor === id &&
          ['getMonitor', 'getMonitorReport', 'listCheckDetails'].includes(String(operation)),
      }),
  })
}

async function newestAfter(team: number, id: number, edge: string, signal: AbortSignal) {
  const until = performance.now() + MAX_MS
  while (performance.now() < until && !signal.aborted) {
    const { data } = await ask(team, 'listCheckDetails', { id })
    const newest = data[0]
    // Times have one shape, so that their order is that of their text.
    if (newest && newest.checked_at > edge) return newest
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return null
}
