import { useQueryClient } from '@tanstack/react-query'
import { SUBJECTS } from '../../../src/contract/subjects.ts'
import { KEPT_KINDS, type KeptKind } from '../../../src/core/history/kept-record.ts'
import { ask } from '../../data/ask.ts'
import { Problem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import type { Undo } from '../feedback/notices.tsx'

const OF_SUBJECTS: readonly string[] = Object.values(SUBJECTS).map(({ name }) => name)

function isKept(of: string): of is KeptKind {
  return (KEPT_KINDS as readonly string[]).includes(of)
}

/**
 * The way to take back deletions of records, which their notices offer; undefined where a deletion is for good. Records are
 * named as their operations name them. They are restored one after the other: the service keeps them, so nothing is lost if
 * the notice is left alone or the tab is closed. One that somebody else has restored is no fault.
 */
export function useUndo({ of }: { of: string }): (ids: readonly number[]) => Undo | undefined {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  if (!isKept(of) && !OF_SUBJECTS.includes(of)) return () => undefined
  return (ids) => async () => {
    try {
      for (const id of ids) {
        await restore(team, of, id).catch((error) => {
          if (!(error instanceof Problem) || error.status !== 404) throw error
        })
      }
    } finally {
      void queries.invalidateQueries({ queryKey: [team] })
    }
  }
}

function restore(team: number, of: string, id: number): Promise<unknown> {
  return isKept(of)
    ? ask(team, 'restoreRecord', { body: { kind: of, id } })
    : ask(team, `restore${of}` as 'restoreSite', { id })
}
