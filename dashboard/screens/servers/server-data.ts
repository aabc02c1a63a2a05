import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { SearchOf } from '../../../src/core/lists/search.ts'
import type { SERVER_LIST } from '../../../src/core/lists/server-list.ts'
import { type AnswerOf, ask, question } from '../../data/ask.ts'
import { PER_PAGE } from '../../data/lists/page-size.ts'
import { RANGE_SECONDS, type ServerPageSearch, type ServerRange } from '../../data/servers/server-search.ts'

export type Server = AnswerOf<'getServer'>['data']
export type History = AnswerOf<'getServerHistory'>['data']
export type ServerIncident = AnswerOf<'listServerIncidents'>['data'][number]

/** News tells of changes of state. Figures come every minute, and are asked for as calmly. */
const REFRESH_MS = 30_000
const REFRESH_OF_MANY_MS = 120_000
const MANY_SERVERS = 2_000
/** A machine that is being set up reports at once: its first report is waited for. */
const WAITING_MS = 2_000
/** Points of long stretches stand for hours. */
const REFRESH_OF_DAYS_MS = 300_000
const DAY_SECONDS = 86_400

export function serversQuestion(team: number, search: SearchOf<typeof SERVER_LIST> = {}) {
  return queryOptions({
    ...question(team, 'listServers', { query: { per_page: PER_PAGE, ...search } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      (state.data?.meta.servers ?? 0) > MANY_SERVERS ? REFRESH_OF_MANY_MS : REFRESH_MS,
  })
}

export function useServer(team: number, id: number) {
  return useQuery({
    ...question(team, 'getServer', { id }),
    refetchInterval: ({ state }) =>
      state.data?.data.last_report_at === null && state.data.data.is_active ? WAITING_MS : REFRESH_MS,
  })
}

export const USUAL_RANGE: ServerRange = '24h'

/** Its end moves on with the time, unless it was zoomed into. */
export function useServerHistory(
  team: number,
  id: number,
  { range = USUAL_RANGE, from, to }: ServerPageSearch,
  { refreshMs }: { refreshMs?: number } = {},
) {
  const isZoomed = from !== undefined && to !== undefined
  const isLong = RANGE_SECONDS[range] > DAY_SECONDS
  return useQuery({
    queryKey: [team, 'getServerHistory', id, isZoomed ? { from, to } : { range }] as const,
    queryFn: () => {
      const end = isZoomed ? to : Math.floor(Date.now() / 1_000)
      const begin = isZoomed ? from : end - RANGE_SECONDS[range]
      const query = { from: new Date(begin * 1_000).toISOString(), to: new Date(end * 1_000).toISOString() }
      return ask(team, 'getServerHistory', { id, query })
    },
    placeholderData: keepPreviousData,
    refetchInterval: isZoomed ? false : (refreshMs ?? (isLong ? REFRESH_OF_DAYS_MS : REFRESH_MS)),
  })
}

export function useServerIncidents(team: number, server: number) {
  return useQuery(question(team, 'listServerIncidents', { query: { server } }))
}
