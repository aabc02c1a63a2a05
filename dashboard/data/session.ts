import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { OwnTeam, SignedIn } from '../../src/core/accounts/signed-in.ts'
import { type Access, mayUse } from '../../src/core/teams/access.ts'
import { askAccount } from './account.ts'
import { Problem } from './problem.ts'

export const SESSION_KEY = ['session']

/** Null when nobody is signed in. */
export const sessionQuestion = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async (): Promise<SignedIn | null> => {
    try {
      return await askAccount('showSession', {})
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null
      throw error
    }
  },
})

/** After signing in: nothing that somebody else was answered is shown to who came now. */
export async function enterSession(queries: QueryClient): Promise<SignedIn | null> {
  queries.removeQueries({ type: 'inactive' })
  return refreshSession(queries)
}

/** Asks anew who is signed in, and waits for the answer: after what changes a person or their teams. */
export async function refreshSession(queries: QueryClient): Promise<SignedIn | null> {
  return queries.fetchQuery({ ...sessionQuestion, staleTime: 0 })
}

/** For screens that are shown to people who are signed in only. */
export function useSession(): SignedIn {
  const { data } = useSuspenseQuery(sessionQuestion)
  if (!data) throw new Problem(401, 'Unauthorized', 'Sign in first.')
  return data
}

/** The team that the address names, and what one may do in it. */
export function useTeam(): OwnTeam & { may: (access: Access) => boolean } {
  const { teams } = useSession()
  const { team: named } = useParams({ strict: false })
  const team = teams.find(({ id }) => String(id) === named)
  if (!team) throw new Problem(404, 'Not Found', 'There is no such team, or you are no member of it.')
  return { ...team, may: (access) => mayUse(team.role, access) }
}
