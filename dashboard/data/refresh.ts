import type { Query, QueryClient } from '@tanstack/react-query'

/**
 * Has stale answers fetched again: at once where somebody sees them. One that is being fetched for the first time may be
 * from before the news, and the cache does not begin anew before its first answer, so it is fetched again after it.
 */
export async function refresh(queries: QueryClient, isStale: (query: Query) => boolean): Promise<void> {
  const first = queries.getQueryCache().findAll({ predicate: isStale }).filter(isUnanswered)
  await queries.invalidateQueries({ predicate: isStale })
  if (first.length > 0) await queries.invalidateQueries({ predicate: (query) => first.includes(query) })
}

function isUnanswered({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus !== 'idle'
}
