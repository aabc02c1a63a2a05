import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { intervalSecondsOf } from '../../../src/core/monitors/monitor.ts'
import { nextTickMs, phaseMs } from '../../../src/core/probing/schedule.ts'
import { type AnswerOf, ask, question } from '../../data/ask.ts'
import type { ReportSearch } from '../../data/history-search.ts'

export type Monitor = AnswerOf<'getMonitor'>['data']
export type Report = AnswerOf<'getMonitorReport'>['data']
export type Ping = AnswerOf<'listPings'>['data'][number]

const MIN_REFRESH_MS = 10_000
/** Longer lists are not refetched, so that reading far back is not interrupted. */
const MAX_PAGES_REFRESHED = 2

/** The live stream does not announce a steady "up", so a visible page refetches as often as checks run. */
function refreshMs(monitor: Monitor): number {
  return Math.max(MIN_REFRESH_MS, intervalSecondsOf(monitor) * 1_000)
}

/** The time of the next check, or the deadline of the next ping; null while paused. */
export function nextDueAt(monitor: Monitor, nowMs: number): string | null {
  if (!monitor.is_active) return null
  const intervalMs = intervalSecondsOf(monitor) * 1_000
  if (monitor.type !== 'heartbeat')
    return new Date(nextTickMs(nowMs, intervalMs, phaseMs(monitor.id, intervalMs))).toISOString()
  return new Date(Date.parse(monitor.last_checked_at ?? monitor.created_at) + intervalMs).toISOString()
}

export function useMonitor(team: number, id: number) {
  return useQuery({
    ...question(team, 'getMonitor', { id }),
    refetchInterval: ({ state }) => (state.data ? refreshMs(state.data.data) : false),
  })
}

export function useReport(team: number, monitor: Monitor, { range, region }: ReportSearch) {
  return useQuery({
    ...question(team, 'getMonitorReport', { id: monitor.id, query: { range, region } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs(monitor),
  })
}

/** Checks, newest first, page by page. */
export function useChecks(team: number, monitor: Monitor, failed: boolean) {
  const status = failed ? ('down' as const) : undefined
  return useInfiniteQuery({
    queryKey: [team, 'listCheckDetails', monitor.id, { status, paged: true }],
    queryFn: ({ pageParam }) =>
      ask(team, 'listCheckDetails', { id: monitor.id, query: { before: pageParam, status } }),
    initialPageParam: undefined as string | undefined,
    // A filtered page may be short: the service says how far it has searched.
    getNextPageParam: ({ meta }) => meta.next_before ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > MAX_PAGES_REFRESHED ? false : refreshMs(monitor),
  })
}

/** Pings, newest first, page by page. */
export function usePings(team: number, monitor: Monitor) {
  return useInfiniteQuery({
    queryKey: [team, 'listPings', monitor.id, { paged: true }],
    queryFn: ({ pageParam }) => ask(team, 'listPings', { id: monitor.id, query: { before: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_before ?? undefined,
    refetchInterval: ({ state }) =>
      (state.data?.pages.length ?? 0) > MAX_PAGES_REFRESHED ? false : refreshMs(monitor),
  })
}
