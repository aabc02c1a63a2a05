import { useQueryClient } from '@tanstack/react-query'
import { operationOf, SUBJECTS } from '../../../src/contract/subjects.ts'
import type { SubjectKind } from '../../../src/core/maintenance/subject-kind.ts'
import { ask } from '../../data/ask.ts'
import { Problem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import type { Undo } from '../feedback/notices.tsx'

/**
 * Restores what was just deleted, one after the other: the service keeps it, so nothing is lost if the notice is left alone
 * or the tab is closed. One that somebody else has restored is no fault.
 */
export function useRestore(kind: SubjectKind, ids: readonly number[]): Undo {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  return async () => {
    try {
      for (const id of ids) {
        await ask(team, operationOf(SUBJECTS, kind, 'restore*'), { id }).catch((error) => {
          if (!(error instanceof Problem) || error.status !== 404) throw error
        })
      }
    } finally {
      void queries.invalidateQueries({ queryKey: [team] })
    }
  }
}
