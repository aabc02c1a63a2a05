import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { StatusPageDetail } from '../../../src/core/status-pages/shown-page.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { useNotices } from '../feedback/notices.tsx'

/** A page with everything that its editor shows. */
export function usePage(id: number) {
  const { id: team } = useTeam()
  return useQuery(question(team, 'getStatusPage', { id }))
}

/** Changes a page by one of the operations that answer with the whole page, and says so. */
export function useChangePage(said: string, onDone?: () => void) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  return useMutation({
    mutationFn: (change: () => Promise<{ data: StatusPageDetail }>) => change(),
    onSuccess: ({ data }) => {
      queries.setQueryData(question(team, 'getStatusPage', { id: data.id }).queryKey, { data })
      void queries.invalidateQueries({ queryKey: [team, 'listStatusPages'] })
      say.done(said)
      onDone?.()
    },
  })
}
