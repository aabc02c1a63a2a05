import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FirstSteps } from '../../../src/core/overview/first-steps.ts'
import { ask, question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { useNotices } from '../../parts/feedback/notices.tsx'

/** The steps that a new team has taken and those that are left, for people who may take them. */
export type ShownSteps = {
  /** Null where nothing is left, or for people who may only read. */
  done: FirstSteps['done'] | null
  isHidden: boolean
  /** Hides them from this person, on every device. */
  hide: () => void
  isPending: boolean
}

export function useFirstSteps(): ShownSteps {
  const { id, may } = useTeam()
  const queries = useQueryClient()
  const say = useNotices()
  const isAsked = may('write')
  const asked = question(id, 'getFirstSteps', {})
  const { data, isPending, errorUpdateCount } = useQuery({ ...asked, enabled: isAsked })
  const hiding = useMutation({
    mutationFn: () => ask(id, 'hideFirstSteps', {}),
    onError: say.problem,
    onSettled: () => queries.invalidateQueries({ queryKey: asked.queryKey }),
  })
  return {
    done: isAsked && data?.data.is_shown ? data.data.done : null,
    // They are gone with the press; if it failed, they are there again.
    isHidden: hiding.isPending || data?.data.is_hidden === true,
    hide: () => hiding.mutate(),
    // Asked again after a failure, they are not waited for again.
    isPending: isAsked && isPending && errorUpdateCount === 0,
  }
}
