import { useQueryClient } from '@tanstack/react-query'
import { ask } from '../../data/ask.ts'
import { Problem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import type { Undo } from '../../parts/feedback/notices.tsx'

/** Restores monitors that were just deleted, one after the other. One that somebody else has restored is no fault. */
export function useRestore(monitors: readonly number[]): Undo {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  return async () => {
    try {
      for (const id of monitors) {
        await ask(team, 'restoreMonitor', { id }).catch((error) => {
          if (!(error instanceof Problem) || error.status !== 404) throw error
        })
      }
    } finally {
      void queries.invalidateQueries({ queryKey: [team] })
    }
  }
}
