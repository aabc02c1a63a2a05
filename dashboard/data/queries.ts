import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isOffline, keepLastSeen } from './device/last-seen.ts'
import { Problem } from './problem.ts'
import { SESSION_KEY } from './session.ts'

const RETRIES = 2

/** The cache of answers. The live stream says what is stale, so nothing is refetched just because time passed. */
export function createQueries(): QueryClient {
  /** Refetching an ended session leads to the sign-in page. */
  function noticeEnd(error: Error) {
    const isOver = error instanceof Problem && error.status === 401
    if (isOver) void queries.invalidateQueries({ queryKey: SESSION_KEY })
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: (_data, { queryKey }) => keepLastSeen(queries, queryKey),
      onError: (error, { queryKey }) => {
        if (queryKey[0] !== SESSION_KEY[0]) noticeEnd(error)
      },
    }),
    mutationCache: new MutationCache({ onError: noticeEnd }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < RETRIES && isWorthRetrying(error) && !isOffline(queries),
      },
      mutations: { retry: false },
    },
  })
  return queries
}

function isWorthRetrying(error: Error): boolean {
  return !(error instanceof Problem) || error.status === 0 || error.status >= 500
}
