import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FirstSteps } from '../../../src/core/overview/first-steps.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'

const HIDDEN_KEY = 'upbeat-first-steps-hidden-'

/** The steps that a new team has taken and those that are left, for people who may take them. */
export type ShownSteps = {
  /** Null where nothing is left, or for people who may only read. */
  done: FirstSteps['done'] | null
  isHidden: boolean
  /** Hides them in this browser. */
  hide: () => void
  isPending: boolean
}

export function useFirstSteps(): ShownSteps {
  const { id, may } = useTeam()
  const key = `${HIDDEN_KEY}${id}`
  const [hidden, setHidden] = useState<string | null>(null)
  const isAsked = may('write')
  const { data, isPending, errorUpdateCount } = useQuery({
    ...question(id, 'getFirstSteps', {}),
    enabled: isAsked,
  })
  return {
    done: isAsked && data?.data.is_shown ? data.data.done : null,
    isHidden: hidden === key || localStorage.getItem(key) !== null,
    hide: () => {
      localStorage.setItem(key, 'hidden')
      setHidden(key)
    },
    // Asked again after a failure, they are not waited for again.
    isPending: isAsked && isPending && errorUpdateCount === 0,
  }
}
