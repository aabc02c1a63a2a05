import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { StatusPostDetail } from '../../../src/core/status-pages/shown-post.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { type Undo, useNotices } from '../feedback/notices.tsx'

/** Changes a post by one of the operations that answer with the whole post, and says so; `undo` takes it back from the notice. */
export function useChangePost(said: string, onDone?: () => void, undo?: Undo) {
  const { id: team } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  return useMutation({
    mutationFn: (change: () => Promise<{ data: StatusPostDetail }>) => change(),
    onSuccess: ({ data }) => {
      queries.setQueryData(question(team, 'getStatusPost', { id: data.id }).queryKey, { data })
      void queries.invalidateQueries({ queryKey: [team, 'listStatusPosts'] })
      say.done(said, undo)
      onDone?.()
    },
  })
}
