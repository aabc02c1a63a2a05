import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { OwnTeam, SignedIn } from '../../src/core/accounts/signed-in.ts'
import { type Access, mayUse } from '../../src/core/teams/access.ts'
import { t } from '../language/language.ts'
import { askAccount } from './account.ts'
import { forgetLastSeen, forgetSeenBefore, OFFLINE_KEY, showLastSeen } from './device/last-seen.ts'
import { Problem } from './problem.ts'
import { announceSession, noteSession } from './sign-in/session-end.ts'

export const SESSION_KEY = ['session']

/** Null while signed out. Without a connection, a page that has just been opened goes on with what was last seen. */
export const sessionQuestion = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async ({ client }): Promise<SignedIn | null> => {
    try {
      const session = await askAccount('showSession', {})
      noteSession(session)
      forgetSeenBefore(session)
      client.setQueryData(OFFLINE_KEY, null)
      return session
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.status === 401) {
        forgetLastSeen()
        return null
      }
      const isNewPage = client.getQueryData(SESSION_KEY) === undefined
      const lastSeen = error.status === 0 && isNewPage ? showLastSeen(client) : null
      if (!lastSeen) throw error
      return lastSeen
    }
  },
  // Tried, whatever the browser thinks of its connection: what was last seen is the answer otherwise.
  networkMode: 'always',
})

/** Call after signing in: drops the cached answers of the person before. */
export async function enterSession(queries: QueryClient): Promise<SignedIn | null> {
  queries.removeQueries({ type: 'inactive' })
  announceSession()
  return refreshSession(queries)
}

/** Fetches the session again and waits for it: after a change to a person or their teams. */
export async function refreshSession(queries: QueryClient): Promise<SignedIn | null> {
  return queries.fetchQuery({ ...sessionQuestion, staleTime: 0 })
}

/** Serves screens behind the sign-in. */
export function useSession(): SignedIn {
  const { data } = useSuspenseQuery(sessionQuestion)
  if (!data) throw new Problem(401, 'Unauthorized', t('Sign in first.'))
  return data
}

/** The team in the address, with a test of one's permissions in it. */
export function useTeam(): OwnTeam & { may: (access: Access) => boolean } {
  const { teams } = useSession()
  const { team: named } = useParams({ strict: false })
  const team = teams.find(({ id }) => String(id) === named)
  if (!team)
    throw new Problem(404, 'Not Found', t('This team does not exist, or you are not a member of it.'))
  return { ...team, may: (access) => mayUse(team.role, access) }
}
